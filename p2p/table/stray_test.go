package table

import (
	"bytes"
	"crypto/ed25519"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// stopped is a world whose six machines stand somewhere in the middle of a game.
func stopped(t *testing.T, seed uint64, round uint32) *world {
	w := fair(t, seed, 6, [2]string{"tolerate", "2"})
	w.onRest = func(i int, tbl *Table) {
		if tbl.st.round >= round {
			w.dead = 1<<6 - 1
		}
	}
	w.run(time.Hour)
	require.Empty(t, w.problems)
	for i, tbl := range w.tables {
		tbl.Tick(w.now)
		require.Nil(t, tbl.end, "seat %d", i)
		tbl.Ready()
	}
	return w
}

// strayRows are the messages that accuse nobody, as they come to an honest seat; by: whose key has signed, -1: none here.
var strayRows = []struct {
	name string
	kind FaultKind
	by   int
	make func(w *world, e Envelope) []byte
}{
	{"in the name of another seat", FaultStranger, 3, func(w *world, e Envelope) []byte {
		x := e.text
		x.Seat = 2
		return sealEnvelope(toy{}, w.seats.keys[3], x).Raw
	}},
	{"in the name of a seat that there is not", FaultStranger, 3, func(w *world, e Envelope) []byte {
		x := e.text
		x.Seat = 7
		return sealEnvelope(toy{}, w.seats.keys[3], x).Raw
	}},
	{"with the key of a stranger", FaultStranger, -1, func(w *world, e Envelope) []byte {
		return sealEnvelope(toy{}, strangerKey, e.text).Raw
	}},
	{"with a signature that nobody has made", FaultStranger, -1, func(w *world, e Envelope) []byte {
		raw := bytes.Clone(e.Raw)
		raw[3] ^= 1
		return raw
	}},
	{"a wish with the key of a stranger", FaultStranger, -1, func(w *world, e Envelope) []byte {
		return sealEnvelope(toy{}, strangerKey, text{Kind: KindWish, Table: e.Table, Round: e.Round, Seat: 1, Body: encode(wishText{What: WishLeave})}).Raw
	}},
	{"of another table, by a stranger", FaultStranger, -1, func(w *world, e Envelope) []byte {
		x := e.text
		x.Table[0] ^= 1
		return sealEnvelope(toy{}, strangerKey, x).Raw
	}},
	{"of another table, by the same seat", FaultReplay, 3, func(w *world, e Envelope) []byte {
		x := e.text
		x.Table[0] ^= 1
		return sealEnvelope(toy{}, w.seats.keys[3], x).Raw
	}},
	{"of another table, where the player had another seat", FaultReplay, 3, func(w *world, e Envelope) []byte {
		x := e.text
		x.Table[0], x.Seat, x.Round = x.Table[0]^1, 0, 1<<31
		return sealEnvelope(toy{}, w.seats.keys[3], x).Raw
	}},
	{"of an earlier round", FaultReplay, 3, func(w *world, e Envelope) []byte { return w.saidIn(3, 9) }},
	{"of the first round", FaultReplay, 3, func(w *world, e Envelope) []byte { return w.saidIn(3, 0) }},
	{"of an earlier round, by who has never said it", FaultReplay, 3, func(w *world, e Envelope) []byte {
		x := must(parseEnvelope(w.saidIn(3, 9))).text
		x.Prev[0] ^= 1
		return sealEnvelope(toy{}, w.seats.keys[3], x).Raw
	}},
}

var strangerKey = ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))

// saidIn is what a seat has said in a round that is closed, or in the last before in which it did.
func (w *world) saidIn(seat, round int) []byte {
	log := w.tables[0].log[:round+1]
	for i := range log {
		for _, e := range log[len(log)-1-i].says {
			if int(e.Seat) == seat {
				return e.Raw
			}
		}
	}
	panic("seat is silent")
}

// saysNow is a say of a seat for the open round, whatever it is worth.
func (w *world) saysNow(seat int) Envelope {
	round, head := w.tables[0].Round()
	return sealEnvelope(toy{}, w.seats.keys[seat], text{Kind: KindSay, Table: w.tables[0].st.roster.Table, Round: round, Seat: uint8(seat), Prev: head, Body: encode(1)})
}

// TestStrays: a message in another's name, of another table or of an old round changes nothing, blames nobody, and can be
// shown to anybody, whether it comes to the table itself or is turned away at the gate.
func TestStrays(t *testing.T) {
	t.Parallel()
	w := stopped(t, 970, 40)
	now := w.now
	kinds := map[FaultKind]int{}
	for i, row := range strayRows {
		t.Run(row.name, func(t *testing.T) {
			raw := row.make(w, w.saysNow(3))
			file := w.tables[0].Transcript()
			for _, way := range []string{"table", "gate"} {
				tbl := must(Resume(w.config(0, 1), w.diary.records[0]))
				require.NoError(t, tbl.Start())
				tbl.Tick(now)
				tbl.Tick(now + staleAfter - time.Second)
				catchUp(t, tbl, w.tables[0])
				tbl.Ready()
				before := fingerprint(tbl)
				receive := func(b []byte) {
					if way == "table" {
						require.Error(t, tbl.Receive(Bundle(b)[0]))
					} else {
						require.NotEqual(t, Accept, tbl.Gate().Look(Bundle(b)[0]))
					}
				}
				if old := must(parseEnvelope(raw)); old.Table == tbl.st.roster.Table && old.Round+20 < tbl.st.round {
					receive(raw)
					tbl.Tick(now + staleAfter - time.Second)
					require.Empty(t, tbl.Ready().Strays, "late, as honest peers may be")
					tbl.now += 2 * time.Second // nobody is called on
				}
				receive(raw)
				require.Equal(t, before, fingerprint(tbl))
				tbl.Tick(tbl.now)
				r := tbl.Ready()
				require.Empty(t, r.Faults)
				require.Len(t, r.Strays, 1, way)
				require.Zero(t, tbl.open.vote.guilty)
				f := r.Strays[0]
				require.Equal(t, -1, f.Seat)
				require.Equal(t, row.kind, f.Kind)
				require.Equal(t, tbl.st.roster.Table, f.Table)
				if row.by >= 0 {
					require.EqualValues(t, tbl.st.roster.Joins[row.by].Key, f.Signer)
				} else {
					require.Nil(t, f.Signer)
				}
				evidence := tbl.Evidence(f)
				p, err := verifyEvidence(toy{}, evidence, rulesOf)
				require.NoError(t, err)
				require.Equal(t, f, p.Fault)
				t.Log(p.Fault)
				kinds[p.Kind]++
				if way == "table" {
					accusesNobody(t, evidence, i)
				}
				receive(raw)
				tbl.Tick(tbl.now)
				require.Empty(t, tbl.Ready().Strays, "once is enough")
			}
			require.Equal(t, file, w.tables[0].Transcript())
		})
	}
	require.Len(t, kinds, 2)
}

// catchUp gives one table all that another has.
func catchUp(t *testing.T, tbl, from *Table) {
	t.Helper()
	for range 10 {
		for _, p := range must(from.Serve(tbl.Want())) {
			tbl.Receive(p)
		}
	}
	require.Equal(t, from.st.round, tbl.st.round)
}

// accusesNobody requires that a file that shows a stray proves nothing against any seat, and nothing at all when a byte of
// the message is changed so that it is in its place no more than before, but another one.
func accusesNobody(t *testing.T, file []byte, seed int) {
	t.Helper()
	text, err := readEvidence(file)
	require.NoError(t, err)
	require.EqualValues(t, unaccused, text.Seat)
	for seat := range MaxSeats + 3 {
		other := text
		other.Seat = uint8(seat)
		_, err := verifyEvidence(toy{}, append([]byte(evidenceMagic), encode(other)...), rulesOf)
		require.Error(t, err, "seat %d", seat)
	}
	for i := range 24 {
		changed := bytes.Clone(file)
		pos := (i*7919 + seed*31) % len(file)
		changed[pos] ^= 1 << (i % 8)
		p, err := verifyEvidence(toy{}, changed, rulesOf)
		if err == nil { // some other message that nobody has signed: nobody can be named by it
			require.Equal(t, FaultStranger, p.Kind, "byte %d", pos)
			require.Equal(t, -1, p.Seat)
			require.Nil(t, p.Signer)
		}
	}
	for _, cut := range []int{len(file) / 2, len(file) - 1} {
		var unreadable *UnreadableError
		_, err := verifyEvidence(toy{}, file[:cut], rulesOf)
		require.ErrorAs(t, err, &unreadable)
	}
}

// TestEvidenceOfNoStray: a message that is in its place is no stray, and a file has neither less nor more of the game
// than it needs.
func TestEvidenceOfNoStray(t *testing.T) {
	t.Parallel()
	w := stopped(t, 971, 30)
	tbl := w.tables[0]
	say := must(parseEnvelope(w.saidIn(3, 20)))
	foreign := say.text
	foreign.Table[0] ^= 1
	elsewhere := sealEnvelope(toy{}, w.seats.keys[3], foreign).Raw
	wish := sealEnvelope(toy{}, w.seats.keys[3], text{Kind: KindWish, Table: say.Table, Seat: 3, Body: encode(wishText{What: WishLeave})}).Raw
	last := say.text
	last.Round = 1<<32 - 1
	r := int(say.Round)
	for _, row := range []struct {
		name      string
		before    []byte
		envelopes [][]byte
		want      string
	}{
		{"a message of the open round", tbl.file(r), [][]byte{say.Raw}, "needs all before round"},
		{"a wish", tbl.file(0), [][]byte{wish}, "in its place"},
		{"a message of the last round there can be", tbl.file(0), [][]byte{sealEnvelope(toy{}, w.seats.keys[3], last).Raw}, "in its place"},
		{"no message", tbl.file(0), [][]byte{{1, 2, 3}}, "envelope of 3 bytes"},
		{"two messages", tbl.file(0), [][]byte{elsewhere, say.Raw}, "out of range"},
		{"nothing", tbl.file(0), nil, "out of range"},
		{"less of the game", tbl.file(r - 1), [][]byte{say.Raw}, "needs all before round"},
		{"more of the game", tbl.file(r + 2), [][]byte{say.Raw}, "more of the game"},
		{"a game that is not needed", tbl.file(2), [][]byte{elsewhere}, "more of the game"},
		{"no game", nil, [][]byte{elsewhere}, "not a standoff transcript"},
	} {
		t.Run(row.name, func(t *testing.T) {
			text := evidenceText{Seat: unaccused, Envelopes: row.envelopes, Before: row.before}
			p, err := verifyEvidence(toy{}, append([]byte(evidenceMagic), encode(text)...), rulesOf)
			require.ErrorContains(t, err, row.want, "%+v", p)
		})
	}
}

// clerk is a machine that counts the signatures it checks.
type clerk struct {
	toy
	n *int
}

func (c clerk) Verify(key ed25519.PublicKey, msg, sig []byte) bool {
	*c.n++
	return c.toy.Verify(key, msg, sig)
}

// TestAFloodOfStrays: whatever comes in, and however much, a table notes few strays, looks at few more, and is as before.
func TestAFloodOfStrays(t *testing.T) {
	t.Parallel()
	w := stopped(t, 972, 40)
	for _, way := range []string{"table", "gate"} {
		t.Run(way, func(t *testing.T) {
			n := 0
			c := w.config(0, 1)
			c.Suite = clerk{toy{}, &n}
			tbl := must(Resume(c, w.diary.records[0]))
			require.NoError(t, tbl.Start())
			tbl.Tick(w.now)
			catchUp(t, tbl, w.tables[0])
			tbl.Ready()
			tbl.now += staleAfter
			before, noted := fingerprint(tbl), 0
			n = 0
			judged := 0 // bad signatures in the name of a seat, which cost one each before they are dropped
			for i := range 3000 {
				x := must(parseEnvelope(w.saidIn(i%6, i%30))).text
				x.Seat = uint8(i % MaxSeats)
				key := w.seats.keys[(i/8)%6]
				switch i % 3 {
				case 0:
					x.Table = Hash{byte(i), byte(i >> 8)}
				case 1:
					x.Round, x.Prev = tbl.st.round, Hash{byte(i), byte(i >> 8)}
					if int(x.Seat) < 6 {
						judged++
					}
					key = strangerKey
				}
				packet := Bundle(sealEnvelope(toy{}, key, x).Raw)[0]
				if way == "table" {
					tbl.Receive(packet)
				} else {
					require.NotEqual(t, Accept, tbl.Gate().Look(packet))
				}
				if i%10 == 0 {
					if e := tbl.gate.turned.Swap(nil); e != nil {
						tbl.stray(*e)
					}
					noted += len(tbl.out.Strays)
					tbl.out.Strays = nil
				}
			}
			noted += len(tbl.out.Strays)
			tbl.out.Strays = nil
			require.Equal(t, before, fingerprint(tbl))
			require.Equal(t, maxStrays, noted)
			require.LessOrEqual(t, n, judged+int(straySorts)*MaxSeats*MaxSeats, "signatures checked")
		})
	}
}

// TestStraysAmongLies: a table whose member repeats, invents and takes messages from elsewhere plays to the end; the
// others note it, few times, and hold nothing against anybody.
func TestStraysAmongLies(t *testing.T) {
	t.Parallel()
	for i, name := range []string{"sends messages of another table", "speaks in another's name", "sends rubbish"} {
		t.Run(name, func(t *testing.T) {
			w := fair(t, uint64(980+i), 4)
			w.liars[3] = &liar{seat: 3, behaviour: behaviourNamed(name), after: 6, rng: w.rng}
			strays := make([][]Fault, 4)
			w.onReady = func(i int, r Ready) { strays[i] = append(strays[i], r.Strays...) }
			w.finishes(t)
			require.Empty(t, w.faults)
			for i := range 3 {
				require.NotEmpty(t, strays[i])
				require.LessOrEqual(t, len(strays[i]), maxStrays)
				t.Log(strays[i])
				p, err := verifyEvidence(toy{}, w.tables[i].Evidence(strays[i][0]), rulesOf)
				require.NoError(t, err)
				require.Equal(t, strays[i][0], p.Fault)
			}
		})
	}
}

// TestRoundsThatNoGameHas: the number of a round is its sender's word. The largest is no round after the last, nor one
// before the first where an int has 32 bits.
func TestRoundsThatNoGameHas(t *testing.T) {
	t.Parallel()
	w := stopped(t, 974, 30)
	tbl := w.tables[0]
	tbl.Tick(w.now + time.Hour) // every round is closed long ago
	for _, k := range []Kind{KindSay, KindSeal, KindCall, KindWish} {
		for _, round := range []uint32{1<<32 - 1, 1<<32 - 2, 1 << 31, 1<<31 - 1, tbl.st.round + 2} {
			x := w.saysNow(3).text
			x.Kind, x.Round, x.Body = k, round, encode(uint8(0))
			p := Bundle(sealEnvelope(toy{}, w.seats.keys[3], x).Raw)[0]
			tbl.gate.Look(p)
			tbl.Receive(p)
			tbl.Tick(w.now + time.Hour)
			r := tbl.Ready()
			require.Empty(t, r.Strays)
			require.Empty(t, r.Faults)
		}
	}
}
