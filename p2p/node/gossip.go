package node

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"regexp"
	"sync"
	"sync/atomic"
	"time"

	pubsub "github.com/libp2p/go-libp2p-pubsub"
	pb "github.com/libp2p/go-libp2p-pubsub/pb"
	"github.com/libp2p/go-libp2p/core/host"
	"github.com/libp2p/go-libp2p/core/peer"
)

// A broadcast carries packets to everybody at one table.
type broadcast interface {
	// publish hands one packet to every peer that is in the topic.
	publish(ctx context.Context, packet []byte) error
	// next waits for a packet of another peer.
	next(ctx context.Context) (peer.ID, []byte, error)
	// change waits until a peer comes into the topic or leaves it.
	change(ctx context.Context) (p peer.ID, here bool, err error)
	close()
}

// gossipBeat is how often gossip tells its neighbours which packets it holds,
// and so the longest a packet is late that could not come by the direct way.
const gossipBeat = 500 * time.Millisecond

// newGossip sets up gossipsub for tables of up to eight seats and some
// spectators who are all connected to each other.
//
// The mesh has degree zero. With flood publishing the author of a packet sends
// it to every peer of the topic itself, so nobody needs to pass it on at once:
// each packet crosses each link once instead of five times. Who missed one (a
// full queue, a pair of peers that cannot reach each other) sees it in the
// announcements that every peer makes to every other each gossipBeat, and asks
// for it. A mesh would exclude its own members from that repair.
//
// Gossip does not sign. Noise says who the last hop is, the packet's own
// signature says who wrote it, and the message id is the hash of the message, so
// no id can be taken by another text. A nonce before the packet lets the author
// send the same packet again and have it travel again.
//
// What inspect refuses nothing else looks at: a spectator is no peer of gossip.
func newGossip(ctx context.Context, h host.Host, t pubsub.RawTracer, topics *topics, inspect func(peer.ID, *pubsub.RPC) error) (*pubsub.PubSub, error) {
	p := pubsub.DefaultGossipSubParams()
	p.D, p.Dlo, p.Dhi, p.Dout, p.Dscore = 0, 0, 0, 0, 0
	p.Dlazy = 32 // announce to all
	p.HeartbeatInitialDelay, p.HeartbeatInterval = gossipBeat, gossipBeat
	p.HistoryLength, p.HistoryGossip = 8, 2
	p.MaxIHaveLength = 512
	return pubsub.NewGossipSub(ctx, h,
		pubsub.WithGossipSubParams(p),
		pubsub.WithFloodPublish(true),
		pubsub.WithMessageSignaturePolicy(pubsub.StrictNoSign),
		pubsub.WithNoAuthor(),
		pubsub.WithMessageIdFn(messageID),
		pubsub.WithMaxMessageSize(64<<10),
		pubsub.WithMaxControlMessageSize(64<<10), // one announcement, not split
		pubsub.WithPeerOutboundQueueSize(256),
		pubsub.WithValidateQueueSize(256),
		pubsub.WithValidateWorkers(1), // keeps each peer's packets in order
		pubsub.WithSeenMessagesTTL(2*time.Minute),
		pubsub.WithSubscriptionFilter(pubsub.WrapLimitSubscriptionFilter(topics, 8)),
		pubsub.WithAppSpecificRpcInspector(inspect),
		pubsub.WithRawTracer(t),
	)
}

// messageID is long enough that nobody finds a second message with the id of
// another's.
func messageID(m *pb.Message) string {
	sum := sha256.Sum256(m.Data)
	return string(sum[:16])
}

const nonceSize = 8

// topicName is the gossip topic of a table.
func topicName(table [32]byte) string { return fmt.Sprintf("standoff/table/%x", table) }

// topics is the subscription filter: topics of this program only, and not more
// of them than a local network can have, so that no peer fills the memory with
// names.
type topics struct {
	mu    sync.Mutex
	known map[string]bool
}

const maxTopics = 256

var topicShape = regexp.MustCompile(`^standoff/(lobby|table/[0-9a-f]{64})$`)

// CanSubscribe admits any topic of ours to this host's own rooms.
func (t *topics) CanSubscribe(topic string) bool {
	if !topicShape.MatchString(topic) {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.known[topic] = true
	return true
}

// FilterIncomingSubscriptions passes what another peer joins or leaves.
func (t *topics) FilterIncomingSubscriptions(_ peer.ID, subs []*pb.RPC_SubOpts) ([]*pb.RPC_SubOpts, error) {
	return pubsub.FilterSubscriptions(subs, t.filter), nil
}

func (t *topics) filter(topic string) bool {
	if !topicShape.MatchString(topic) {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.known[topic] && len(t.known) >= maxTopics {
		return false
	}
	t.known[topic] = true
	return true
}

// A gossip is the broadcast of one table over a gossipsub topic.
type gossip struct {
	self   peer.ID
	ps     *pubsub.PubSub
	topic  *pubsub.Topic
	sub    *pubsub.Subscription
	events *pubsub.TopicEventHandler
	nonce  atomic.Uint64
}

func joinGossip(ps *pubsub.PubSub, self peer.ID, table [32]byte, m Machine) (_ *gossip, err error) {
	g := &gossip{self: self, ps: ps}
	var seed [nonceSize]byte
	if _, err := rand.Read(seed[:]); err != nil {
		return nil, err
	}
	g.nonce.Store(binary.BigEndian.Uint64(seed[:]))
	name := topicName(table)
	err = ps.RegisterTopicValidator(name, func(_ context.Context, from peer.ID, msg *pubsub.Message) pubsub.ValidationResult {
		if from == self {
			return pubsub.ValidationAccept
		}
		return check(m, msg.Data)
	}, pubsub.WithValidatorInline(true))
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			g.close()
		}
	}()
	if g.topic, err = ps.Join(name); err != nil {
		return nil, err
	}
	if g.events, err = g.topic.EventHandler(); err != nil {
		return nil, err
	}
	if g.sub, err = g.topic.Subscribe(pubsub.WithBufferSize(1024)); err != nil {
		return nil, err
	}
	return g, nil
}

// check judges a message of the topic: nonce and packet.
func check(m Machine, data []byte) pubsub.ValidationResult {
	if len(data) <= nonceSize || len(data) > nonceSize+MaxPacket {
		return pubsub.ValidationReject
	}
	switch m.Check(data[nonceSize:]) {
	case Accept:
		return pubsub.ValidationAccept
	case Ignore:
		return pubsub.ValidationIgnore
	}
	return pubsub.ValidationReject
}

func (g *gossip) publish(ctx context.Context, packet []byte) error {
	data := make([]byte, nonceSize, nonceSize+len(packet))
	binary.BigEndian.PutUint64(data, g.nonce.Add(1))
	return g.topic.Publish(ctx, append(data, packet...))
}

func (g *gossip) next(ctx context.Context) (peer.ID, []byte, error) {
	for {
		msg, err := g.sub.Next(ctx)
		if err != nil {
			return "", nil, err
		}
		if msg.ReceivedFrom != g.self {
			return msg.ReceivedFrom, msg.Data[nonceSize:], nil
		}
	}
}

func (g *gossip) change(ctx context.Context) (peer.ID, bool, error) {
	e, err := g.events.NextPeerEvent(ctx)
	return e.Peer, e.Type == pubsub.PeerJoin, err
}

func (g *gossip) close() {
	if g.sub != nil {
		g.sub.Cancel()
	}
	if g.events != nil {
		g.events.Cancel()
	}
	if g.topic != nil {
		// Errors here mean that gossip itself is closed already.
		_ = g.ps.UnregisterTopicValidator(g.topic.String())
		_ = g.topic.Close()
	}
}
