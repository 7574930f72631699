package table

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// ballots is how a round of a fork could have been closed without the seat that decides in it: it has sealed two things
// in each of the two rounds before, some members hold the one proof and some the other; a first ballot was sealed by
// all but two, and the second, with those seals as tops, by all.
type ballots struct {
	list []Envelope // all that closes the round, in the order in which it came to be
	next *state
}

// twoSeals are two seals of the cheater in a closed round.
func (f *fork) twoSeals(round uint32) (list []Envelope) {
	prev := f.net.tables[0].log[round].says[0].Prev
	for k := range byte(2) {
		list = append(list, sealEnvelope(f.st.suite, f.net.tables[f.asked].me.id, text{Kind: KindSeal, Table: f.st.roster.Table, Round: round,
			Seat: uint8(f.asked), Prev: prev, Body: encode(seal{Value: Hash{8, k}, Head: Hash{9}})}))
	}
	return list
}

// ballots closes the round without the cheater.
func (f *fork) ballots(t *testing.T) *ballots {
	ex := f.st.expect()
	v := f.st.vote(ex)
	o := outcome{parts: make([]*part, MaxSeats)}
	b := &ballots{list: slices.Clone(f.round().says)}
	var held [MaxSeats]Hash
	for _, e := range b.list {
		p, wrong := f.st.readSay(ex, e)
		require.Nil(t, wrong)
		o.parts[e.Seat], held[e.Seat] = &p, e.ID
		v.hearSay(int(e.Seat), e.ID)
	}
	proofs := [][]Envelope{f.twoSeals(f.st.round - 3), f.twoSeals(f.st.round - 2), f.twoSeals(f.st.round - 1)}
	stay := f.st.members.Without(f.asked).List()
	var value, head Hash
	seal := func(seat int, ballot uint32) {
		raw := f.sign(f.st, seat, KindSeal, encode(seal{Ballot: ballot, Value: value, Head: head}))
		b.list = append(b.list, must(parseEnvelope(raw)))
	}
	for _, p := range proofs {
		b.list = append(b.list, p...)
	}
	var tops [MaxSeats]Hash
	for ballot := uint32(1); ballot <= 2; ballot++ {
		var set []*ballotCall
		for i, s := range stay {
			p := proofs[i%3]
			c := &ballotCall{seat: s, ballot: ballot, held: held, out: []removal{{Seat: uint8(f.asked), Why: Cheat, Evidence: []Hash{p[0].ID, p[1].ID}}}}
			if ballot == 2 && i > 1 {
				c.top = ballotTop{some: true, ballot: 1, value: value, calls: tops}
			}
			e := must(parseEnvelope(f.sign(f.st, s, KindCall, encode(c.text([][]byte{})))))
			c.id = e.ID
			b.list = append(b.list, e)
			v.hearCall(c)
			set = append(set, c)
		}
		d, ok := v.decide(set)
		require.True(t, ok)
		if ballot == 1 {
			value, tops = v.name(d), names(set)
			o.out = d.out
			next, err := f.st.next(ex, o, value)
			require.NoError(t, err)
			b.next, head = next, next.head
		}
		require.Equal(t, value, v.name(d), "the second ballot takes over what the first may have closed")
		for i, s := range stay {
			if ballot == 2 || i > 1 {
				seal(s, ballot)
			}
		}
	}
	return b
}

// namesAll are calls of the cheater that name as many honest envelopes of older rounds as they can, and those.
func (f *fork) namesAll() (raw [][]byte) {
	var old [MaxSeats][]Envelope
	for _, r := range f.net.tables[0].log[5:f.st.round] {
		for _, e := range r.says {
			old[e.Seat] = append(old[e.Seat], e)
		}
	}
	var named [][]byte
	for ballot := uint32(1); ballot <= maxCalls/2; ballot++ {
		c := call{Ballot: ballot, Out: []removal{}, Held: []sayID{}, Top: topText{Calls: []sayID{}}, Wishes: [][]byte{}}
		for _, s := range f.st.members.Without(f.asked).List() {
			if len(old[s]) < 2 {
				continue
			}
			c.Out = append(c.Out, removal{Seat: uint8(s), Why: Cheat, Evidence: []Hash{old[s][0].ID, old[s][1].ID}})
			named = append(named, old[s][0].Raw, old[s][1].Raw)
			old[s] = old[s][2:]
		}
		raw = append(raw, f.sign(f.st, f.asked, KindCall, encode(c)))
	}
	return append(raw, named...)
}

// TestTheLastThingMissingClosesTheRound: who follows closes a round that was closed by ballots as soon as it holds what
// the calls name, whatever of it comes last, and however far back the round of a proof lies.
func TestTheLastThingMissingClosesTheRound(t *testing.T) {
	t.Parallel()
	f := playFork(t)
	b := f.ballots(t)
	for _, kind := range []string{"observer", "away", "journal lost"} {
		for i, e := range b.list {
			t.Run(fmt.Sprintf("%s/%d, a %v of seat %d in round %d", kind, i, e.Kind, e.Seat, e.Round), func(t *testing.T) {
				tbl := f.follower(t, kind)
				for range 3 { // as often as it asks
					give(tbl, rawOf(slices.Delete(slices.Clone(b.list), i, i+1))...)
				}
				give(tbl, e.Raw)
				require.Equal(t, b.next.round, tbl.st.round)
				require.Equal(t, b.next.head, tbl.st.head)
			})
		}
		for seed := range uint64(30) {
			t.Run(fmt.Sprintf("%s/in order %d", kind, seed), func(t *testing.T) {
				tbl := f.follower(t, kind)
				list := rawOf(b.list)
				rand.New(source(seed, 1)).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
				give(tbl, list...)
				give(tbl, list...)
				require.Equal(t, b.next.head, tbl.st.head)
			})
		}
		t.Run(kind+"/after a cheater has named all that is old", func(t *testing.T) {
			tbl := f.follower(t, kind)
			give(tbl, f.namesAll()...)
			give(tbl, rawOf(b.list)...)
			give(tbl, rawOf(b.list)...)
			require.Equal(t, b.next.head, tbl.st.head)
		})
		t.Run(kind+"/one answer", func(t *testing.T) {
			member := f.follower(t, "observer")
			give(member, rawOf(b.list)...)
			give(member, rawOf(b.list)...)
			require.Equal(t, b.next.head, member.st.head)
			tbl := f.follower(t, kind)
			for _, p := range must(member.Serve(tbl.Want())) {
				tbl.Receive(p)
			}
			require.Equal(t, b.next.head, tbl.st.head)
			tbl = f.follower(t, kind)
			for _, p := range must(member.ServeSpectator(tbl.Want(), b.next.round)) {
				tbl.Receive(p)
			}
			require.Equal(t, b.next.head, tbl.st.head)
		})
		t.Run(kind+"/the file", func(t *testing.T) {
			tbl := f.follower(t, kind)
			give(tbl, rawOf(b.list)...)
			give(tbl, rawOf(b.list)...)
			rep, err := f.net.verify(tbl.Transcript())
			require.NoError(t, err)
			require.Equal(t, Incomplete, rep.Result)
			last := rep.Moves[len(rep.Moves)-1]
			require.Equal(t, f.asked, last.Seat)
			require.Equal(t, b.next.round, last.Round+1)
			require.NotNil(t, last.Proof)
		})
	}
}

// TestAJournalHoldsTheProofsThatCallsName: a machine that has called and sealed on proofs of earlier rounds, whichever of
// them it heard first, trusts its journal when it starts again, wherever that was cut off, and still holds what it has
// sealed on.
func TestAJournalHoldsTheProofsThatCallsName(t *testing.T) {
	t.Parallel()
	f := playFork(t)
	b := f.ballots(t)
	for _, seat := range f.st.members.Without(f.asked).List() {
		var calls, says []Envelope // of the others
		for _, e := range b.list {
			var c call
			switch {
			case e.Kind == KindSay:
				says = append(says, e)
			case e.Kind == KindCall && int(e.Seat) != seat && decode(e.Body, &c) == nil && c.Ballot == 1:
				calls = append(calls, e)
			}
		}
		for back := uint32(1); back <= 3; back++ {
			t.Run(fmt.Sprintf("seat %d, the proof of %d before", seat, back), func(t *testing.T) {
				c := Config{Roster: f.net.seats.roster, Rules: rulesOf, Identity: f.net.seats.keys[seat], Rand: source(2, 2), Suite: toy{}}
				records := f.before(seat)
				tbl, err := Resume(c, records)
				require.NoError(t, err)
				require.NoError(t, tbl.Start())
				require.Equal(t, f.st.head, tbl.st.head)
				first := len(records)
				tbl.Ready()
				give(tbl, rawOf(calls)...)
				for k := range uint32(3) {
					give(tbl, rawOf(f.twoSeals(f.st.round-1-(back-1+k)%3))...)
				}
				give(tbl, rawOf(says)...)
				own := tbl.open.vote.own
				require.Len(t, own, 1, "it has called as the others have")
				require.EqualValues(t, 1, own[0].ballot)
				records = append(records, tbl.Ready().Save...)
				for n := first; n <= len(records); n++ {
					again, err := Resume(c, records[:n])
					require.NoError(t, err)
					require.False(t, again.mute, "after %d of %d records of the round", n-first, len(records)-first)
					if n == len(records) {
						require.Len(t, again.open.vote.own, 1)
						require.Equal(t, own[0].value, again.open.vote.own[0].value)
					}
				}
			})
		}
	}
}

// TestAJournalHoldsWhatIsNamedAmongMuch: whatever else a cheater has told, and an accomplice has named, a machine that starts
// again still holds what it has sealed on: a third say of one seat that only the calls of others name, and a proof of an
// earlier round besides those for which there was no room.
func TestAJournalHoldsWhatIsNamedAmongMuch(t *testing.T) {
	t.Parallel()
	f := playFork(t)
	b := f.ballots(t)
	var says []Envelope
	var held [MaxSeats]Hash
	for _, e := range b.list {
		if e.Kind == KindSay {
			says = append(says, e)
			held[e.Seat] = e.ID
		}
	}
	stay := f.st.members.Without(f.asked).List()
	calls := func(by []int, held [MaxSeats]Hash, proof ...Hash) (raw [][]byte) {
		for _, s := range by {
			c := &ballotCall{seat: s, ballot: 1, held: held, out: []removal{{Seat: uint8(f.asked), Why: Cheat, Evidence: proof}}}
			raw = append(raw, f.sign(f.st, s, KindCall, encode(c.text([][]byte{}))))
		}
		return raw
	}
	again := func(t *testing.T, seat int, told ...[][]byte) {
		c := Config{Roster: f.net.seats.roster, Rules: rulesOf, Identity: f.net.seats.keys[seat], Rand: source(2, 2), Suite: toy{}}
		records := f.before(seat)
		tbl, err := Resume(c, records)
		require.NoError(t, err)
		require.NoError(t, tbl.Start())
		tbl.Ready()
		for _, raw := range told {
			give(tbl, raw...)
		}
		own := tbl.open.vote.own
		require.NotEmpty(t, own)
		require.EqualValues(t, 1, own[len(own)-1].ballot, "it has called and sealed as the others")
		tbl, err = Resume(c, append(records, tbl.Ready().Save...))
		require.NoError(t, err)
		require.False(t, tbl.mute)
		require.Len(t, tbl.open.vote.own, len(own))
	}
	for i, seat := range stay {
		others := slices.Delete(slices.Clone(stay), i, i+1)
		t.Run(fmt.Sprintf("seat %d, a third say", seat), func(t *testing.T) {
			first, second, third := held[f.asked], must(parseEnvelope(f.lies[0])), must(parseEnvelope(f.lies[1]))
			theirs := held
			theirs[f.asked] = third.ID
			again(t, seat, rawOf(says), [][]byte{second.Raw}, calls(others, theirs, first, second.ID), [][]byte{third.Raw})
		})
		for k, ally := range others {
			t.Run(fmt.Sprintf("seat %d, and %d names what is old", seat, ally), func(t *testing.T) {
				p, q := f.twoSeals(f.st.round-3), f.twoSeals(f.st.round-2)
				again(t, seat, f.namesOld(ally), calls(others[k:k+1], held, p[0].ID, p[1].ID),
					calls(slices.Delete(slices.Clone(others), k, k+1), held, q[0].ID, q[1].ID), rawOf(p), rawOf(q), rawOf(says))
			})
		}
	}
}

// namesOld are calls of a seat that name more envelopes of older rounds than are kept for it, all of which every journal
// has, and none of which it passes on.
func (f *fork) namesOld(seat int) (raw [][]byte) {
	var old [MaxSeats][]Hash
	for _, r := range f.net.tables[0].log[5 : f.st.round-3] {
		for _, e := range r.says {
			old[e.Seat] = append(old[e.Seat], e.ID)
		}
	}
	for ballot := uint32(100); ballot < 104; ballot++ {
		c := call{Ballot: ballot, Out: []removal{}, Held: []sayID{}, Top: topText{Calls: []sayID{}}, Wishes: [][]byte{}}
		for _, s := range f.st.members.Without(seat).List() {
			if len(old[s]) >= 2 {
				c.Out = append(c.Out, removal{Seat: uint8(s), Why: Cheat, Evidence: old[s][:2]})
				old[s] = old[s][2:]
			}
		}
		raw = append(raw, f.sign(f.st, seat, KindCall, encode(c)))
	}
	return raw
}

// before is the journal of a seat as it was when the round was opened.
func (f *fork) before(seat int) []Record {
	records := f.diary.records[seat]
	end := slices.IndexFunc(records, func(r Record) bool {
		if r.Kind != RecordOwn && r.Kind != RecordForeign {
			return false
		}
		e := must(parseEnvelope(r.Data))
		return e.Kind != KindWish && e.Round >= f.st.round
	})
	return slices.Clone(records[:end])
}
