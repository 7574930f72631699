package lobby_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	"standoff/p2p/lobby"
	"standoff/p2p/node"
	"standoff/p2p/table"
)

// This test program is also the peers that it starts in network namespaces.
const roleVariable = "STANDOFF_TEST_ROLE"

// TestMain runs the tests eight at a time: what they do most is to wait for processes and limits.
func TestMain(m *testing.M) {
	if role := os.Getenv(roleVariable); role != "" {
		if err := play(role); err != nil {
			say(line{Error: err.Error()})
			os.Exit(1)
		}
		return
	}
	flag.Parse()
	flag.Set("test.parallel", strconv.Itoa(max(8, runtime.GOMAXPROCS(0))))
	os.Exit(m.Run())
}

// A role is what one peer does; a line is what it tells of it on its standard output.
type role struct {
	Nick    string
	Host    bool
	Seats   int
	Private bool
	Join    string // a target
	List    bool
	Quiet   bool // no discovery
	Examine bool
}

type line struct {
	Error   string          `json:",omitempty"`
	Address string          `json:",omitempty"`
	Code    string          `json:",omitempty"`
	Seated  bool            `json:",omitempty"`
	Away    bool            `json:",omitempty"` // somebody is not heard any more
	Linked  string          `json:",omitempty"` // the game's id, when all players are linked with all
	Tables  []lobby.Listing `json:",omitempty"`
	Listed  bool            `json:",omitempty"`
	Found   []node.Finding  `json:",omitempty"`
}

func say(l line) { json.NewEncoder(os.Stdout).Encode(l) }

// play carries out a role until standard input ends.
func play(text string) error {
	var r role
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		io.Copy(io.Discard, os.Stdin)
		cancel()
		time.AfterFunc(5*time.Second, func() { os.Exit(1) }) // never outlive the test
	}()
	if r.Examine {
		say(line{Found: node.Examine(ctx, node.Checkup{Multicast: true})})
		<-ctx.Done()
		return nil
	}
	id, err := node.Throwaway()
	if err != nil {
		return err
	}
	me := lobby.Player{Suite: table.NewRistretto(rand.Reader), Identity: id, Rand: rand.Reader, Nick: r.Nick, Bot: true, Auto: true}
	c := node.Config{Identity: id, Roam: &node.Roam{}, Discover: !r.Quiet}
	var target lobby.Target
	var code lobby.Code
	switch {
	case r.Private:
		if _, err := rand.Read(code.Secret[:]); err != nil {
			return err
		}
		c.Network = code.Network()
	case r.Join != "":
		if target, err = lobby.ParseTarget(r.Join); err != nil {
			return err
		}
		if target.Code != nil {
			c.Network = target.Code.Network()
		}
	}
	h, err := node.New(ctx, c)
	if err != nil {
		return err
	}
	defer h.Close()
	l, err := lobby.Enter(h)
	if err != nil {
		return err
	}
	if r.List {
		for wait := 2 * time.Second; ctx.Err() == nil; wait = 200 * time.Millisecond {
			say(line{Tables: l.List(ctx, wait), Listed: true})
		}
		return nil
	}
	t, err := takeSeat(ctx, r, h, l, me, target, code)
	if err != nil {
		return err
	}
	say(line{Seated: true})
	defer t.Leave()
	for n := range t.News() {
		if n.Kind == lobby.NewsBegun {
			break
		}
		switch n.Kind {
		case lobby.NewsClosed:
			return fmt.Errorf("closed: %s", n.Reason)
		case lobby.NewsAway:
			say(line{Away: true})
		}
	}
	go func() {
		for range t.News() {
		}
	}()
	v := t.View()
	game, err := table.ReadRoster(me.Suite, v.Roster)
	if err != nil {
		return err
	}
	rc := node.RoomConfig{Table: game.Table, Machine: deaf{}}
	for _, j := range game.Joins {
		rc.Members = append(rc.Members, node.Key(j.Key))
	}
	room, err := h.Join(rc)
	if err != nil {
		return err
	}
	go func() {
		for range room.Events() {
		}
	}()
	if err := room.Wait(ctx); err != nil {
		return err
	}
	say(line{Linked: fmt.Sprintf("%x", game.Table)})
	<-ctx.Done()
	return nil
}

type deaf struct{}

func (deaf) Check([]byte) node.Verdict { return node.Ignore }

func takeSeat(ctx context.Context, r role, h *node.Host, l *lobby.Lobby, me lobby.Player, target lobby.Target, code lobby.Code) (*lobby.Table, error) {
	if r.Host {
		a := h.Addresses()[0]
		told := line{Address: a.String()}
		if code.At, code.Key = a.Place(), a.Key(); code.At.Addr().Is4() {
			told.Code = code.String()
		}
		say(told)
		offer := table.Offer{Name: "saloon", Rules: table.RulesVersion, Sets: []string{"base"}, Seats: uint8(r.Seats)}
		return lobby.Open(l, lobby.OpenConfig{Player: me, Offer: offer, Countdown: -1, Private: r.Private})
	}
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	var opener node.Key
	switch {
	case target.Code != nil:
		a, err := target.Code.Address()
		if err != nil {
			return nil, err
		}
		if err := h.Meet(a); err != nil {
			return nil, err
		}
		opener = a.Key()
	case target.Address != nil:
		if err := h.Meet(*target.Address); err != nil {
			return nil, err
		}
		opener = target.Address.Key()
	default:
		li, err := l.Find(ctx, target.Name)
		if err != nil {
			return nil, err
		}
		opener = li.Host
	}
	return lobby.Sit(ctx, h, opener, me, nil)
}
