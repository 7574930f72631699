package table

import (
	"container/heap"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/engine"
	"standoff/engine/bot"
)

// world is a table of machines with clocks, cables, power and sometimes bad intentions, all decided by one seed.
type world struct {
	t      testing.TB
	seed   uint64
	rng    *rand.Rand
	air    *rand.Rand // of the beats
	suite  func() Suite
	seats  seating
	tables []*Table
	bots   []*bot.Bot
	diary  diary
	now    time.Duration
	mail   post
	seq    int

	loss, twice int           // per cent
	delay       time.Duration // up to
	skew        []float64     // how fast each clock runs
	deaf        [MaxSeats][MaxSeats]bool
	off         [MaxSeats]bool
	dead        Seats // for good
	mum         bool  // nobody answers questions
	liars       map[int]*liar
	plan        []event

	heard     [MaxSeats][MaxSeats]time.Duration // the last beat that a machine had of another
	thinks    [MaxSeats][MaxSeats]time.Duration // for how long one has waited for another's decision
	heads     [MaxSeats]map[uint32]Hash
	faults    []Fault
	published map[Point]map[Point]uint32 // bases to the keys whose layer on them somebody made, and in which round
	injected  map[string]int
	problems  []problem
	lastMove  time.Duration
	longest   time.Duration // without a round closed
	account   account
	onReady   func(i int, r Ready)    // what machine i wants done
	onRest    func(i int, tbl *Table) // after that
	until     func() bool             // nothing more is to be seen
	drawn     func(sum Point)         // coins that honest machines see
	restarts  int
	undue     []Move
}

type event struct {
	at time.Duration
	do func()
}

// problem is something that must not happen in any world.
type problem struct {
	kind problemKind
	what string
}

type problemKind uint8

const (
	aFork   problemKind = iota // two honest machines have different logs
	aSecret                    // a hidden card that all can read
	aBlame                     // an honest seat is proved guilty, or a seat that proves its guilt is not
	aHang                      // the table waits for ever, though it tolerates what is amiss
	aLoss                      // a seat is taken out though nothing befell it, or does not get its place again
	aFlaw                      // anything else
	problemKinds
)

func (k problemKind) String() string {
	return [...]string{"fork", "secret", "wrong blame", "hang", "loss of a seat", "flaw"}[k]
}

type parcel struct {
	at       time.Duration
	seq      int
	from, to int
	packet   []byte
	question bool
	beat     *beat
}

type post []parcel

func (p post) Len() int { return len(p) }
func (p post) Less(i, j int) bool {
	return p[i].at < p[j].at || p[i].at == p[j].at && p[i].seq < p[j].seq
}
func (p post) Swap(i, j int) { p[i], p[j] = p[j], p[i] }
func (p *post) Push(x any)   { *p = append(*p, x.(parcel)) }
func (p *post) Pop() any {
	l := len(*p) - 1
	x := (*p)[l]
	*p = (*p)[:l]
	return x
}

// newWorld is a world of n machines at a table of the basic box.
func newWorld(t testing.TB, seed uint64, n int, suite func() Suite, options ...[2]string) *world {
	return worldOf(t, []string{"base"}, seed, n, suite, options...)
}

func worldOf(t testing.TB, sets []string, seed uint64, n int, suite func() Suite, options ...[2]string) *world {
	w := &world{t: t, seed: seed, rng: rand.New(source(seed, 5000)), air: rand.New(source(seed, 5001)), suite: suite, liars: map[int]*liar{},
		published: map[Point]map[Point]uint32{}, injected: map[string]int{}}
	w.seats = seatWith(t, suite(), sets, n, seed, options...)
	for i := range n {
		w.heads[i] = map[uint32]Hash{}
		w.skew = append(w.skew, 1)
		w.tables = append(w.tables, nil)
		w.bots = append(w.bots, bot.New(seed+uint64(i)))
		tbl, err := New(w.config(i, 0))
		require.NoError(t, err)
		w.tables[i] = tbl
	}
	return w
}

func (w *world) config(i, life int) Config {
	s := w.suite()
	if y, ok := s.(toy); ok && w.liars[i] == nil {
		y.layers = func(p Place, key, base Point) {
			if p.Kind == RoundAct || p.Kind == RoundOwn {
				return // a card that its owner chooses to show
			}
			if w.published[base] == nil {
				w.published[base] = map[Point]uint32{}
			}
			if _, ok := w.published[base][key]; !ok {
				w.published[base][key] = p.Round
			}
		}
		y.drawn = w.drawn
		s = y
	}
	return Config{Roster: w.seats.roster, Rules: rulesOf, Identity: w.seats.keys[i], Rand: source(w.seed, uint64(i+100*life)), Suite: s}
}

func (w *world) post(from, to int, packet []byte, question bool) {
	if w.deaf[from][to] || w.off[from] || w.off[to] || w.rng.IntN(100) < w.loss {
		return
	}
	n := 1
	if w.rng.IntN(100) < w.twice {
		n = 2
	}
	for range n {
		w.seq++
		d := time.Millisecond + time.Duration(w.rng.Int64N(int64(w.delay)+1))
		heap.Push(&w.mail, parcel{at: w.now + d, seq: w.seq, from: from, to: to, packet: packet, question: question})
	}
}

func (w *world) problem(kind problemKind, format string, args ...any) {
	w.problems = append(w.problems, problem{kind, kind.String() + ": " + fmt.Sprintf(format, args...)})
}

// settle does what machine i wants done.
func (w *world) settle(i int) {
	tbl := w.tables[i]
	for range 1000 {
		r := tbl.Ready()
		w.diary.keep(i, r)
		if w.onReady != nil {
			w.onReady(i, r)
		}
		if w.liars[i] == nil {
			w.faults = append(w.faults, r.Faults...)
		}
		var happened []engine.Event
		for _, x := range r.News {
			if x.Kind == NewsHappened {
				happened = append(happened, x.Event)
			}
		}
		w.removals(i, r)
		w.bots[i].Watch(happened)
		for _, p := range r.Send {
			for to := range w.tables {
				if to == i {
					continue
				}
				list := [][]byte{p}
				if l := w.liars[i]; l != nil {
					list = l.speak(w, to, p)
				}
				for _, q := range list {
					w.post(i, to, q, false)
				}
			}
		}
		if r.Fetch != nil {
			if to := w.rng.IntN(len(w.tables)); to != i {
				w.post(i, to, r.Fetch, true)
			}
		}
		w.look(i, tbl)
		if w.onRest != nil {
			w.onRest(i, tbl)
		}
		if !r.Ask || !tbl.Asked() {
			return
		}
		v, _ := tbl.View()
		if err := tbl.Act(w.bots[i].Act(v, v.Legal())); err != nil {
			w.problem(aFlaw, "seat %d: decision: %v", i, err)
			return
		}
	}
	w.problem(aFlaw, "seat %d does not come to rest", i)
}

// look compares the log of an honest machine with the others', and what was published with what is hidden.
func (w *world) look(i int, tbl *Table) {
	if w.liars[i] != nil {
		return
	}
	for _, h := range tbl.open.calls {
		for _, r := range h.body.Out {
			if h.told && r.Why == Cheat && tbl.end == nil && tbl.open.faults[r.Seat] == nil {
				w.problem(aFlaw, "seat %d has a proof against seat %d before it and does not know it, round %d", i, r.Seat, tbl.st.round)
			}
		}
	}
	round, head := tbl.Round()
	if _, ok := w.heads[i][round]; ok {
		return
	}
	w.longest = max(w.longest, w.now-w.lastMove)
	w.lastMove = w.now
	w.heads[i][round] = head
	for j := range w.tables {
		if h, ok := w.heads[j][round]; ok && w.liars[j] == nil && h != head {
			w.problem(aFork, "seats %d and %d differ before round %d", i, j, round)
		}
	}
	st := tbl.st
	if st.packs == nil || st.stage != atPlay {
		return
	}
	var opening []engine.Slot
	for _, n := range st.needs {
		if n.Kind == engine.Open {
			opening = append(opening, n.Old...)
		}
	}
	for k := range st.slots {
		s := &st.slots[k]
		if slices.Contains(opening, s.ID) {
			continue
		}
		if s.Card != hidden || s.Mask&st.members == 0 {
			continue
		}
		secret := s.Mask&^st.members != 0 // a gone seat's layer is there until it is lifted
		for _, m := range (s.Mask & st.members).List() {
			if r, ok := w.published[s.C.C1][st.card[m]]; w.liars[m] != nil || !ok || r >= round {
				secret = true // a liar's layers are not counted: that only makes the test stricter elsewhere
			}
		}
		if !secret {
			w.problem(aSecret, "round %d: everybody can read slot %d under %b", round, s.ID, s.Mask)
		}
	}
}

func (w *world) honest() (list []int) {
	for i := range w.tables {
		if w.liars[i] == nil {
			list = append(list, i)
		}
	}
	return list
}

func (w *world) over() bool {
	if w.until != nil && w.until() {
		return true
	}
	for _, i := range w.honest() {
		if !w.dead.Has(i) && w.tables[i].end == nil {
			return false
		}
	}
	return true
}

// run lets time pass until all honest living machines have come to the end, or nothing will happen any more.
func (w *world) run(limit time.Duration) {
	for i, tbl := range w.tables {
		require.NoError(w.t, tbl.Start())
		w.settle(i)
	}
	const step = 250 * time.Millisecond
	next := step
	for steps := 0; !w.over() && len(w.problems) == 0; steps++ {
		if w.now > limit || w.now-w.lastMove > 8*time.Minute || steps > 3_000_000 {
			if w.comeBack() {
				continue
			}
			return
		}
		if len(w.plan) > 0 && w.plan[0].at <= w.now {
			e := w.plan[0]
			w.plan = w.plan[1:]
			e.do()
			continue
		}
		if len(w.mail) == 0 || w.mail[0].at > next {
			w.now, next = next, next+step
			if w.now%beatEvery == 0 {
				w.beats()
			}
			w.book(step)
			for i, tbl := range w.tables {
				if !w.off[i] {
					w.dismiss(i, step)
					tbl.Tick(time.Duration(float64(w.now) * w.skew[i]))
					w.settle(i)
				}
			}
			continue
		}
		p := heap.Pop(&w.mail).(parcel)
		w.now = max(w.now, p.at)
		if w.off[p.to] || w.deaf[p.from][p.to] {
			continue
		}
		if p.beat != nil {
			w.hearBeat(p)
			continue
		}
		if p.question {
			answer, err := w.tables[p.to].Serve(p.packet)
			if err == nil && w.liars[p.to] == nil && !w.mum {
				for _, q := range answer {
					w.post(p.to, p.from, q, false)
				}
			}
			continue
		}
		if l := w.liars[p.from]; l != nil {
			l.reached(w, p)
		}
		w.tables[p.to].Receive(p.packet)
		w.settle(p.to)
	}
}

// start puts a machine on again, with or without its journal.
func (w *world) start(i int, journal bool) {
	w.off[i] = false
	w.account.hurt[i] = w.now
	w.heard[i] = [MaxSeats]time.Duration{}
	w.restarts++
	var tbl *Table
	var err error
	if journal {
		tbl, err = Resume(w.config(i, w.restarts), w.diary.records[i])
	} else {
		c := w.config(i, w.restarts)
		c.Lost = true
		w.diary.records[i] = nil
		tbl, err = New(c)
	}
	if err != nil {
		w.problem(aFlaw, "seat %d cannot start again: %v", i, err)
		return
	}
	if journal && tbl.mute && !slices.ContainsFunc(w.diary.records[i], func(r Record) bool { return r.Kind == RecordLost }) {
		w.problem(aFlaw, "seat %d does not trust its own journal", i)
	}
	w.tables[i] = tbl
	if err := tbl.Start(); err != nil {
		w.problem(aFlaw, "seat %d: %v", i, err)
	}
	w.settle(i)
}

// later lets something happen to some seats.
func (w *world) later(after time.Duration, name string, to Seats, do func()) {
	w.plan = append(w.plan, event{w.now + after, func() {
		for _, s := range to.List() {
			w.account.hurt[s] = w.now
		}
		if name != "" {
			w.injected[name]++
		}
		do()
	}})
	slices.SortStableFunc(w.plan, func(a, b event) int { return int(a.at - b.at) })
}

// cut takes out, or puts back, the cables between a group and all others.
func (w *world) cut(group Seats, out bool) {
	for i := range w.tables {
		for j := range w.tables {
			if group.Has(i) != group.Has(j) {
				w.deaf[i][j] = out
			}
		}
	}
}
