package cli

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"time"

	"github.com/spf13/cobra"

	"standoff/cli/i18n"
	"standoff/engine"
	"standoff/engine/bot"
	"standoff/p2p/lobby"
	"standoff/p2p/node"
	"standoff/p2p/peer"
	"standoff/p2p/table"
)

// robotOrder tells a bot where to sit down: one JSON object on its standard input.
type robotOrder struct {
	Opener  string    `json:"opener"` // address of the peer that has opened the table
	Network *[32]byte `json:"network,omitempty"`
	Roam    bool      `json:"roam"` // at a table on the network, not on this machine alone
	Nick    string    `json:"nick"`
	Owner   []byte    `json:"owner"` // key of the player whose machine this is
	Vouch   []byte    `json:"vouch"`
}

// robotReport is what a bot tells: one JSON object a line.
type robotReport struct {
	Key     []byte `json:"key,omitempty"`
	Sat     bool   `json:"sat,omitempty"`
	Problem string `json:"problem,omitempty"`
}

// robot is the hidden command of one bot: a peer in a process of its own that sits down where its standard input
// says, gets ready for every offer, and plays game after game until its input or the table ends.
func (s *shell) robot() *cobra.Command {
	return &cobra.Command{
		Use:    "bot",
		Hidden: true,
		Args:   noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			signal.Ignore(os.Interrupt)
			ctx, cancel := context.WithCancel(context.WithoutCancel(cmd.Context()))
			defer cancel()
			out := json.NewEncoder(s.out)
			err := beRobot(ctx, cancel, s.in, out)
			if err != nil {
				out.Encode(robotReport{Problem: oneLine(err.Error())})
			}
			return err
		},
	}
}

func beRobot(ctx context.Context, cancel context.CancelFunc, in io.Reader, out *json.Encoder) error {
	id, err := node.Throwaway()
	if err != nil {
		return err
	}
	key := id.Key()
	out.Encode(robotReport{Key: key[:]})
	d := json.NewDecoder(in)
	var o robotOrder
	if err := d.Decode(&o); err != nil {
		return problem(i18n.BadOrder, why(err))
	}
	go func() { // nothing more comes; the end of the input is the end of the bot
		io.Copy(io.Discard, io.MultiReader(d.Buffered(), in))
		cancel()
		time.AfterFunc(lastWish, func() { os.Exit(Failure) })
	}()
	at, err := node.ParseAddress(o.Opener)
	if err != nil {
		return err
	}
	c := node.Config{Identity: id, Network: o.Network, Peers: []node.Address{at}}
	if o.Roam {
		c.Roam = &node.Roam{}
	}
	host, err := node.New(ctx, c)
	if err != nil {
		return err
	}
	defer host.Close()
	p := lobby.Player{Suite: table.NewRistretto(rand.Reader), Identity: id, Rand: rand.Reader, Nick: o.Nick, Bot: true, Auto: true, Vouch: o.Vouch}
	copy(p.Owner[:], o.Owner)
	t, err := lobby.Sit(ctx, host, at.Key(), p, nil)
	if err != nil {
		return err
	}
	defer t.Leave()
	out.Encode(robotReport{Sat: true})
	for {
		select {
		case n, ok := <-t.News():
			if !ok {
				return nil
			}
			if n.Kind != lobby.NewsBegun {
				continue
			}
			if err := robotPlays(ctx, host, p, t.View().Roster); err != nil {
				return err
			}
			if err := t.Again(); err != nil {
				return nil
			}
		case <-ctx.Done():
			return nil
		}
	}
}

// robotPlays plays one game.
func robotPlays(ctx context.Context, host *node.Host, p lobby.Player, roster []byte) error {
	var seed [8]byte
	if _, err := rand.Read(seed[:]); err != nil {
		return err
	}
	b := bot.New(binary.LittleEndian.Uint64(seed[:]))
	_, _, err := peer.Run(ctx, peer.Config{
		Table:  table.Config{Roster: roster, Rules: compile, Identity: p.Identity.Secret(), Rand: rand.Reader, Suite: p.Suite},
		Host:   host,
		Decide: func(v engine.View) (engine.Action, bool) { return b.Act(v, v.Legal()), true },
		Show:   func(t *table.Table, r table.Ready) { watch(b, t, r) },
	})
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// robots are the bot processes of one table.
type robots struct {
	all  []*robotProcess
	lost chan error // one of them has ended with a problem
}

type robotProcess struct {
	nick string
	cmd  *exec.Cmd
	in   io.WriteCloser
	errs tail
}

// robotNicks are the names of bots.
var robotNicks = []string{"Boris", "Cilka", "Dimitris", "Eva", "Ferenc", "Gita", "Hana", "Ivo", "Jana"}

// seatRobots starts n bots on this machine and lets them sit down at the table of owner, who has opened it at address.
func seatRobots(ctx context.Context, n int, owner lobby.Player, address node.Address, network *[32]byte, roam bool) (*robots, error) {
	r := &robots{lost: make(chan error, n)}
	program, err := os.Executable()
	if err != nil {
		return r, problem(i18n.NoProgram, why(err))
	}
	key := owner.Identity.Key()
	nicks := others(owner.Nick)
	for i := range n {
		p := &robotProcess{nick: nicks[i], cmd: exec.Command(program, "bot")}
		p.cmd.Stderr = &p.errs
		if p.in, err = p.cmd.StdinPipe(); err != nil {
			return r, err
		}
		out, err := p.cmd.StdoutPipe()
		if err != nil {
			return r, err
		}
		if err := p.cmd.Start(); err != nil {
			return r, problem(i18n.NoBotProcess, i18n.With{"why": err, "n": n})
		}
		r.all = append(r.all, p)
		go r.follow(p, out, func(bot node.Key) error {
			o := robotOrder{Opener: address.String(), Network: network, Roam: roam, Nick: p.nick, Owner: key[:]}
			o.Vouch = lobby.Vouch(owner.Suite, owner.Identity, lobby.RoomOf(key), bot)
			b, err := json.Marshal(o)
			if err == nil {
				_, err = p.in.Write(append(b, '\n'))
			}
			return err
		})
	}
	return r, nil
}

// others are names for bots beside somebody's.
func others(nick string) []string {
	var out []string
	for _, n := range robotNicks {
		if plain(n) != plain(nick) {
			out = append(out, n)
		}
	}
	return out
}

// follow reads what a bot tells until it ends.
func (r *robots) follow(p *robotProcess, out io.Reader, sit func(node.Key) error) {
	var end error = problem(i18n.BotEnded, nil)
	for d := json.NewDecoder(out); ; {
		var m robotReport
		if d.Decode(&m) != nil {
			break
		}
		switch {
		case len(m.Key) == len(node.Key{}):
			if err := sit(node.Key(m.Key)); err != nil {
				end = err
			}
		case m.Problem != "":
			end = errors.New(m.Problem)
		}
	}
	r.lost <- problem(i18n.BotGone, i18n.With{"seat": p.nick, "n": p.cmd.Process.Pid, "why": end, "last": p.errs.String()})
}

// close ends the bots.
func (r *robots) close() {
	for _, p := range r.all {
		p.in.Close()
	}
	for _, p := range r.all {
		late := time.AfterFunc(closeLimit, func() { p.cmd.Process.Kill() })
		p.cmd.Wait()
		late.Stop()
	}
}
