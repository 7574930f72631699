package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/cli/i18n"
	"standoff/cli/line"
	"standoff/p2p/node"
	"standoff/p2p/table"
)

// feud answers questions so that the Sheriff, whom nobody harms, sees the others shoot each other. It stops when so
// many are out, until it is told to go on.
type feud struct {
	out  int
	goOn atomic.Bool
}

func (f *feud) answer(_ *chair, a *line.Ask) string {
	out, sheriff := 0, -1
	for _, p := range a.State.Players {
		if p.Out {
			out++
		}
		if p.Role == "sheriff" {
			sheriff = p.Seat
		}
	}
	if out >= f.out && !f.goOn.Load() {
		return ""
	}
	best, choice := 0, max(a.Default, 1)
	for _, c := range a.Choices {
		worth := 0
		switch {
		case a.State.Seat == sheriff && c.Verb == "answer":
			worth = 3
		case c.Verb == "pass":
			worth = 2
		case c.Verb != "play" || slices.Contains([]string{"dynamite", "gatling", "indians", "duel", "jail", "barrel", "mustang", "beer"}, c.As):
		case c.To != nil && *c.To != sheriff:
			worth = 4
		case c.To == nil:
			worth = 1 // a weapon, more cards
		}
		if worth > best {
			best, choice = worth, c.Choice
		}
	}
	return fmt.Sprintf(`{"choice":%d}`, choice)
}

// sits lets a game begin: every chair sits, gets ready and has a character.
func sits(t *testing.T, all []*chair) {
	for _, x := range all[1:] {
		all[0].sees(x.e.me.Nick + ": sits down")
	}
	for _, x := range all {
		x.types("ready")
	}
	for _, x := range all {
		x.hears("the start", func(s *spoken) bool { return s.Kind == "game-started" })
	}
}

// Who is out is heard by those who are out and by nobody else, and so is who looks on: the dead know too much. And who
// is told false facts of the game before is warned of them.
func TestTheDeadAreNotHeardAndFalseFactsAreWarnedOf(t *testing.T) {
	t.Parallel()
	f := &feud{out: 2}
	host := seatAt(t, "Ana", nil, 5, "clock=none", "waits=0s")
	all := []*chair{host}
	for _, nick := range []string{"Boris", "Cilka", "Dimitris", "Eva"} {
		all = append(all, seatAt(t, nick, host, 0))
	}
	for _, x := range all {
		x.answer = f.answer
	}
	sits(t, all)
	looksOn := spectator(t, host)

	names := map[string]*chair{}
	for _, x := range all {
		names[x.e.me.Nick] = x
	}
	var dead []*chair
	host.hears("two deaths", func(s *spoken) bool {
		if s.Kind == "eliminated" {
			who, _, _ := strings.Cut(s.Text.(string), ":")
			dead = append(dead, names[who])
		}
		return len(dead) == 2
	})
	isDead := func(x *chair) bool { return slices.Contains(dead, x) }
	for _, x := range dead {
		require.Eventually(t, func() bool { return x.ever(x.e.me.Nick + ": role ") }, 90*time.Second, 10*time.Millisecond)
	}

	// One of the dead speaks, and one who looks on; then one of the living, whom all hear.
	said := func(from string, text string) func(*spoken) bool {
		return func(s *spoken) bool { return s.Type == "tell" && s.Nick == from && s.Text == text }
	}
	dead[0].types(`{"tell":"it was Cilka"}`)
	dead[1].hears("the dead", said(dead[0].e.me.Nick, "it was Cilka"))
	require.NoError(t, dead[0].e.table.Tell("a changed program tells all"))
	dead[1].hears("the dead", said(dead[0].e.me.Nick, "a changed program tells all"))
	looksOn.types(`{"tell":"I see all"}`)
	looksOn.sees(i18n.English.Watch.Unheard)
	living := all[slices.IndexFunc(all, func(x *chair) bool { return !isDead(x) })]
	living.types(`{"tell":"who goes there"}`)
	for _, x := range all {
		if x != living {
			x.hears("the living", said(living.e.me.Nick, "who goes there"))
		}
	}
	f.goOn.Store(true)
	for _, x := range all {
		x.again()
	}
	for _, x := range all {
		x.hears("the end", func(s *spoken) bool { return s.Kind == "game-over" })
		require.Equal(t, isDead(x) && x != dead[0], x.ever("it was Cilka"), x.e.me.Nick)
		require.Equal(t, x == dead[1], x.ever("a changed program tells all"), x.e.me.Nick)
		require.False(t, x.ever("I see all"))
	}

	// Another game, told with somebody else as the Sheriff of the one before.
	host.sees("another game at this table?")
	for _, x := range all[1:] {
		x.sees("waiting for another game")
	}
	other := *host.e.former
	other.Sheriff = (other.Sheriff + 1) % 5
	host.e.former = &other
	host.types("yes")
	for _, x := range all[1:] {
		x.sees(i18n.English.Lobby.FormerDiffers)
	}
	require.False(t, host.ever(i18n.English.Lobby.FormerDiffers))
}

// The warning is not given for true facts.
func TestTrueFactsOfTheGameBeforeAreNotWarnedOf(t *testing.T) {
	t.Parallel()
	f := &feud{out: 9}
	host := seatAt(t, "Ana", nil, 4, "clock=none", "waits=0s")
	all := []*chair{host, seatAt(t, "Boris", host, 0), seatAt(t, "Cilka", host, 0), seatAt(t, "Eva", host, 0)}
	for _, x := range all {
		x.answer = f.answer
	}
	sits(t, all)
	host.sees("another game at this table?")
	host.types("yes")
	for _, x := range all[1:] {
		x.sees("waiting for another game")
		x.sees("are you ready?")
		require.False(t, x.ever(i18n.English.Lobby.FormerDiffers))
	}
}

// again answers a question that was left open.
func (x *chair) again() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if a := x.asked; a != nil {
		x.asked = nil
		go x.types(x.answer(x, a))
	}
}

// spectator looks on at the table of host, as the command does from the door on.
func spectator(t *testing.T, host *chair) *chair {
	t.Helper()
	x := newChair(t)
	id, err := node.Throwaway()
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	x.e.host, err = node.New(ctx, node.Config{Identity: id, Peers: host.e.host.Addresses()})
	require.NoError(t, err)
	go func() {
		raw, err := x.e.knock(ctx, host.e.host.Key())
		if err == nil {
			var r table.Roster
			if r, err = table.ReadRoster(x.e.me.Suite, raw); err == nil {
				err = x.e.follow(ctx, &r)
			}
		}
		x.ends <- err
	}()
	t.Cleanup(func() {
		cancel()
		<-x.ends
		x.e.host.Close()
	})
	x.hears("the table", func(s *spoken) bool { return s.Type == "event" })
	return x
}
