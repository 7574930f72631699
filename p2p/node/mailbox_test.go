package node

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestMailboxKeepsTheNewestBeatAndTheOrderOfTheRest(t *testing.T) {
	m := newMailbox(func(int) {})
	a, b := Key{1}, Key{2}
	m.put(Beat{a, []byte("1")})
	m.put(Packet{From: a, Bytes: []byte("p")})
	m.put(Up{a})
	m.put(Beat{b, []byte("2")})
	m.put(Beat{a, []byte("3")})
	m.put(Down{a, "gone"})
	var got []Event
	for e := m.take(); e != nil; e = m.take() {
		got = append(got, e)
	}
	require.Equal(t, []Event{
		Beat{a, []byte("3")}, Packet{From: a, Bytes: []byte("p")}, Beat{b, []byte("2")}, Down{a, "gone"},
	}, got)
	require.Empty(t, m.beats)
	require.Empty(t, m.state)
	require.Empty(t, m.held)
}

func TestAFloodLosesOnlyItsOwnPackets(t *testing.T) {
	dropped := 0
	m := newMailbox(func(n int) { dropped += n })
	flood, quiet := Key{1}, Key{2}
	for range maxWaiting + 100 {
		m.put(Packet{From: flood, Bytes: make([]byte, 10)})
	}
	m.put(Packet{From: quiet, Bytes: []byte("heard")})
	for range 200 {
		m.put(Packet{From: Key{3}, Bytes: make([]byte, MaxPacket)})
	}
	large := maxWaitingBytes / MaxPacket
	require.Equal(t, 100+200-large, dropped)
	packets, heard, lost := 0, false, 0
	for e := m.take(); e != nil; e = m.take() {
		switch e := e.(type) {
		case Packet:
			packets++
			heard = heard || e.From == quiet
		case Lost:
			lost += e.Packets
		}
	}
	require.Equal(t, maxWaiting+1+large, packets)
	require.True(t, heard)
	require.Equal(t, dropped, lost)
	m.put(Packet{From: flood, Bytes: []byte{1}})
	require.Equal(t, Packet{From: flood, Bytes: []byte{1}}, m.take())
}

func TestMailboxDeliversUntilDone(t *testing.T) {
	m := newMailbox(func(int) {})
	out, done := make(chan Event), make(chan struct{})
	go m.deliver(out, done)
	go m.put(Up{Key{1}})
	require.Equal(t, Up{Key{1}}, <-out)
	m.put(Up{Key{2}}) // nobody takes it
	close(done)
	select {
	case <-out:
		_, open := <-out
		require.False(t, open)
	case <-time.After(5 * time.Second):
		t.Fatal("deliver did not end")
	}
}
