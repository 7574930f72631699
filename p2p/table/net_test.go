package table

import (
	"crypto/ed25519"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/engine"
	"standoff/engine/bot"
	"standoff/engine/boxes"
)

// source is a deterministic random reader for one seat.
func source(seed, who uint64) *rand.ChaCha8 {
	var k [32]byte
	binary.LittleEndian.PutUint64(k[:], seed)
	binary.LittleEndian.PutUint64(k[8:], who)
	return rand.NewChaCha8(k)
}

func rulesOf(sets []string) (*engine.Rules, error) { return boxes.Compile(sets...) }

// seating is everything that exists before a table does.
type seating struct {
	keys   []ed25519.PrivateKey // by roster seat
	roster []byte
	suite  Suite // nil: the real one, with each seat's own randomness
}

// seatPlayers makes a roster of n players of the basic box, with option values such as "tolerate=0".
func seatPlayers(t testing.TB, n int, seed uint64, options ...[2]string) seating {
	t.Helper()
	return seatWith(t, NewRistretto(nil), []string{"base"}, n, seed, options...)
}

// seatToys does so for the toy suite: what such a test is about does not depend on the cryptography, and one with the
// real suite stands beside it.
func seatToys(t testing.TB, n int, seed uint64, options ...[2]string) seating {
	t.Helper()
	return seatWith(t, toy{}, []string{"base"}, n, seed, options...)
}

// seatWith makes a roster of n players of those boxes.
func seatWith(t testing.TB, suite Suite, sets []string, n int, seed uint64, options ...[2]string) seating {
	t.Helper()
	rules, err := rulesOf(sets)
	require.NoError(t, err)
	choices := DefaultChoices()
	for _, o := range options {
		require.NoError(t, choices.Set(rules, o[0], o[1]))
	}
	rng := source(seed, 99)
	keys := make([]ed25519.PrivateKey, n)
	for i := range keys {
		_, keys[i], err = ed25519.GenerateKey(rng)
		require.NoError(t, err)
	}
	offer, err := SignOffer(suite, Offer{Name: "test", Rules: RulesVersion, Sets: sets, Options: choices.List(rules), Seats: uint8(n)}, keys[0], rng)
	require.NoError(t, err)
	_, id, err := ReadOffer(suite, offer)
	require.NoError(t, err)
	var joins [][]byte
	for i, k := range keys {
		j, err := SignJoin(suite, id, fmt.Sprintf("P%d", i), true, k, rng)
		require.NoError(t, err)
		joins = append(joins, j)
	}
	raw, err := SignRoster(suite, offer, joins, keys[0])
	require.NoError(t, err)
	r, err := ReadRoster(suite, raw)
	require.NoError(t, err)
	s := seating{keys: make([]ed25519.PrivateKey, n), roster: raw}
	if _, ok := suite.(toy); ok {
		s.suite = suite
	}
	for _, k := range keys {
		s.keys[r.SeatOf(k.Public().(ed25519.PublicKey))] = k
	}
	return s
}

// weather is how a scripted network treats packets, in per cent.
type weather struct {
	loss, twice, late int
}

// network carries packets between tables in one test, in an order that its seed decides.
type network struct {
	t       testing.TB
	rng     *rand.Rand
	weather weather
	tables  []*Table
	bots    []*bot.Bot
	mail    []letter
	now     time.Duration
	faults  []Fault
	cut     map[int]bool                        // seats whose cable is out
	onRound func(seat int, tbl *Table)          // after every packet
	filter  func(from int, raw []byte) [][]byte // what a cheater's machine really sends
	watch   []func(seat int, r Ready)
	choose  func(v engine.View, legal []engine.Action) (engine.Action, bool) // instead of the bot, where it wants
	steps   int
	seats   seating
	onStep  func()
}

type letter struct {
	from, to int // from -1: an answer to Fetch
	packet   []byte
}

func newNetwork(t testing.TB, s seating, seed uint64, w weather) *network {
	t.Helper()
	n := &network{t: t, rng: rand.New(source(seed, 1000)), weather: w, cut: map[int]bool{}, seats: s}
	known := map[Hash]bool{}
	for i, k := range s.keys {
		rng := source(seed, uint64(i))
		suite := s.suite
		if suite == nil {
			suite = shared{NewRistretto(rng), known}
		}
		tbl, err := New(Config{Roster: s.roster, Rules: rulesOf, Identity: k, Rand: rng, Suite: suite})
		require.NoError(t, err)
		n.tables = append(n.tables, tbl)
		n.bots = append(n.bots, bot.New(seed+uint64(i)))
	}
	return n
}

// open reads a transcript of the network's suite, verify judges one.
func (n *network) open(file []byte) (*Replay, error) {
	if n.seats.suite == nil {
		return Open(file, rulesOf)
	}
	return openWith(n.seats.suite, file, rulesOf)
}

func (n *network) verify(file []byte) (*Report, error) {
	if n.seats.suite == nil {
		return Verify(file, rulesOf)
	}
	r, err := n.open(file)
	for more := err == nil; more; {
		if more, err = r.Round(); err != nil {
			return nil, err
		}
	}
	if err != nil {
		return nil, err
	}
	return r.Report()
}

func (n *network) start() {
	for i, tbl := range n.tables {
		require.NoError(n.t, tbl.Start())
		n.settle(i)
	}
}

// settle does what table i wants done, and lets its bot decide.
func (n *network) settle(i int) {
	tbl := n.tables[i]
	for {
		r := tbl.Ready()
		n.faults = append(n.faults, r.Faults...)
		for _, f := range slices.Concat(r.Faults, r.Strays) {
			inWords(n.t, f)
		}
		for _, f := range n.watch {
			f(i, r)
		}
		var happened []engine.Event
		for _, w := range r.News {
			if w.Kind == NewsHappened {
				happened = append(happened, w.Event)
			}
		}
		n.bots[i].Watch(happened)
		for _, p := range r.Send {
			list := [][]byte{p}
			if n.filter != nil {
				list = n.filter(i, p)
			}
			for _, q := range list {
				n.broadcast(i, q)
			}
		}
		if r.Fetch != nil && !n.cut[i] {
			n.fetch(i, r.Fetch)
		}
		if n.onRound != nil {
			n.onRound(i, tbl)
		}
		if !r.Ask || !tbl.Asked() {
			return
		}
		v, ok := tbl.View()
		require.True(n.t, ok)
		legal := v.Legal()
		require.NotEmpty(n.t, legal)
		a, chosen := engine.Action{}, false
		if n.choose != nil {
			a, chosen = n.choose(v, legal)
		}
		if !chosen {
			a = n.bots[i].Act(v, legal)
		}
		require.NoError(n.t, tbl.Act(a))
	}
}

func (n *network) broadcast(from int, packet []byte) {
	for to := range n.tables {
		if to != from {
			n.post(from, to, packet)
		}
	}
}

func (n *network) post(from, to int, packet []byte) {
	if n.cut[from] || n.cut[to] || n.rng.IntN(100) < n.weather.loss {
		return
	}
	n.mail = append(n.mail, letter{from, to, packet})
	if n.rng.IntN(100) < n.weather.twice {
		n.mail = append(n.mail, letter{from, to, packet})
	}
}

// fetch puts a question to some other table.
func (n *network) fetch(i int, question []byte) {
	to := n.rng.IntN(len(n.tables) - 1)
	if to >= i {
		to++
	}
	if n.cut[to] {
		return
	}
	answer, err := n.tables[to].Serve(question)
	require.NoError(n.t, err)
	for _, p := range answer {
		n.post(to, i, p)
	}
}

// run delivers until all tables are over or nothing moves any more.
func (n *network) run() {
	n.start()
	n.resume()
}

// resume is run after a pause.
func (n *network) resume() {
	rounds := func() (sum uint32) {
		for _, tbl := range n.tables {
			sum += tbl.st.round
		}
		return sum
	}
	for idle, last := 0, uint32(0); idle < 300; {
		n.steps++
		require.Less(n.t, n.steps, 2_000_000, "the network does not come to rest")
		if len(n.mail) > 0 && n.steps%300 == 0 {
			n.tick()
		}
		if len(n.mail) == 0 {
			if n.over() {
				return
			}
			idle++
			if r := rounds(); r != last {
				idle, last = 0, r
			}
			n.tick()
			continue
		}
		if n.onStep != nil {
			n.onStep()
		}
		k := 0
		if n.weather.late > 0 && n.rng.IntN(100) < n.weather.late {
			k = n.rng.IntN(len(n.mail))
		}
		l := n.mail[k]
		n.mail = append(n.mail[:k], n.mail[k+1:]...)
		n.tables[l.to].Receive(l.packet)
		n.settle(l.to)
	}
}

// tick lets a fifth of a second pass.
func (n *network) tick() {
	n.now += 200 * time.Millisecond
	for i, tbl := range n.tables {
		if !n.cut[i] {
			tbl.Tick(n.now)
			n.settle(i)
		}
	}
}

func (n *network) over() bool {
	for i, tbl := range n.tables {
		if tbl.end == nil && !n.cut[i] {
			return false
		}
	}
	return true
}

// played runs a whole game in fair weather and returns its network.
func played(t testing.TB, players int, seed uint64, options ...[2]string) *network {
	t.Helper()
	n := newNetwork(t, seatToys(t, players, seed, options...), seed, weather{})
	n.run()
	return n
}
