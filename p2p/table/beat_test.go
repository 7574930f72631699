package table

import (
	"container/heap"
	"time"
)

// beat is a sign of life: where a machine stands, and from which it has had one itself. Package peer sends the same.
type beat struct {
	round uint32
	hears Seats
}

// A machine beats once in beatEvery; it hears who has within freshBeat.
const (
	beatEvery = time.Second
	freshBeat = 3 * time.Second
)

// beats sends a sign of life from each machine that is on to all others.
func (w *world) beats() {
	for from, tbl := range w.tables {
		b := &beat{round: tbl.st.round}
		for s, at := range w.heard[from] {
			if at != 0 && w.now-at < freshBeat && !w.off[s] { // a program that ends closes its connections
				b.hears |= only(s)
			}
		}
		for to := range w.tables {
			if from == to || w.deaf[from][to] || w.off[from] || w.off[to] || w.air.IntN(100) < w.loss {
				continue
			}
			w.seq++
			d := time.Millisecond + time.Duration(w.air.Int64N(int64(w.delay)+1))
			heap.Push(&w.mail, parcel{at: w.now + d, seq: w.seq, from: from, to: to, beat: b})
		}
	}
}

// Without clocks nothing ends the thinking of a seat whose peer lives, but the persons at the other seats.
const dismissAfter = time.Minute

// dismiss lets the person at seat i ask for the table to go on without who thinks for ever.
func (w *world) dismiss(i int, long time.Duration) {
	tbl := w.tables[i]
	if tbl.ex.Kind != RoundAct || tbl.end != nil {
		return
	}
	s := tbl.ex.Asked
	if len(tbl.open.says[s]) > 0 {
		w.thinks[i][s] = 0
	} else if w.thinks[i][s] += long; w.thinks[i][s] > dismissAfter {
		tbl.Dismiss(s)
	}
}

// hearBeat is what package peer does with a beat.
func (w *world) hearBeat(p parcel) {
	tbl := w.tables[p.to]
	w.heard[p.to][p.from] = w.now
	tbl.Alive(p.from)
	for _, s := range p.beat.hears.List() {
		tbl.Alive(s)
	}
	if p.beat.round > tbl.st.round {
		w.post(p.to, p.from, tbl.Want(), true)
	}
}
