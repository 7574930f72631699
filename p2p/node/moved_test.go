package node_test

import (
	"bytes"
	"testing"
	"time"

	"standoff/p2p/node"
)

func TestAConnectionThatOnlyTheOtherSideHasGivenUpIsReplaced(t *testing.T) {
	t.Parallel()
	ids := identities(t, 2)
	first, second := ids[0].Key(), ids[1].Key()
	if bytes.Compare(first[:], second[:]) > 0 {
		ids[0], ids[1] = ids[1], ids[0] // the lower key dials again without a pause
	}
	b := sit(t, ids[1], keys(ids), seatConfig{})
	c := node.LayCable(t, b.host.Addresses()[0].Place(), "127.0.0.1")
	a := sit(t, ids[0], keys(ids), seatConfig{peers: []node.Address{c.Address(t, b.id.Key())}})
	ready(t, a, b)
	c.Broken.Store(true)
	c.Mute.Store(true)
	time.Sleep(1200 * time.Millisecond) // b hears a for longer than a hears b
	c.Deaf.Store(true)
	eventually(t, patience, "a misses b", func() bool { return a.hasMissed(b.id.Key()) })
	start := time.Now()
	eventually(t, patience, "both are back", func() bool { return a.hasUp(b.id.Key()) && b.hasUp(a.id.Key()) })
	t.Logf("back after %s", time.Since(start))
	b.write(t, "can you hear me?")
	agree(t, 1, a, b)
}
