package cli

import (
	"slices"
	"strings"
	"time"

	"standoff/cli/i18n"
	"standoff/engine"
	"standoff/p2p/table"
)

// strikes is what a demonstration does to its own processes: it kills some with SIGKILL in mid-game, one after the
// other or at once, and starts one of them again.
type strikes struct {
	kill   int
	atOnce bool

	victims []int // seats; the first is the one that is started again
	spare   int   // how many may fail at once
	turns   int
	next    int  // victim
	removed bool // the victim struck last is out; shares are to be dealt anew
	revived bool // the first was started again
	back    bool // and is at the table again
	waits   string
	grace   string    // of the table
	hitAt   time.Time // since when it stands still
	spawned time.Time // when the first was started again
}

// happening is what the seat that tells reports besides its lines.
type happening struct {
	Turns    int   `json:"turns,omitempty"` // begun
	Removed  []int `json:"removed,omitempty"`
	Returned []int `json:"returned,omitempty"`
	Shared   bool  `json:"shared,omitempty"` // after the last removal
	Waits    []int `json:"waits,omitempty"`  // for whom the table waits, longer than for a removal
}

// happened gathers what a demonstration wants to know of the news.
func (x *teller) happened(t *table.Table, r table.Ready) *happening {
	var h happening
	for _, n := range r.News {
		switch {
		case n.Kind == table.NewsRemoved:
			h.Removed, h.Shared = append(h.Removed, n.Seat), false
		case n.Kind == table.NewsReturned:
			h.Returned = append(h.Returned, n.Seat)
		case n.Kind == table.NewsShared:
			h.Shared = true
		case n.Kind == table.NewsHappened && n.Event.Kind == engine.TurnStarted:
			h.Turns++
		}
	}
	var waits []int
	for _, m := range t.Waits(waitsFor) {
		waits = append(waits, m.Seat)
	}
	if !slices.Equal(waits, x.waits) {
		x.waits, h.Waits = waits, waits
	}
	if h.Turns == 0 && h.Removed == nil && h.Returned == nil && !h.Shared && h.Waits == nil {
		return nil
	}
	return &h
}

// plan chooses the victims, and refuses what cannot be shown.
func (k *strikes) plan(players int, choices *table.Choices) error {
	tolerate := int(choices.Table["tolerate"][0] - '0')
	k.spare = players - table.Quorum(players, tolerate)
	switch {
	case k.kill == 0 && !k.atOnce:
		return nil
	case k.kill < 1 || k.kill > 2:
		return misuse(i18n.BadKill, i18n.With{"n": k.kill})
	case players < k.kill+2:
		return misuse(i18n.TooManyKills, i18n.With{"m": players, "n": k.kill})
	case !k.atOnce && k.spare == 0:
		return misuse(i18n.NoneMayFail, i18n.With{"m": players, "n": tolerate})
	}
	for i := range k.kill {
		k.victims = append(k.victims, max(1, players/3)*(i+1))
	}
	return nil
}

// strike follows what happens at the table and does what is due.
func (d *demonstration) strike(h happening) error {
	k := &d.strikes
	if k.turns += h.Turns; k.kill == 0 {
		return nil
	}
	if len(h.Waits) > 0 {
		var names []string
		for _, s := range h.Waits {
			names = append(names, d.seats[s].nick)
		}
		if who := strings.Join(names, ", "); who != k.waits {
			k.waits = who
			d.put(d.texts().WaitsFor, i18n.With{"list": who})
		}
	}
	if slices.Contains(h.Returned, k.victims[0]) {
		d.returned()
	}
	if k.next > 0 && slices.Contains(h.Removed, k.victims[k.next-1]) {
		k.removed = true
	}
	switch {
	case k.next == 0 && k.turns >= 2:
		if err := d.hit(); err != nil || !k.atOnce {
			return err
		}
		for k.next < k.kill {
			if err := d.hit(); err != nil {
				return err
			}
		}
	case k.atOnce && len(h.Waits) > 0 && k.kill > k.spare && !k.revived:
		return d.revive()
	case k.removed && h.Shared:
		k.removed = false
		d.put(d.texts().Stood, i18n.With{"time": ago(k.hitAt), "grace": k.grace})
		if k.atOnce {
			return nil
		}
		if k.next < k.kill {
			if err := d.hit(); err != nil {
				return err
			}
		}
		if !k.revived {
			return d.revive()
		}
	}
	return nil
}

// ago is how long something is ago, as it is told.
func ago(t time.Time) time.Duration { return time.Since(t).Round(10 * time.Millisecond) }

// returned tells that the seat that was started again takes part again.
func (d *demonstration) returned() {
	k := &d.strikes
	if k.revived && !k.back {
		k.back = true
		d.put(d.texts().TakesPart, i18n.With{"seat": d.seats[k.victims[0]].nick, "time": ago(k.spawned)})
	}
}

// hit kills the next victim.
func (d *demonstration) hit() error {
	p := d.seats[d.strikes.victims[d.strikes.next]]
	d.strikes.next++
	d.strikes.hitAt = time.Now()
	d.put(d.texts().Kills, i18n.With{"seat": p.nick, "n": p.cmd.Process.Pid, "turn": d.strikes.turns})
	return p.kill()
}

// revive starts the first victim again.
func (d *demonstration) revive() error {
	d.strikes.revived, d.strikes.spawned = true, time.Now()
	p := d.seats[d.strikes.victims[0]]
	if err := d.spawn(p); err != nil {
		return err
	}
	d.put(d.texts().Starts, i18n.With{"seat": p.nick, "n": p.cmd.Process.Pid})
	return nil
}

// struck reports what of the plan did not come about, because the game was over before.
func (k *strikes) struck() error {
	switch {
	case k.kill == 0:
	case k.next < k.kill:
		return problem(i18n.OverBeforeKills, i18n.With{"n": k.kill})
	case k.revived && !k.back:
		return problem(i18n.OverBeforeReturn, nil)
	}
	return nil
}
