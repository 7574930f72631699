package cli

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"os"
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

// robotOrder tells a bot where to sit down, or which game to go on with: one JSON object on its standard input.
type robotOrder struct {
	Owner    string    `json:"owner"` // address of the player whose machine this is
	Network  *[32]byte `json:"network,omitempty"`
	Roam     bool      `json:"roam"`     // at a table on the network, not on this machine alone
	Discover bool      `json:"discover"` // the others are looked for by multicast

	Nick  string `json:"nick,omitempty"` // at the table that the owner has opened
	Vouch []byte `json:"vouch,omitempty"`

	Roster []byte `json:"roster,omitempty"` // or in the game of this roster, of which the bot has a journal
}

// robotWish ends a bot: it leaves the table. The end of its input without that ends it where it is, and its game can
// be gone on with.
type robotWish struct {
	Leave bool `json:"leave"`
}

// robotReport is what a bot tells: one JSON object a line.
type robotReport struct {
	Key     []byte `json:"key,omitempty"`
	Sat     bool   `json:"sat,omitempty"`
	Problem string `json:"problem,omitempty"`
}

// robot is the hidden command of one bot: a peer in a process of its own, with an identity and journals in the folder
// it is given, that does what its standard input says until its game, its table or its input ends.
func (s *shell) robot() *cobra.Command {
	return &cobra.Command{
		Use:    "bot DIR",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			signal.Ignore(os.Interrupt)
			ctx, cancel := context.WithCancel(context.WithoutCancel(cmd.Context()))
			defer cancel()
			out := json.NewEncoder(s.out)
			b := &robot{dir: args[0], out: out}
			err := b.live(ctx, cancel, json.NewDecoder(s.in))
			if err != nil {
				out.Encode(robotReport{Problem: oneLine(err.Error())})
			}
			return err
		},
	}
}

// robot is one bot.
type robot struct {
	dir  string // identity and journals
	out  *json.Encoder
	host *node.Host
	me   lobby.Player
}

func (b *robot) live(ctx context.Context, cancel context.CancelFunc, in *json.Decoder) error {
	id, err := node.LoadOrCreate(b.dir)
	if err != nil {
		return err
	}
	key := id.Key()
	b.out.Encode(robotReport{Key: key[:]})
	var o robotOrder
	if err := in.Decode(&o); err != nil {
		return problem(i18n.BadOrder, why(err))
	}
	go func() {
		var w robotWish
		if in.Decode(&w) == nil && w.Leave {
			cancel()
			time.Sleep(lastWish)
		}
		os.Exit(Failure)
	}()
	lock, err := lockSoon(b.dir)
	if err != nil {
		return err
	}
	defer lock.Close()
	owner, err := node.ParseAddress(o.Owner)
	if err != nil {
		return err
	}
	c := node.Config{Identity: id, Network: o.Network, Peers: []node.Address{owner}, Discover: o.Discover}
	if o.Roam {
		c.Roam = &node.Roam{}
	}
	var game table.Roster
	if o.Roster != nil {
		if game, err = table.ReadRoster(table.NewRistretto(nil), o.Roster); err != nil {
			return err
		}
		c.Peers = append(c.Peers, peer.PeersOf(b.dir, game.Table)...)
	}
	if b.host, err = node.New(ctx, c); err != nil {
		return err
	}
	defer b.host.Close()
	b.me = lobby.Player{Suite: table.NewRistretto(rand.Reader), Identity: id, Rand: rand.Reader, Nick: o.Nick, Bot: true, Auto: true, Owner: owner.Key(), Vouch: o.Vouch}
	if o.Roster != nil {
		return b.resume(ctx, &game, o.Network)
	}
	return b.sit(ctx, o.Network)
}

// lockSoon takes the lock of a bot's folder. Where its owner's program was killed, and goes on at once, the bot's process
// of before may have it for a moment still.
func lockSoon(dir string) (*node.Lock, error) {
	for late := time.Now().Add(closeLimit); ; time.Sleep(closeLimit / 80) {
		lock, err := node.LockIdentity(dir)
		if !errors.Is(err, node.ErrIdentityInUse) || time.Now().After(late) {
			return lock, err
		}
	}
}

// sit sits down at the owner's table and plays game after game.
func (b *robot) sit(ctx context.Context, network *[32]byte) error {
	t, err := lobby.Sit(ctx, b.host, b.me.Owner, b.me, nil)
	if err != nil {
		return err
	}
	defer t.Leave()
	b.out.Encode(robotReport{Sat: true})
	for {
		select {
		case n, ok := <-t.News():
			if !ok {
				return nil
			}
			if n.Kind != lobby.NewsBegun {
				continue
			}
			c := b.config(network)
			c.Table.Roster = t.View().Roster
			if _, _, err := peer.Run(ctx, c); err != nil && ctx.Err() == nil {
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

// resume goes on with a game of which the folder has a journal; where that is of no use, the bot comes back by its key if
// the table can go on without it meanwhile.
func (b *robot) resume(ctx context.Context, game *table.Roster, network *[32]byte) error {
	b.host.Admit(func(k node.Key) bool { return game.SeatOf(k[:]) >= 0 })
	b.host.Announce([]string{})
	b.out.Encode(robotReport{Sat: true})
	c := b.config(network)
	c.Table.Roster, c.Table.Lost = game.Raw, !stays(&game.Offer)
	if _, _, err := peer.Resume(ctx, c, game.Table); err != nil && ctx.Err() == nil {
		return err
	}
	<-ctx.Done() // the end of the game is there for others as long as the owner is
	return nil
}

// config is a peer for whom a bot decides.
func (b *robot) config(network *[32]byte) peer.Config {
	var seed [8]byte
	rand.Read(seed[:])
	mind := bot.New(binary.LittleEndian.Uint64(seed[:]))
	return peer.Config{
		Table:   table.Config{Rules: compile, Identity: b.me.Identity.Secret(), Rand: rand.Reader, Suite: b.me.Suite},
		Host:    b.host,
		Data:    b.dir,
		Network: network,
		Decide:  func(v engine.View) (engine.Action, bool) { return mind.Act(v, v.Legal()), true },
		Show:    func(t *table.Table, r table.Ready) { watch(mind, t, r) },
	}
}
