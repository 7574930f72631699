package node

import (
	"flag"
	"os"
	"runtime"
	"strconv"
	"testing"
)

// TestMain runs the tests eight at a time: what they do most is to wait, for heartbeats, pauses and limits.
func TestMain(m *testing.M) {
	flag.Parse()
	flag.Set("test.parallel", strconv.Itoa(max(8, runtime.GOMAXPROCS(0))))
	os.Exit(m.Run())
}
