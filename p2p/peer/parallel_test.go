package peer

import (
	"flag"
	"os"
	"runtime"
	"strconv"
	"testing"
)

// TestMain runs the tests four at a time: half of what they do is to wait for limits.
func TestMain(m *testing.M) {
	flag.Parse()
	flag.Set("test.parallel", strconv.Itoa(max(4, runtime.GOMAXPROCS(0))))
	os.Exit(m.Run())
}
