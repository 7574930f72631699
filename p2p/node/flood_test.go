package node_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/p2p/node"
)

// A flood is a small table to carry: every seat writes numbered, signed entries;
// everybody keeps all entries of all seats; the heartbeat is the hash of how many
// each has, and who sees another hash asks for what it lacks. Nothing in it
// depends on how packets arrive, so that equal logs mean that all arrived.
type flood struct {
	seats []node.Key
}

const maxEntry = 63 << 10

func entry(id node.Identity, number uint32, text []byte) []byte {
	key := id.Key()
	b := append([]byte(nil), key[:]...)
	b = binary.BigEndian.AppendUint32(b, number)
	b = append(b, text...)
	return append(b, ed25519.Sign(id.Secret(), b)...)
}

func author(packet []byte) (key node.Key, number uint32) {
	return node.Key(packet[:32]), binary.BigEndian.Uint32(packet[32:36])
}

// Check accepts what a seat has signed and ignores entries of the text "old".
func (f flood) Check(packet []byte) node.Verdict {
	if len(packet) < 36+ed25519.SignatureSize || len(packet) > maxEntry {
		return node.Reject
	}
	key, _ := author(packet)
	text, sig := packet[:len(packet)-ed25519.SignatureSize], packet[len(packet)-ed25519.SignatureSize:]
	if !slices.Contains(f.seats, key) || !ed25519.Verify(key[:], text, sig) {
		return node.Reject
	}
	if string(text[36:]) == "old" {
		return node.Ignore
	}
	return node.Accept
}

// A player is one seat: its host and room, and the goroutine that owns its log.
type player struct {
	id    node.Identity
	host  *node.Host
	room  *node.Room
	flood flood
	do    chan func() // runs on the owner's goroutine
	done  chan struct{}

	// The owner's own.
	log    map[node.Key]map[uint32][]byte
	next   uint32
	up     map[node.Key]bool
	direct [][]byte
	seen   []node.Event // everything but packets and beats
}

type seatConfig struct {
	admit func(node.Key) bool
	peers []node.Address
	lone  bool // a room without members
}

func identities(t testing.TB, n int) []node.Identity {
	var out []node.Identity
	for range n {
		id, err := node.Throwaway()
		require.NoError(t, err)
		out = append(out, id)
	}
	return out
}

func keys(ids []node.Identity) (out []node.Key) {
	for _, id := range ids {
		out = append(out, id.Key())
	}
	return out
}

// sit starts a player at the table of the seats.
func sit(t testing.TB, id node.Identity, seats []node.Key, c seatConfig) *player {
	t.Helper()
	host, err := node.New(context.Background(), node.Config{Identity: id, Peers: c.peers, Admit: c.admit})
	require.NoError(t, err)
	p := &player{
		id: id, host: host, flood: flood{seats},
		do: make(chan func()), done: make(chan struct{}),
		log: map[node.Key]map[uint32][]byte{}, up: map[node.Key]bool{},
	}
	members := seats
	if c.lone {
		members = nil
	}
	p.room, err = host.Join(node.RoomConfig{Table: [32]byte{1}, Members: members, Machine: p.flood, Beat: p.digest()})
	require.NoError(t, err)
	go p.own()
	t.Cleanup(p.leave)
	return p
}

func (p *player) leave() {
	p.host.Close()
	<-p.done
}

// own is the loop every owner has: network and user.
func (p *player) own() {
	defer close(p.done)
	for {
		select {
		case e, open := <-p.room.Events():
			if !open {
				return
			}
			p.event(e)
		case f := <-p.do:
			f()
		}
	}
}

func (p *player) event(e node.Event) {
	switch e := e.(type) {
	case node.Packet:
		if e.Direct {
			p.direct = append(p.direct, e.Bytes)
			return
		}
		p.keep(e.Bytes)
	case node.Beat:
		if !bytes.Equal(e.Blob, p.digest()) {
			// Busy and not linked are met again at the next beat.
			_ = p.room.Ask(e.Peer, p.counts())
		}
	case node.Request:
		if err := e.Reply(p.lacking(e.Body)); err != nil {
			panic(err)
		}
	case node.Answer:
		for _, packet := range e.Packets {
			if p.flood.Check(packet) == node.Accept {
				p.keep(packet)
			}
		}
		p.seen = append(p.seen, e)
	case node.Up:
		p.up[e.Peer] = true
		p.seen = append(p.seen, e)
	case node.Down:
		delete(p.up, e.Peer)
		p.seen = append(p.seen, e)
	default:
		p.seen = append(p.seen, e)
	}
}

func (p *player) keep(packet []byte) {
	key, number := author(packet)
	if p.log[key] == nil {
		p.log[key] = map[uint32][]byte{}
	}
	p.log[key][number] = packet
	_ = p.room.SetBeat(p.digest())
}

// counts says how many entries of each seat from 0 on are here without a gap.
func (p *player) counts() (b []byte) {
	for _, key := range p.flood.seats {
		n := uint32(0)
		for p.log[key][n] != nil {
			n++
		}
		b = binary.BigEndian.AppendUint32(b, n)
	}
	return b
}

func (p *player) digest() []byte {
	sum := sha256.Sum256(p.counts())
	return sum[:]
}

func (p *player) lacking(counts []byte) (out [][]byte) {
	if len(counts) != 4*len(p.flood.seats) {
		return nil
	}
	for i, key := range p.flood.seats {
		for n := binary.BigEndian.Uint32(counts[4*i:]); p.log[key][n] != nil; n++ {
			out = append(out, p.log[key][n])
		}
	}
	return out
}

// write broadcasts the player's next entries.
func (p *player) write(t testing.TB, texts ...string) {
	t.Helper()
	p.on(func() {
		for _, text := range texts {
			packet := entry(p.id, p.next, []byte(text))
			p.next++
			p.keep(packet)
			require.NoError(t, p.room.Broadcast(packet))
		}
	})
}

// on runs f on the owner's goroutine and waits for it.
func (p *player) on(f func()) {
	done := make(chan struct{})
	select {
	case p.do <- func() { f(); close(done) }:
		<-done
	case <-p.done:
	}
}

func (p *player) entries() (n int) {
	p.on(func() {
		for _, of := range p.log {
			n += len(of)
		}
	})
	return n
}

func (p *player) hasUp(key node.Key) (up bool) {
	p.on(func() { up = p.up[key] })
	return up
}

// hasMissed reports whether a peer was ever lost, be it back or not.
func (p *player) hasMissed(key node.Key) (missed bool) {
	p.on(func() {
		missed = slices.ContainsFunc(p.seen, func(e node.Event) bool { d, ok := e.(node.Down); return ok && d.Peer == key })
	})
	return missed
}

// patience is how long anything may take on a busy machine.
const patience = 60 * time.Second

func ready(t testing.TB, players ...*player) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for _, p := range players {
		require.NoError(t, p.room.Wait(ctx))
	}
}

func eventually(t testing.TB, limit time.Duration, what string, f func() bool) {
	t.Helper()
	for end := time.Now().Add(limit); ; time.Sleep(5 * time.Millisecond) {
		if f() {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("not within %s: %s", limit, what)
		}
	}
}

// agree waits until all players hold the same n entries.
func agree(t testing.TB, n int, players ...*player) {
	t.Helper()
	for i, p := range players {
		eventually(t, patience, fmt.Sprintf("player %d has %d entries, not %d", i, p.entries(), n), func() bool { return p.entries() == n })
	}
	var first, other []byte
	players[0].on(func() { first = players[0].digest() })
	for _, p := range players[1:] {
		p.on(func() { other = p.digest() })
		require.Equal(t, first, other)
	}
}
