package cli

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/cli/i18n"
	"standoff/cli/line"
	"standoff/p2p/lobby"
	"standoff/p2p/node"
	"standoff/p2p/table"
)

// chair is one person at a table over loopback, who speaks JSON: an evening of the program with a host, a seat and an
// identity of its own.
type chair struct {
	t     *testing.T
	e     *evening
	in    io.WriteCloser
	mu    sync.Mutex
	said  []spoken // everything that came out
	read  int      // of said
	grown chan struct{}
	ends  chan error
	stop  context.CancelFunc // an interrupt

	answer func(*chair, *line.Ask) string // to a question of the game; "": not now
	asked  *line.Ask                      // the question that was not answered
}

// spoken is an object that came out.
type spoken struct {
	Type, Kind, Nick string
	Seat             *int
	Text             any
	raw              []byte
}

// Write takes lines of output.
func (x *chair) Write(b []byte) (int, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for l := range bytes.Lines(b) {
		s := spoken{raw: bytes.Clone(l)}
		if err := json.Unmarshal(l, &s); err != nil {
			return 0, fmt.Errorf("%q: %w", l, err)
		}
		x.said = append(x.said, s)
		if s.Type == "ask" {
			a := &line.Ask{}
			if err := json.Unmarshal(l, a); err != nil {
				return 0, err
			}
			if x.asked = a; x.answer != nil {
				if text := x.answer(x, a); text != "" {
					x.asked = nil
					go x.types(text)
				}
			}
		}
	}
	select {
	case x.grown <- struct{}{}:
	default:
	}
	return len(b), nil
}

func (x *chair) types(s string) { io.WriteString(x.in, s+"\n") }

// hears waits for something that comes out and is taken, and gives it.
func (x *chair) hears(what string, take func(s *spoken) bool) *spoken {
	x.t.Helper()
	late := time.After(90 * time.Second)
	for {
		x.mu.Lock()
		for x.read < len(x.said) {
			s := &x.said[x.read]
			x.read++
			if take(s) {
				x.mu.Unlock()
				return s
			}
		}
		x.mu.Unlock()
		select {
		case <-x.grown:
		case <-late:
			x.mu.Lock()
			var last []string
			for _, s := range x.said[max(0, len(x.said)-12):] {
				last = append(last, string(s.raw))
			}
			x.mu.Unlock()
			require.Fail(x.t, x.e.me.Nick+" does not hear "+what, strings.Join(last, ""))
		}
	}
}

// sees waits for a line of the lobby.
func (x *chair) sees(text string) {
	x.t.Helper()
	x.hears(text, func(s *spoken) bool {
		t, ok := s.Text.(string)
		return ok && strings.Contains(t, text)
	})
}

// ever reports whether a text has come out at all.
func (x *chair) ever(text string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, s := range x.said {
		if bytes.Contains(s.raw, []byte(text)) {
			return true
		}
	}
	return false
}

// newChair is somebody with nothing but a screen and a keyboard.
func newChair(t *testing.T) *chair {
	in, typed := io.Pipe()
	x := &chair{t: t, in: typed, grown: make(chan struct{}, 1), ends: make(chan error, 1)}
	s := &shell{in: in, out: &sink{w: x}, err: io.Discard}
	x.e = s.newEvening(&i18n.English, true)
	x.e.keep, x.e.me.Suite = t.TempDir(), table.NewRistretto(rand.Reader)
	t.Cleanup(func() { typed.Close() })
	return x
}

// seatAt sits somebody down at the table of host; without one he opens it for so many seats.
func seatAt(t *testing.T, nick string, host *chair, seats int, options ...string) *chair {
	t.Helper()
	x := newChair(t)
	id, err := node.Throwaway()
	require.NoError(t, err)
	x.e.data = t.TempDir()
	x.e.me = lobby.Player{Suite: table.NewRistretto(rand.Reader), Identity: id, Rand: rand.Reader, Nick: nick}
	c := node.Config{Identity: id}
	if host != nil {
		c.Peers = host.e.host.Addresses()
	}
	ctx, cancel := context.WithCancel(context.Background())
	x.e.host, err = node.New(ctx, c)
	require.NoError(t, err)
	t.Cleanup(cancel)
	if host != nil {
		wait, stop := context.WithTimeout(ctx, 30*time.Second)
		defer stop()
		x.e.table, err = lobby.Sit(wait, x.e.host, host.e.host.Key(), x.e.me, nil)
		require.NoError(t, err)
	} else {
		x.e.opener = true
		l, err := lobby.Enter(x.e.host)
		require.NoError(t, err)
		x.e.table, err = lobby.Open(l, lobby.OpenConfig{Player: x.e.me, Offer: offerFor(t, seats, options...), Countdown: -1})
		require.NoError(t, err)
	}
	sitting, stop := context.WithCancel(ctx)
	x.stop = stop
	over := make(chan struct{})
	go func() {
		defer close(over)
		x.ends <- x.e.run(sitting)
	}()
	t.Cleanup(func() {
		stop()
		<-over
		x.e.host.Close()
	})
	return x
}

func offerFor(t *testing.T, seats int, options ...string) table.Offer {
	t.Helper()
	c := choosing{players: seats, preset: "classic", options: options}
	rules, choices, err := c.choose()
	require.NoError(t, err)
	return table.Offer{Name: "saloon", Rules: table.RulesVersion, Sets: c.names(), Options: choices.List(rules), Seats: uint8(seats)}
}

// end waits for the end of somebody's evening.
func (x *chair) end() error {
	x.t.Helper()
	select {
	case err := <-x.ends:
		return err
	case <-time.After(90 * time.Second):
		require.Fail(x.t, x.e.me.Nick+" is still there")
		return nil
	}
}

func TestTheHostKicksAGuest(t *testing.T) {
	t.Parallel()
	host := seatAt(t, "Ana", nil, 4)
	boris, cilka := seatAt(t, "Boris", host, 0), seatAt(t, "Cilka", host, 0)
	host.sees("Cilka: sits down")
	cilka.sees("Cilka: that is you")
	cilka.types("kick Boris")
	cilka.sees("only whoever opened the table can do that")
	host.types("kick")
	host.sees("kick whom? for instance")
	host.types("kick Zoe")
	host.sees("there is nobody called Zoe here")
	host.types("kick ana")
	host.sees("you cannot kick yourself")
	host.types(`{"kick":"boris"}`)
	host.sees("Boris: kicked, and stays away from this table; let Boris allows another try")
	for _, x := range []*chair{host, cilka} {
		x.sees("Boris: seat free again, kicked by whoever opened it")
	}
	err := boris.end()
	require.EqualError(t, err, "you do not sit at this table any more: kicked by whoever opened it")
	p := &Problem{}
	require.ErrorAs(t, err, &p)
	_, advice := p.Words(&i18n.English)
	require.Contains(t, advice, `ask whoever opened it to type "let" and your nick`)

	again := func() error {
		wait, stop := context.WithTimeout(t.Context(), 30*time.Second)
		defer stop()
		h, err := node.New(t.Context(), node.Config{Identity: boris.e.me.Identity, Peers: host.e.host.Addresses()})
		require.NoError(t, err)
		t.Cleanup(func() { h.Close() })
		_, err = lobby.Sit(wait, h, host.e.host.Key(), boris.e.me, nil)
		return err
	}
	boris.e.host.Close()
	require.EqualError(t, boris.e.refused(again()), "kicked by whoever opened it")
	host.types("seats")
	host.sees("seats: 2 of 4 taken")
	host.sees("Boris: kicked, and stays away")
	host.types(`{"let":"Boris"}`)
	host.sees("Boris: may join again")
	require.NoError(t, again())
	host.sees("Boris: sits down")
}

// Before the game, too, a command says what it does not take, and a word is explained.
func TestTheLobbyRefusesWhatACommandDoesNotTake(t *testing.T) {
	t.Parallel()
	host := seatAt(t, "Ana", nil, 4)
	guest := seatAt(t, "Boris", host, 0)
	host.sees("Boris: sits down")
	for typed, said := range map[string]string{
		"ready x": "ready takes nothing more, but got x", "seats 1": "seats takes nothing more, but got 1", "options x": "options takes nothing more, but got x",
		"leave now": "leave takes nothing more, but got now", "tell": "tell what?", "let": "let whom in again?", "kick": "kick whom?",
		"option": "write option NAME=VALUE", "xyzzy": "xyzzy is neither a choice nor a command", "rules bank": "bank: the thinking time of a player",
		"rules bnak": "did you mean bank?",
	} {
		host.types(typed)
		host.sees(said)
	}
	host.types("tell well met")
	guest.sees("well met")
	for _, s := range host.e.table.View().Seats {
		require.False(t, s.Ready, "nobody is ready by a slip of the pen")
	}
}
