package table

import (
	"encoding/binary"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"standoff/engine"
	"standoff/engine/base"
)

// recording is one whole game with everything that was said, known and secret: many tests look at it from different
// sides, so it is played once.
type recording struct {
	net   *network
	file  []byte
	known map[string]engine.Knowledge // by seat and round, see record
	sent  []posted
	steps []step
}

// posted is one envelope that left a seat.
type posted struct {
	seat int
	raw  []byte
}

// step is one closed round: the state before and after it, and its says.
type step struct {
	prev, cur *state
	ex        Expect
	says      []Envelope // in the order of seats
	at        int        // number of the first of them in the file
}

var game struct {
	sync.Once
	*recording
}

// recorded is a four-player game in which cards are remasked, given to a seat and given back to the deck.
func recorded(t testing.TB) *recording {
	t.Helper()
	game.Do(func() {
		game.recording = recordGame(t, 4, recordSeed, "remask", "give to a seat", "give to the deck", "coin", "shuffle")
	})
	require.NotNil(t, game.recording, "the game could not be played")
	return game.recording
}

// recordSeed is the first of the seeds that are tried: a game is played again with the next one until all the hidden
// transfers wanted have occurred in it.
const recordSeed = 2

// movers are the characters who make cards move in hidden ways.
var movers = []engine.Kind{base.KitCarlson, base.VultureSam, base.JesseJones, base.ElGringo, base.PedroRamirez, base.LuckyDuke}

// preferMovers chooses a mover where two characters are offered (B-023).
func preferMovers(v engine.View, legal []engine.Action) (engine.Action, bool) {
	for _, k := range movers {
		for _, a := range legal {
			if a.Verb == engine.Pick && a.At != 0 && v.Known.Face(a.At).Kind() == k {
				return a, true
			}
		}
	}
	return engine.Action{}, false
}

func recordGame(t testing.TB, players int, seed uint64, kinds ...string) *recording {
	t.Helper()
	for range 12 {
		g := playRecorded(t, players, seed)
		got := map[string]bool{}
		for _, s := range g.steps {
			for _, n := range s.prev.needs[:s.ex.needs] {
				got[transfer(n)] = true
			}
		}
		if !slices.ContainsFunc(kinds, func(k string) bool { return !got[k] }) {
			return g
		}
		seed++
	}
	t.Fatalf("no game of %d players has all of %v", players, kinds)
	return nil
}

func playRecorded(t testing.TB, players int, seed uint64) *recording {
	t.Helper()
	n := newNetwork(t, seatPlayers(t, players, seed, [2]string{"characterChoice", "on"}), seed, weather{})
	n.choose = preferMovers
	g := &recording{net: n, known: record(n)}
	n.watch = append(n.watch, func(seat int, r Ready) {
		for _, p := range r.Send {
			for _, raw := range must(unbundle(p)) {
				g.sent = append(g.sent, posted{seat, raw})
			}
		}
	})
	n.run()
	g.file = n.tables[0].Transcript()
	g.steps = walk(t, g.file)
	require.Equal(t, atEnd, g.steps[len(g.steps)-1].cur.stage)
	return g
}

// walk replays a transcript and returns its closed rounds. The replay has verified every proof.
func walk(t testing.TB, file []byte) []step {
	t.Helper()
	r, err := Open(file, rulesOf)
	require.NoError(t, err)
	var all []step
	for {
		s := step{prev: r.st, ex: r.st.expect(), at: r.at}
		more, err := r.Round()
		require.NoError(t, err)
		if !more {
			break
		}
		s.cur = r.st
		for i := s.at; i < r.at; i++ {
			s.says = append(s.says, must(parseEnvelope(r.frames[i])))
		}
		all = append(all, s)
	}
	_, err = r.Report()
	require.NoError(t, err)
	require.Empty(t, r.trailer.faults)
	return all
}

// partOf reads the contribution of a say.
func partOf[P any](t testing.TB, e Envelope) P {
	t.Helper()
	var s say
	require.NoError(t, decode(e.Body, &s))
	var p P
	require.NoError(t, decode(s.Part, &p))
	return p
}

// of is the say of seat in a step.
func (s *step) of(seat int) Envelope {
	for _, e := range s.says {
		if int(e.Seat) == seat {
			return e
		}
	}
	panic("the seat said nothing")
}

// find returns the first step that satisfies f.
func (g *recording) find(t testing.TB, what string, f func(s *step) bool) *step {
	t.Helper()
	for i := range g.steps {
		if f(&g.steps[i]) {
			return &g.steps[i]
		}
	}
	t.Fatalf("the game has no %s", what)
	return nil
}

// serves reports whether the round serves a need of the kind, as transfer names it, and which.
func (s *step) serves(kind string) (openNeed, bool) {
	for _, n := range s.prev.needs[:s.ex.needs] {
		if transfer(n) == kind {
			return n, true
		}
	}
	return openNeed{}, false
}

// sayOf is the body of a say.
func sayOf(k RoundKind, part any) []byte {
	return encode(say{Kind: k, Part: encode(part), Wishes: [][]byte{}})
}

// say makes a properly signed say of seat in the open round of st, as a cheater with the seat's keys can.
func (g *recording) say(st *state, seat int, part any) []byte {
	ex := st.expect()
	return g.sign(st, seat, KindSay, sayOf(ex.Kind, part))
}

func (g *recording) sign(st *state, seat int, k Kind, body []byte) []byte {
	return sealEnvelope(st.suite, g.net.tables[seat].me.id, text{
		Kind: k, Table: st.roster.Table, Round: st.round, Seat: uint8(seat), Prev: st.head, Body: body}).Raw
}

// before is the transcript of everything before the step.
func (g *recording) before(s *step) []byte {
	_, frames, _, err := readFrames(g.file)
	if err != nil {
		panic(err)
	}
	return fileOf(s.prev.roster.Raw, frames[:s.at]...)
}

// fileOf puts a transcript together.
func fileOf(roster []byte, frames ...[]byte) []byte {
	out := []byte(magic)
	for _, f := range append([][]byte{roster}, frames...) {
		out = binary.BigEndian.AppendUint32(out, uint32(len(f)))
		out = append(out, f...)
	}
	return out
}

// convicts requires that the log up to the step followed by the say proves a fault of the seat, to anybody.
func (g *recording) convicts(t testing.TB, s *step, seat int, kind FaultKind, say []byte) Fault {
	t.Helper()
	rep, err := Verify(append(g.before(s), fileOf(say)[len(magic):]...), rulesOf)
	require.NoError(t, err)
	require.Equal(t, Void, rep.Result)
	require.Len(t, rep.Faults, 1)
	f := rep.Faults[0]
	require.Equal(t, seat, f.Seat, "%v", f)
	require.Equal(t, kind, f.Kind, "%v", f)
	require.Equal(t, s.prev.round, f.Round)
	require.NotEmpty(t, f.Reason)
	return f
}

// observer is a table without a seat that stands before the step, and has heard nothing of it yet.
func (g *recording) observer(t testing.TB, s *step, suite Suite) *Table {
	t.Helper()
	o, err := New(Config{Roster: s.prev.roster.Raw, Rules: rulesOf, Rand: source(1, 2), Suite: suite})
	require.NoError(t, err)
	st := s.prev.clone()
	st.suite = o.st.suite
	o.st, o.ex = st, st.expect()
	for i := range g.steps[:st.round] {
		o.log = append(o.log, g.closedRound(&g.steps[i]))
	}
	o.gate.round.Store(st.round)
	o.begin()
	return o
}

// closedRound is the step as a table keeps it.
func (g *recording) closedRound(s *step) closedRound {
	c := closedRound{says: s.says}
	for _, raw := range g.seals(s) {
		c.seals = append(c.seals, must(parseEnvelope(raw)))
	}
	c.rest = slices.Concat(c.says, c.seals)
	return c
}

// seals are the seals that close the step.
func (g *recording) seals(s *step) (list [][]byte) {
	var d verdict
	for _, e := range s.says {
		d.says[e.Seat] = e.ID
	}
	for _, seat := range s.prev.members.List() {
		list = append(list, g.sign(s.prev, seat, KindSeal, encode(seal{Value: valueOf(s.prev.round, d), Head: s.cur.head})))
	}
	return list
}

// party is what the seat had to itself before the step.
func (g *recording) party(s *step, seat int) *party {
	me := *g.net.tables[seat].me
	me.rand = source(77, uint64(seat))
	me.known, me.ahead = nil, nil
	me.read(s.prev)
	return &me
}
