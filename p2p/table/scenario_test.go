package table

import (
	"math/rand/v2"
	"testing"
	"time"

	"standoff/engine"
	"standoff/engine/boxes"
)

// simulate plays one game in the world of a seed: three to eight seats, those of three and of eight with all boxes.
func simulate(t testing.TB, seed uint64, suite func() Suite) *world {
	n, sets := 4+int(seed%4), []string{"base"}
	switch seed % 16 {
	case 3:
		n, sets = 3, boxes.Names()
	case 7:
		n, sets = engine.MaxSeats, boxes.Names()
	}
	options := [][2]string{{"grace", "2s"}, {"clock", "none"}, {"away", []string{"defaults", "out"}[seed/4%2]}}
	if n >= 6 && seed/8%2 == 1 {
		options = append(options, [2]string{"tolerate", "2"})
	}
	w := worldOf(t, sets, seed, n, suite, options...)
	w.scenario()
	w.run(4 * time.Hour)
	w.judge()
	return w
}

// scenario draws what goes wrong in a run: as many seats as the table tolerates fail for good, lie or lose their
// journal; others are off or cut off for a while.
func (w *world) scenario() {
	n, r := len(w.tables), w.rng
	w.loss, w.twice, w.delay = r.IntN(4)*5, r.IntN(3)*10, time.Duration(r.IntN(300))*time.Millisecond
	for i := range w.skew {
		w.skew[i] = 0.8 + 0.4*r.Float64()
	}
	order := r.Perm(n)
	room := failures(n, w.tables[0].st.choices.tolerate())
	at := 5*time.Second + time.Duration(r.IntN(30))*time.Second
	for k := range room {
		victim := order[k]
		switch kind := r.IntN(4); {
		case kind == 0:
			w.later(at, "gone for good", only(victim), func() { w.kill(victim) })
		case kind == 1:
			w.later(at, "journal lost", only(victim), func() { w.off[victim] = true })
			w.later(at+time.Duration(1+r.IntN(20))*time.Second, "", 0, func() { w.start(victim, false) })
		case len(w.liars) == 0 && n > 3: // between three, one liar can tell the others two histories (T-01)
			b := behaviours[r.IntN(len(behaviours))]
			w.liars[victim] = &liar{seat: victim, behaviour: b, after: uint32(8 + r.IntN(60)), rng: rand.New(source(w.seed, 6000))}
		}
	}
	rest := order[room:]
	for range r.IntN(3) {
		at := 3*time.Second + time.Duration(r.IntN(60))*time.Second
		long := time.Duration(1+r.IntN(60)) * time.Second
		a, b := rest[r.IntN(len(rest))], r.IntN(n)
		switch r.IntN(5) {
		case 0:
			w.later(at, "restart", only(a), func() { w.off[a] = true })
			w.later(at+long, "", 0, func() {
				if w.off[a] {
					w.start(a, true)
				}
			})
		case 1:
			w.later(at, "cable out", only(a), func() { w.cut(only(a), true) })
			w.later(at+long, "", 0, func() { w.cut(only(a), false) })
		case 2:
			half := Seats(0)
			for _, i := range r.Perm(n)[:n/2] {
				half |= only(i)
			}
			w.later(at, "partition", Seats(1<<n-1), func() { w.cut(half, true) })
			w.later(at+long, "", 0, func() { w.cut(half, false) })
		case 3:
			w.later(at, "one way only", only(a)|only(b), func() { w.deaf[a][b] = true })
			w.later(at+long, "", 0, func() { w.deaf[a][b] = false })
		case 4:
			w.later(at, "all off and on", Seats(1<<n-1), func() {
				for i := range w.tables {
					if !w.off[i] && w.liars[i] == nil {
						w.start(i, true)
					}
				}
			})
		}
	}
}

// newest is the honest machine that is on and furthest.
func (w *world) newest() *Table {
	var best *Table
	for _, i := range w.honest() {
		if tbl := w.tables[i]; !w.off[i] && (best == nil || tbl.st.round > best.st.round) {
			best = tbl
		}
	}
	return best
}

// mayWait reports whether the table may wait for ever (T-06): the members that are dead, cannot speak or lie are more
// than the others can go on without.
func (w *world) mayWait() bool {
	t := w.newest()
	var lost Seats
	for _, s := range t.st.members.List() {
		if l := w.liars[s]; w.dead.Has(s) || w.tables[s].mute || l != nil && !l.behaviour.idle {
			lost |= only(s)
		}
	}
	return !t.open.vote.may(lost)
}

// comeBack lets the dead come back with their journals where the table rightly waits for them. It reports whether
// anybody did.
func (w *world) comeBack() bool {
	if w.dead == 0 || !w.mayWait() {
		return false
	}
	w.injected["back from the dead"]++
	back := w.dead
	w.dead, w.lastMove = 0, w.now
	for _, i := range back.List() {
		w.start(i, true)
	}
	return true
}

// judge says what was wrong with a run. One that stopped at a problem is not at its end: that machines stand in it is no
// hang.
func (w *world) judge() {
	stopped := len(w.problems) > 0
	for _, f := range w.faults {
		if w.liars[f.Seat] == nil {
			w.problem(aBlame, "honest seat %d: %v", f.Seat, f)
		}
	}
	for _, l := range w.liars {
		if l.acted {
			w.injected["liar: "+l.behaviour.name]++
		}
	}
	var first []byte
	for _, i := range w.honest() {
		if w.dead.Has(i) {
			continue
		}
		tbl := w.tables[i]
		switch {
		case stopped:
			w.t.Log(w.now, w.off[i], tbl.dump())
			continue
		case tbl.end == nil && w.mayWait():
			w.injected["more amiss than the table tolerates: it waits"]++
			return
		case tbl.end == nil:
			w.problem(aHang, "seat %d stands in round %d (%v of %v): %v", i, tbl.st.round, tbl.ex.Kind, tbl.ex.From.List(), tbl.Missing())
			w.t.Log(w.now, w.off[i], tbl.dump())
			continue
		case tbl.end.Fault != nil && w.liars[tbl.end.Fault.Seat] != nil:
			w.injected["more amiss than the table tolerates: void, the liar named"]++
			return
		case tbl.end.Result != Finished:
			w.problem(aFlaw, "seat %d: %s", i, tbl.end.Reason)
			continue
		}
		if file := tbl.Transcript(); first == nil {
			first = file
		} else if string(first) != string(file) {
			w.problem(aFork, "seat %d has another transcript", i)
		}
	}
	if len(w.problems) > 0 || first == nil {
		return
	}
	rep, err := w.report(first)
	if err != nil || rep.Result != Finished || len(rep.Faults) > 0 {
		w.problem(aFlaw, "transcript: %v %+v", err, rep)
		return
	}
	blamed := map[int]bool{}
	for _, m := range rep.Moves {
		if m.Why == Cheat && !m.Back {
			blamed[m.Seat] = true
			if w.liars[m.Seat] == nil {
				w.problem(aBlame, "honest seat %d was removed for a fault", m.Seat)
			}
		}
	}
	for _, f := range w.faults {
		blamed[f.Seat] = true
	}
	for s, l := range w.liars {
		if l.behaviour.proof && l.lied > 0 && !blamed[s] {
			w.problem(aBlame, "nobody blames seat %d for %q", s, l.behaviour.name)
		}
	}
}

// report is what a stranger makes of a transcript.
func (w *world) report(file []byte) (*Report, error) {
	r, err := openWith(w.suite(), file, rulesOf)
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
