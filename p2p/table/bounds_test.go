package table

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// held counts what a table has of one seat, or for its calls, in the open round.
type held struct {
	says, seals, calls, wrong, early, wishes, evidence int
	pins                                               int // places taken for what the calls of the seat name
}

func heldOf(tbl *Table, seat int) held {
	o := &tbl.open
	h := held{says: len(o.says[seat]), seals: len(o.seals[seat]), early: len(o.early[seat]), evidence: len(o.evidence[seat]), pins: o.pins[seat]}
	for _, c := range o.calls {
		if c.vote.seat == seat {
			h.calls++
		}
	}
	for _, e := range o.wrong {
		if int(e.Seat) == seat {
			h.wrong++
		}
	}
	if tbl.wish[seat] != nil {
		h.wishes++
	}
	return h
}

// weight is the size of all envelopes of a seat that a table has for the open round, each counted once.
func weight(tbl *Table, seat uint8) (bytes int) {
	seen := map[Hash]bool{}
	add := func(list ...Envelope) {
		for _, e := range list {
			if e.Seat == seat && !seen[e.ID] {
				seen[e.ID] = true
				bytes += len(e.Raw)
			}
		}
	}
	add(tbl.heldEnvelopes()...)
	add(tbl.open.early[seat]...)
	if w := tbl.wish[seat]; w != nil {
		add(w.env)
	}
	return bytes
}

// footprint is the memory, in bytes, that can be reached from a value: whatever list, map or buffer it is in. It does not
// go into states, which are of the log, nor into functions.
func footprint(v reflect.Value, seen map[uintptr]bool) (n int) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.Type() == reflect.TypeFor[*state]() || v.IsNil() || seen[v.Pointer()] {
			return 0
		}
		seen[v.Pointer()] = true
		return int(v.Type().Elem().Size()) + footprint(v.Elem(), seen)
	case reflect.Interface:
		return footprint(v.Elem(), seen)
	case reflect.Slice:
		if v.Len() == 0 || seen[v.Pointer()] {
			return 0
		}
		seen[v.Pointer()] = true
		n = v.Len() * int(v.Type().Elem().Size())
		if v.Type().Elem().Kind() <= reflect.Complex128 {
			return n
		}
		fallthrough
	case reflect.Array:
		if v.Type().Elem().Kind() <= reflect.Complex128 {
			return n
		}
		for i := range v.Len() {
			n += footprint(v.Index(i), seen)
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			n += int(v.Type().Key().Size()+v.Type().Elem().Size()) + footprint(it.Value(), seen)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			n += footprint(v.Field(i), seen)
		}
	case reflect.String:
		return v.Len()
	}
	return n
}

func footprintOf(tbl *Table) int {
	seen := map[uintptr]bool{}
	return footprint(reflect.ValueOf(&tbl.open), seen) + footprint(reflect.ValueOf(tbl.wish), seen) +
		footprint(reflect.ValueOf(tbl.queue), seen) + footprint(reflect.ValueOf(tbl.out), seen)
}

// crowd is six machines that stand in a round in which seat 3 alone shuffles: so it can say as many different things as it
// likes, each of which is true.
type crowd struct{ *world }

const (
	talker = 3 // tells without end
	friend = 5 // signs for it what an honest seat would not
)

func newCrowd(t *testing.T) *crowd {
	w := fair(t, 990, 6, [2]string{"tolerate", "2"})
	w.onRest = func(i int, tbl *Table) {
		if tbl.st.stage == atPlay && tbl.ex.Kind == RoundMix && tbl.ex.From == only(talker) {
			w.off[talker] = true // before it says anything
		}
	}
	w.until = func() bool { return w.off[talker] && w.tables[0].ex.From == only(talker) }
	w.run(time.Hour)
	require.Empty(t, w.problems)
	require.Equal(t, only(talker), w.tables[0].ex.From)
	return &crowd{w}
}

// listener is a table that has heard nothing of the round: of a member, or of who only follows.
func (c *crowd) listener(t *testing.T, kind string) *Table {
	config := c.config(0, 1)
	var tbl *Table
	switch kind {
	case "member":
		tbl = must(Resume(config, c.diary.records[0]))
	case "observer":
		config.Identity = nil
		tbl = must(New(config))
	case "journal lost":
		config.Identity, config.Lost = c.seats.keys[4], true
		tbl = must(New(config))
	}
	require.NoError(t, tbl.Start())
	tbl.Tick(c.now)
	catchUp(t, tbl, c.tables[0])
	tbl.Ready()
	require.Equal(t, kind == "member", tbl.speaks())
	require.Equal(t, only(talker), tbl.ex.From)
	require.Equal(t, held{}, heldOf(tbl, talker))
	return tbl
}

func (c *crowd) sign(seat int, k Kind, later int, body []byte) Envelope {
	st := c.tables[0].st
	x := text{Kind: k, Table: st.roster.Table, Round: uint32(int(st.round) + later), Seat: uint8(seat), Prev: st.head, Body: body}
	if k == KindWish {
		x.Prev = Hash{}
	}
	return sealEnvelope(toy{}, c.seats.keys[seat], x)
}

// anyHash and ballotNo make a hash and a ballot of a number, and malformed what is no body of any kind; all of one length.
func anyHash(i int) Hash     { return Hash{1, byte(i), byte(i >> 8)} }
func ballotNo(i int) uint32  { return uint32(300 + i) }
func malformed(i int) []byte { return encode([]uint32{uint32(1<<20 + i)}) }
func callFor(c call) []byte  { return encode(filled(c)) }
func (c *crowd) say(i int) Envelope {
	st := c.tables[0].st
	ex := st.expect()
	me := party{seat: talker, id: c.seats.keys[talker], rand: source(uint64(i), 990)}
	return c.sign(talker, KindSay, 0, sayOf(RoundMix, must(speakMix(st, ex, st.at(talker, ex), &me))))
}

func filled(c call) call {
	if c.Out == nil {
		c.Out = []removal{}
	}
	if c.Held == nil {
		c.Held = []sayID{}
	}
	c.Top.Calls, c.Wishes = []sayID{}, [][]byte{}
	return c
}

// naming is a call of a seat that names envelopes as proofs against whom it likes.
func (c *crowd) naming(seat, ballot int, list []Envelope) Envelope {
	b := call{Ballot: ballotNo(ballot)}
	for s := range MaxSeats {
		if s == seat || len(list) == 0 {
			continue
		}
		n := min(len(list), maxEvidence)
		r := removal{Seat: uint8(s), Why: Cheat}
		for _, e := range list[:n] {
			r.Evidence = append(r.Evidence, e.ID)
		}
		b.Out, list = append(b.Out, r), list[n:]
	}
	return c.sign(seat, KindCall, 0, callFor(b))
}

// inCalls puts before each five of some envelopes a call that names them.
func (c *crowd) inCalls(seat int, list []Envelope) (all []Envelope) {
	for some := range slices.Chunk(list, 5) {
		all = append(append(all, c.naming(seat, len(all), some)), some...)
	}
	return all
}

// TestNobodyFillsWhatIsHeld: one seat sends thousands of different envelopes of a sort, properly signed. Of each sort a
// table keeps so many and no more, and nothing in it goes on growing, whether it is a member's or only follows.
func TestNobodyFillsWhatIsHeld(t *testing.T) {
	t.Parallel()
	c := newCrowd(t)
	const many = 1400
	times := func(n int, f func(i int) Envelope) func() []Envelope {
		return func() (list []Envelope) {
			for i := range n {
				list = append(list, f(i))
			}
			return list
		}
	}
	each := func(f func(i int) Envelope) func() []Envelope { return times(many, f) }
	shuffles := times(many/4, c.say) // long ones
	for _, row := range []struct {
		name string
		send func() []Envelope
		want held // of the talker
		kept int  // envelopes of the kind of the last one, of its seat
	}{
		{"says", shuffles, held{says: maxSays, evidence: 2}, maxSays},
		{"seals at one ballot", each(func(i int) Envelope {
			return c.sign(talker, KindSeal, 0, encode(seal{Value: anyHash(i), Head: Hash{9}}))
		}), held{seals: maxSeals, evidence: 2}, maxSeals + 1}, // the second is evidence, and no more among the newest
		{"seals at all ballots", each(func(i int) Envelope {
			return c.sign(talker, KindSeal, 0, encode(seal{Ballot: ballotNo(i), Value: anyHash(i), Head: Hash{9}}))
		}), held{seals: maxSeals}, maxSeals},
		{"calls at one ballot", each(func(i int) Envelope {
			return c.sign(talker, KindCall, 0, callFor(call{Ballot: ballotNo(0), Held: []sayID{{Seat: talker, ID: anyHash(i)}}}))
		}), held{calls: maxCalls, evidence: 2}, maxCalls},
		{"calls at all ballots", each(func(i int) Envelope {
			return c.sign(talker, KindCall, 0, callFor(call{Ballot: ballotNo(i)}))
		}), held{calls: maxCalls}, maxCalls},
		{"malformed says", each(func(i int) Envelope { return c.sign(talker, KindSay, 0, malformed(i)) }),
			held{wrong: maxWrong, evidence: 2}, maxWrong},
		{"malformed seals", each(func(i int) Envelope { return c.sign(talker, KindSeal, 0, malformed(i)) }),
			held{wrong: maxWrong, evidence: 1}, maxWrong},
		{"malformed calls", each(func(i int) Envelope { return c.sign(talker, KindCall, 0, malformed(i)) }),
			held{wrong: maxWrong, evidence: 1}, maxWrong},
		{"of the next round", each(func(i int) Envelope {
			return c.sign(talker, KindSay+Kind(i%3), 1, malformed(i))
		}), held{early: maxEarly}, maxEarly},
		{"wishes", each(func(i int) Envelope {
			return c.sign(talker, KindWish, 300+i, encode(wishText{What: WishLost}))
		}), held{wishes: 1}, 1},
		{"what its calls name, of a round long closed", func() []Envelope {
			return c.inCalls(talker, each(func(i int) Envelope {
				return c.sign(friend, KindSeal, -3, encode(seal{Value: anyHash(i), Head: Hash{9}}))
			})())
		}, held{calls: maxCalls, pins: maxPins}, maxPins},
		{"says that calls of a friend name", func() []Envelope { return c.inCalls(friend, shuffles()) },
			held{says: maxNamed, evidence: 2}, maxNamed},
	} {
		t.Run(row.name, func(t *testing.T) {
			list := row.send()
			last := list[len(list)-1]
			for _, kind := range []string{"member", "observer"} {
				tbl := c.listener(t, kind)
				steady := 0
				for i, e := range list {
					if tbl.Receive(Bundle(e.Raw)[0]); i == len(list)/2 {
						steady = footprintOf(tbl)
					}
				}
				require.Nil(t, tbl.end, kind)
				require.Equal(t, row.want, heldOf(tbl, talker), kind)
				require.Equal(t, row.kept*len(last.Raw), weight(tbl, last.Seat), "%s: bytes", kind)
				require.Equal(t, steady, footprintOf(tbl), "%s: it goes on growing", kind)
			}
		})
	}
}

// TestMuchToldKeepsNobodyBack: a member seals and calls what closes a round, and a hundred other things before or after it:
// who only follows goes on with the others all the same.
func TestMuchToldKeepsNobodyBack(t *testing.T) {
	t.Parallel()
	f := playFork(t)
	log := f.net.tables[0].log
	voted := uint32(slices.IndexFunc(log, func(c closedRound) bool { return len(c.calls) > 0 }))
	for _, kind := range []string{"observer", "away"} {
		for _, k := range []Kind{KindSeal, KindCall} {
			round, list := f.st.round, f.round().seals
			if k == KindCall {
				round, list = voted, log[voted].calls
			}
			truth := list[slices.IndexFunc(list, func(e Envelope) bool { return int(e.Seat) == f.asked })].Raw
			for _, at := range []int{0, 1, 40} {
				t.Run(fmt.Sprintf("%s/%vs/%d before", kind, k, at), func(t *testing.T) {
					tbl := f.followerAt(t, kind, round)
					var told [][]byte
					for i := range 100 { // the first two are of the true one's ballot
						body := encode(seal{Value: anyHash(i), Head: Hash{9}})
						if k == KindCall {
							b := filled(call{Ballot: must(parseEnvelope(truth)).ballot(t), Held: []sayID{{Seat: 0, ID: anyHash(i)}}})
							if i > 1 {
								b.Ballot = ballotNo(i)
							}
							body = encode(b)
						}
						told = append(told, f.sign(tbl.st, f.asked, k, body))
					}
					give(tbl, slices.Insert(told, at, truth)...)
					f.feed(tbl, 1<<20)
					require.NotNil(t, tbl.end, "in round %d of %d", tbl.st.round, len(log))
					require.Equal(t, f.net.tables[0].Transcript(), tbl.Transcript())
				})
			}
		}
	}
}

// ballot is that of a call.
func (e Envelope) ballot(t *testing.T) uint32 {
	var c call
	require.NoError(t, decode(e.Body, &c))
	return c.Ballot
}
