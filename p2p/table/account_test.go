package table

import (
	"slices"
	"time"
)

// account is what a world knows of the seats that machines take out or let in again.
type account struct {
	hurt    [MaxSeats]time.Duration // when something last befell the seat
	out     [MaxSeats]time.Duration // for how long it could have had its place again
	removed map[[2]uint32]bool      // by seat and round: already seen
}

// What befell a seat matters for so long: its machine has to learn what it missed, and a ballot that has begun without
// it comes to its end. Who may return does so within the other.
const (
	aftermath = time.Minute
	returnsIn = 3 * time.Minute
)

// ill reports whether something befalls a seat now: its machine is off or may not speak, or it does not hear somebody or
// is not heard by him.
func (w *world) ill(seat int) bool {
	if w.off[seat] || w.tables[seat].mute {
		return true
	}
	for i := range w.tables {
		if w.deaf[i][seat] || w.deaf[seat][i] {
			return true
		}
	}
	return false
}

// book notes what befalls the seats, and requires that who is out and well gets its place again where the table goes on.
func (w *world) book(step time.Duration) {
	newest := w.newest()
	for s := range w.tables {
		a := &w.account
		switch {
		case w.ill(s):
			a.hurt[s], a.out[s] = w.now, 0
		case newest == nil || newest.st.members.Has(s) || newest.st.mayReturn(s) != nil || w.liars[s] != nil || w.ended() || w.mayWait():
			a.out[s] = 0
		default:
			if a.out[s] += step; a.out[s] == returnsIn {
				w.problem(aLoss, "seat %d does not get its place again, round %d", s, newest.st.round)
			}
		}
	}
}

// ended reports whether the game has ended for an honest seat: by its rules, or void where more was amiss than the table
// tolerates.
func (w *world) ended() bool {
	return slices.ContainsFunc(w.honest(), func(i int) bool { return w.tables[i].end != nil })
}

// removals looks at whom a machine takes out of the members for silence.
func (w *world) removals(i int, r Ready) {
	a := &w.account
	if a.removed == nil {
		a.removed = map[[2]uint32]bool{}
	}
	for _, n := range r.News {
		key := [2]uint32{uint32(n.Seat), n.Round}
		if n.Kind != NewsRemoved || n.Why != Silence || w.liars[i] != nil || a.removed[key] {
			continue
		}
		a.removed[key] = true
		if l := w.liars[n.Seat]; l == nil && !w.ill(n.Seat) && (a.hurt[n.Seat] == 0 || w.now-a.hurt[n.Seat] > aftermath) {
			w.problem(aLoss, "seat %d is taken out in round %d though nothing befell it", n.Seat, n.Round)
		}
	}
}
