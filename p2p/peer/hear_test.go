package peer

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"standoff/p2p/node"
)

// TestNobodyIsAskedAlone: what somebody says of its own log decides neither that it is asked nor that others are not.
func TestNobodyIsAskedAlone(t *testing.T) {
	a, b, c, d := node.Key{1}, node.Key{2}, node.Key{3}, node.Key{4}
	stands := map[node.Key]uint32{d: 7, b: 7, a: math.MaxUint32, c: 6}
	require.Equal(t, []node.Key{a, b, d}, helpers(stands, 7))
	require.Equal(t, []node.Key{a, b, c, d}, helpers(stands, 0))
	require.Equal(t, []node.Key{b, c}, helpers(map[node.Key]uint32{c: 1, b: 0}, 7), "better one that is behind than nobody")
	require.Empty(t, helpers(nil, 7))
}
