package node

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/libp2p/go-libp2p/core/host"
	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/core/protocol"
	"github.com/libp2p/go-libp2p/core/record"
	ma "github.com/multiformats/go-multiaddr"
	"github.com/multiformats/go-varint"
	"github.com/stretchr/testify/require"
)

// patience is how long anything may take on a busy machine.
const patience = 60 * time.Second

type all struct{}

func (all) Check([]byte) Verdict { return Accept }

// rough is a peer without this package's manners, connected to h.
func rough(t *testing.T, h *Host) (host.Host, Identity) {
	t.Helper()
	id := testIdentity(t)
	raw, err := newLibp2p(id, &gater{}, nil)
	require.NoError(t, err)
	t.Cleanup(func() { raw.Close() })
	require.NoError(t, raw.Connect(context.Background(), peer.AddrInfo{ID: h.id, Addrs: h.where()}))
	return raw, id
}

func testRoom(t *testing.T, h *Host, members ...Key) *Room {
	t.Helper()
	r, err := h.Join(RoomConfig{Table: [32]byte{7}, Machine: all{}, Members: members})
	require.NoError(t, err)
	return r
}

// await takes events until one is of the wanted kind.
func await[E Event](t *testing.T, r *Room) E {
	t.Helper()
	limit := time.After(patience)
	for {
		select {
		case e, open := <-r.Events():
			require.True(t, open)
			if e, ok := e.(E); ok {
				return e
			}
		case <-limit:
			t.Fatal("the event did not come")
		}
	}
}

func stream(t *testing.T, raw host.Host, h *Host, p protocol.ID) (network.Stream, *bufio.Reader) {
	t.Helper()
	s, err := raw.NewStream(context.Background(), h.id, p)
	require.NoError(t, err)
	require.NoError(t, s.SetDeadline(time.Now().Add(patience)))
	return s, bufio.NewReader(s)
}

func say(t *testing.T, s network.Stream, in *bufio.Reader, hi hello) reply {
	t.Helper()
	require.NoError(t, writeFrame(s, encode(hi)))
	b, err := readFrame(in, maxHello)
	require.NoError(t, err)
	answer, err := decodeReply(b)
	require.NoError(t, err)
	return answer
}

func TestHelloIsAnsweredWithWhatIsWrong(t *testing.T) {
	t.Parallel()
	h := testHost(t)
	testRoom(t, h)
	raw, _ := rough(t, h)
	s, in := stream(t, raw, h, linkProtocol)
	answer := say(t, s, in, hello{Version: Version + 1, Table: [32]byte{7}})
	require.Equal(t, otherVersion, answer.Code)
	require.Contains(t, answer.why(), "version 1")
	s, in = stream(t, raw, h, linkProtocol)
	answer = say(t, s, in, hello{Version: Version, Table: [32]byte{8}})
	require.Equal(t, noSuchTable, answer.Code)
	require.Empty(t, answer.Records, "who does not know the table learns nothing of its peers")
	s, in = stream(t, raw, h, linkProtocol)
	answer = say(t, s, in, hello{Version: Version, Table: [32]byte{7}})
	require.Equal(t, welcome, answer.Code)
	require.Len(t, answer.Records, 1)
}

func TestARefusalIsToldToTheOwner(t *testing.T) {
	t.Parallel()
	h := testHost(t)
	raw, id := rough(t, h)
	raw.SetStreamHandler(linkProtocol, func(s network.Stream) {
		if _, err := readFrame(bufio.NewReader(s), maxHello); err == nil {
			_ = writeFrame(s, encode(reply{Code: otherVersion, Version: 9}))
		}
		s.Close()
	})
	r := testRoom(t, h, id.Key())
	refused := await[Refused](t, r)
	require.Equal(t, id.Key(), refused.Peer)
	require.Contains(t, refused.Why, "version 9")
	require.Contains(t, r.Missing()[0].Why, "version 9")
}

func TestGarbageOnStreamsIsRefusedAndHarmless(t *testing.T) {
	t.Parallel()
	h := testHost(t)
	r := testRoom(t, h)
	raw, id := rough(t, h)
	huge := varint.ToUvarint(1 << 40)
	big := append(varint.ToUvarint(MaxPacket+2), make([]byte, 100)...)
	overlong := append([]byte{0x80, 0x80, 0x00}, 1, 2, 3)
	welcomed := encode(hello{Version: Version, Table: [32]byte{7}})
	framed := func(b []byte) []byte {
		var out bytes.Buffer
		require.NoError(t, writeFrame(&out, b))
		return out.Bytes()
	}
	many := hello{Version: Version, Table: [32]byte{7}, Records: make([][]byte, maxRecords+1)}
	for name, c := range map[string]struct {
		on    protocol.ID
		bytes []byte
	}{
		"link: huge length":           {linkProtocol, huge},
		"link: length not shortest":   {linkProtocol, overlong},
		"link: empty hello":           {linkProtocol, framed(nil)},
		"link: hello no CBOR":         {linkProtocol, framed([]byte("hello"))},
		"link: too many records":      {linkProtocol, framed(encode(many))},
		"link: cut off":               {linkProtocol, framed(welcomed)[:10]},
		"link: hello and empty frame": {linkProtocol, append(framed(welcomed), framed(nil)...)},
		"link: frame too long":        {linkProtocol, append(framed(welcomed), big...)},
		"link: unknown kind":          {linkProtocol, append(framed(welcomed), framed([]byte{99})...)},
		"link: beat too long":         {linkProtocol, append(framed(welcomed), framed(append([]byte{frameBeat}, make([]byte, MaxBeat+1)...))...)},
		"link: records no CBOR":       {linkProtocol, append(framed(welcomed), framed([]byte{frameRecords, 0xff})...)},
		"catch-up: huge length":       {catchupProtocol, huge},
		"catch-up: too short":         {catchupProtocol, framed([]byte{1, 2, 3})},
		"catch-up: other table":       {catchupProtocol, framed(make([]byte, 40))},
		"catch-up: request too long":  {catchupProtocol, framed(make([]byte, 32+MaxRequest+1))},
	} {
		t.Run(name, func(t *testing.T) {
			s, in := stream(t, raw, h, c.on)
			_, _ = s.Write(c.bytes)
			_ = s.CloseWrite()
			start := time.Now()
			for {
				b, err := readFrame(in, maxHello)
				if err != nil {
					break
				}
				require.NotEmpty(t, b)
			}
			require.Less(t, time.Since(start), helloTimeout, "the stream is ended, not waited for")
		})
	}
	// The peer can still make a proper link, and the room works.
	s, in := stream(t, raw, h, linkProtocol)
	require.Equal(t, welcome, say(t, s, in, hello{Version: Version, Table: [32]byte{7}}).Code)
	require.NoError(t, writeFrame(s, []byte{framePacket, 42}))
	packet := await[Packet](t, r)
	require.Equal(t, Packet{id.Key(), true, []byte{42}}, packet)
}

func TestASilentPeerIsDisconnected(t *testing.T) {
	t.Parallel()
	h := testHost(t)
	r := testRoom(t, h)
	raw, _ := rough(t, h)
	s, in := stream(t, raw, h, linkProtocol)
	start := time.Now()
	require.Equal(t, welcome, say(t, s, in, hello{Version: Version, Table: [32]byte{7}}).Code)
	for len(raw.Network().Peers()) > 0 {
		require.Less(t, time.Since(start), patience)
		time.Sleep(10 * time.Millisecond)
	}
	require.GreaterOrEqual(t, time.Since(start), silence)
	require.EqualValues(t, 1, r.Counters().SilentPeers)
}

func TestAnAnswerThatIsCutOffOrTooLargeIsAnError(t *testing.T) {
	t.Parallel()
	h := testHost(t)
	raw, id := rough(t, h)
	raw.SetStreamHandler(linkProtocol, func(s network.Stream) {
		if _, err := readFrame(bufio.NewReader(s), maxHello); err == nil {
			_ = writeFrame(s, encode(reply{Code: welcome, Version: Version}))
		}
	})
	answer := make(chan func(network.Stream), 1)
	raw.SetStreamHandler(catchupProtocol, func(s network.Stream) {
		if _, err := readFrame(bufio.NewReader(s), 32+MaxRequest); err == nil {
			(<-answer)(s)
		}
		s.Close()
	})
	r := testRoom(t, h, id.Key())
	ask := func(f func(network.Stream)) Answer {
		answer <- f
		for {
			err := r.Ask(id.Key(), []byte("from 3"))
			if err == nil {
				return await[Answer](t, r)
			}
			require.ErrorIs(t, err, ErrNotLinked)
			time.Sleep(10 * time.Millisecond)
		}
	}
	got := ask(func(s network.Stream) { _ = writeFrame(s, []byte("a")); _ = writeFrame(s, nil) })
	require.NoError(t, got.Err)
	require.Equal(t, [][]byte{[]byte("a")}, got.Packets)
	require.Equal(t, []byte("from 3"), got.Request)
	got = ask(func(s network.Stream) { _ = writeFrame(s, []byte("a")) })
	require.ErrorIs(t, got.Err, io.ErrUnexpectedEOF)
	require.Len(t, got.Packets, 1)
	got = ask(func(s network.Stream) { _, _ = s.Write(varint.ToUvarint(MaxPacket + 1)) })
	require.ErrorIs(t, got.Err, ErrTooLarge)
	got = ask(func(s network.Stream) {
		for writeFrame(s, make([]byte, MaxPacket)) == nil {
		}
	})
	require.ErrorIs(t, got.Err, ErrTooLarge)
	require.LessOrEqual(t, len(got.Packets), MaxAnswer/MaxPacket)
	got = ask(func(s network.Stream) {
		w := bufio.NewWriter(s)
		for writeFrame(w, []byte{1}) == nil {
		}
	})
	require.ErrorIs(t, got.Err, ErrTooLarge)
	require.Len(t, got.Packets, MaxPackets)
}

func TestReplyRefusesWhatNoAskerWouldTake(t *testing.T) {
	t.Parallel()
	h := testHost(t)
	r := testRoom(t, h)
	raw, _ := rough(t, h)
	s, in := stream(t, raw, h, catchupProtocol)
	require.NoError(t, writeFrame(s, append(r.table[:], "q"...)))
	request := await[Request](t, r)
	require.Equal(t, []byte("q"), request.Body)
	require.ErrorIs(t, request.Reply([][]byte{make([]byte, MaxPacket+1)}), ErrTooLarge)
	require.ErrorIs(t, request.Reply([][]byte{{}}), ErrTooLarge)
	require.ErrorIs(t, request.Reply(make([][]byte, MaxPackets+1)), ErrTooLarge)
	require.NoError(t, request.Reply([][]byte{{1}, {2}}))
	require.NoError(t, request.Reply([][]byte{{3}}), "a second reply does nothing")
	for _, want := range [][]byte{{1}, {2}, {}} {
		b, err := readFrame(in, MaxPacket)
		require.NoError(t, err)
		require.Equal(t, want, b)
	}
}

// A connection that the other side drops at once is tried again ever more slowly.
func TestWhoIsNotAdmittedIsNotHammered(t *testing.T) {
	t.Parallel()
	wall, h := testHost(t), testHost(t)
	wall.Admit(func(Key) bool { return false })
	require.NoError(t, h.Meet(wall.Addresses()[0]))
	testRoom(t, h, wall.Key())
	attempts := func() int {
		h.book.mu.Lock()
		defer h.book.mu.Unlock()
		return h.book.contacts[wall.id].fails
	}
	start := time.Now()
	for attempts() < 5 {
		require.Less(t, time.Since(start), patience)
		time.Sleep(10 * time.Millisecond)
	}
	require.Greater(t, time.Since(start), 1100*time.Millisecond, "pauses of 0.1, 0.2, 0.4, 0.8 seconds, a quarter more or less")
}

func TestMembersFindRoomInAFullBook(t *testing.T) {
	t.Parallel()
	h := testHost(t)
	for range maxHeard {
		p, err := testIdentity(t).Key().peerID()
		require.NoError(t, err)
		h.book.want(p)
	}
	heard := testIdentity(t)
	p, err := heard.Key().peerID()
	require.NoError(t, err)
	key, err := heard.libp2p()
	require.NoError(t, err)
	envelope, err := record.Seal(&peer.PeerRecord{PeerID: p, Seq: 1}, key)
	require.NoError(t, err)
	sealed, err := envelope.Marshal()
	require.NoError(t, err)
	require.Empty(t, h.book.learn(sealed, p))
	require.NoError(t, h.book.meet(Address{heard.Key(), p, ma.StringCast("/ip4/127.0.0.1/tcp/1")}))
	require.Len(t, h.book.contacts, maxHeard+1)
}

// Only a peer itself says where it is, and its newer word counts.
func TestRecordsAreBelievedOnlyFromTheirOwner(t *testing.T) {
	t.Parallel()
	h, third := testHost(t), testIdentity(t)
	p, err := third.Key().peerID()
	require.NoError(t, err)
	from, err := testIdentity(t).Key().peerID()
	require.NoError(t, err)
	sealed := func(signer Identity, about peer.ID, seq uint64, addresses ...string) []byte {
		var where []ma.Multiaddr
		for _, a := range addresses {
			where = append(where, ma.StringCast(a))
		}
		key, err := signer.libp2p()
		require.NoError(t, err)
		envelope, err := record.Seal(&peer.PeerRecord{PeerID: about, Addrs: where, Seq: seq}, key)
		require.NoError(t, err)
		b, err := envelope.Marshal()
		require.NoError(t, err)
		return b
	}
	where := func() string { return fmt.Sprint(h.book.contacts[p].signed) }
	require.Empty(t, h.book.learn([]byte("nonsense"), from))
	require.Empty(t, h.book.learn(sealed(testIdentity(t), p, 5, "/ip4/127.0.0.1/tcp/1"), from), "signed by another")
	forged := sealed(third, p, 5, "/ip4/127.0.0.1/tcp/1")
	forged[len(forged)-1] ^= 1
	require.Empty(t, h.book.learn(forged, from))
	require.Empty(t, h.book.contacts)

	require.Equal(t, p, h.book.learn(sealed(third, p, 5, "/ip4/127.0.0.1/tcp/1", "/ip4/8.8.8.8/tcp/1", "/dns4/a/tcp/1"), from))
	require.Equal(t, "[/ip4/127.0.0.1/tcp/1]", where(), "only local numbers are kept")
	require.Empty(t, h.book.learn(sealed(third, p, 4, "/ip4/127.0.0.1/tcp/2"), from), "older hearsay")
	require.Equal(t, p, h.book.learn(sealed(third, p, 6, "/ip4/127.0.0.1/tcp/3"), from))
	require.Equal(t, p, h.book.learn(sealed(third, p, 2, "/ip4/127.0.0.1/tcp/4"), p), "its own word, after its clock was set back")
	require.Equal(t, "[/ip4/127.0.0.1/tcp/4]", where())
	h.Admit(func(Key) bool { return false })
	require.Empty(t, h.book.learn(sealed(third, p, 9, "/ip4/127.0.0.1/tcp/5"), p), "not admitted")
}

func TestTopicsAreOursAndBounded(t *testing.T) {
	f := &topics{known: map[string]bool{}}
	require.False(t, f.CanSubscribe("other/topic"))
	require.False(t, f.CanSubscribe("standoff/table/12"))
	require.True(t, f.CanSubscribe("standoff/lobby"))
	require.True(t, f.CanSubscribe(topicName([32]byte{})))
	for i := range 2 * maxTopics {
		f.filter(topicName([32]byte{1, byte(i), byte(i >> 8)}))
	}
	require.Len(t, f.known, maxTopics)
	require.True(t, f.CanSubscribe(topicName([32]byte{9})), "this host's own rooms always")
	require.True(t, strings.HasPrefix(topicName([32]byte{9}), "standoff/table/09"))
}
