package node

import (
	"sync/atomic"
	"time"

	pubsub "github.com/libp2p/go-libp2p-pubsub"
	pb "github.com/libp2p/go-libp2p-pubsub/pb"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/core/protocol"
)

// Counters say what became of the packets of a Room since it was joined. Gossip
// itself drops without a word; here every drop has a number.
type Counters struct {
	Published   uint64 // by Broadcast
	Sent        uint64 // handed to one peer each by Broadcast: published times peers
	Delivered   uint64 // arrived by gossip, first time, accepted by Check
	Direct      uint64 // arrived by a peer's Send, accepted by Check
	Duplicates  uint64 // arrived again
	Ignored     uint64 // Check said Ignore
	Rejected    uint64 // Check said Reject, or malformed
	DroppedIn   uint64 // more came than the owner, or Check, kept up with
	DroppedOut  uint64 // the queue to one peer was full: that peer misses one packet
	Beats       uint64 // heartbeats received
	Repaired    uint64 // packets asked for because another peer had announced them
	CaughtUp    uint64 // packets received in Answers
	LinksLost   uint64 // links to peers that ended
	SilentPeers uint64 // connections closed because two heartbeats were missing, or nothing at all was answered
	DeafPeers   uint64 // connections closed because gossip had no way to the peer
}

// tally is Counters while counting.
type tally struct {
	published, sent, delivered, direct, duplicates, ignored, rejected atomic.Uint64
	droppedIn, droppedOut, beats, repaired, caughtUp                  atomic.Uint64
	linksLost, silentPeers, deafPeers                                 atomic.Uint64
}

func (t *tally) read() Counters {
	return Counters{
		Published: t.published.Load(), Sent: t.sent.Load(),
		Delivered: t.delivered.Load(), Direct: t.direct.Load(),
		Duplicates: t.duplicates.Load(), Ignored: t.ignored.Load(), Rejected: t.rejected.Load(),
		DroppedIn: t.droppedIn.Load(), DroppedOut: t.droppedOut.Load(),
		Beats: t.beats.Load(), Repaired: t.repaired.Load(), CaughtUp: t.caughtUp.Load(),
		LinksLost: t.linksLost.Load(), SilentPeers: t.silentPeers.Load(), DeafPeers: t.deafPeers.Load(),
	}
}

// A tracer is told by gossip of each message's fate and counts it for the room
// of its topic. Gossip calls it from its own loop: it must not block.
type tracer struct{ h *Host }

func (t tracer) room(msg *pubsub.Message) *Room { return t.h.roomOf(msg.GetTopic()) }

func (t tracer) DuplicateMessage(msg *pubsub.Message) {
	if r := t.room(msg); r != nil {
		r.tally.duplicates.Add(1)
	}
}

func (t tracer) RejectMessage(msg *pubsub.Message, reason string) {
	r := t.room(msg)
	if r == nil {
		return
	}
	switch reason {
	case pubsub.RejectValidationIgnored:
		r.tally.ignored.Add(1)
	case pubsub.RejectValidationQueueFull, pubsub.RejectValidationThrottled:
		r.lose(1)
	default:
		r.tally.rejected.Add(1)
	}
}

func (t tracer) UndeliverableMessage(msg *pubsub.Message) {
	if r := t.room(msg); r != nil && msg.ReceivedFrom != t.h.id {
		r.lose(1)
	}
}

func (t tracer) DropRPC(rpc *pubsub.RPC, _ peer.ID) {
	t.eachPacket(rpc, func(r *Room) { r.tally.droppedOut.Add(1) })
}

func (t tracer) SendRPC(rpc *pubsub.RPC, _ peer.ID) {
	t.eachPacket(rpc, func(r *Room) { r.tally.sent.Add(1) })
	for _, want := range rpc.GetControl().GetIwant() {
		// An IWANT does not name its topic; with one table it is the table's.
		if r := t.h.onlyRoom(); r != nil {
			r.tally.repaired.Add(uint64(len(want.GetMessageIDs())))
		}
	}
}

func (t tracer) eachPacket(rpc *pubsub.RPC, count func(*Room)) {
	var last *pb.Message
	var room *Room
	for _, m := range rpc.GetPublish() {
		if last == nil || last.GetTopic() != m.GetTopic() {
			last, room = m, t.h.roomOf(m.GetTopic())
		}
		if room != nil {
			count(room)
		}
	}
}

func (tracer) OnNewOutboundStream(peer.ID, protocol.ID)             {}
func (tracer) OnClosedOutboundStream(peer.ID)                       {}
func (tracer) Join(string)                                          {}
func (tracer) Leave(string)                                         {}
func (tracer) Graft(peer.ID, string)                                {}
func (tracer) Prune(peer.ID, string)                                {}
func (tracer) ValidateMessage(*pubsub.Message)                      {}
func (tracer) DeliverMessage(*pubsub.Message)                       {}
func (tracer) ThrottlePeer(peer.ID)                                 {}
func (tracer) RecvRPC(*pubsub.RPC)                                  {}
func (tracer) SendRPCCompleted(*pubsub.RPC, peer.ID, time.Duration) {}
