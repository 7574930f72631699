// Package chaos is for tests alone: rounds that every host of a group plays in its own time, while the connections
// between them fall.
package chaos

import (
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"standoff/p2p/node"
)

const (
	cuts    = 3                      // connections in each round, so that even a slow machine is not cut off for ever
	longest = 200 * time.Millisecond // pause before a cut, and before a host goes on
)

// Play lets every host enter so many rounds, one after the other. Nobody leaves one before all have been in it, for
// whoever leaves sooner is missed there for ever; then each goes on after a pause of its own. Enter returns how host
// number i leaves round n, or nil when it did not get in and has said so to the test.
func Play(t testing.TB, hosts []*node.Host, rounds int, enter func(i, n int) (leave func())) {
	t.Helper()
	orders, fallen := make(chan struct{}, cuts), 0
	var chaos, all sync.WaitGroup
	chaos.Go(func() {
		for range orders {
			time.Sleep(rand.N(longest))
			a, b := hosts[rand.IntN(len(hosts))], hosts[rand.IntN(len(hosts))].Key()
			a.Admit(func(k node.Key) bool { return k != b })
			a.Admit(func(node.Key) bool { return true })
			fallen++
		}
	})
	together := make([]sync.WaitGroup, rounds)
	for n := range together {
		together[n].Add(len(hosts))
	}
	for i := range hosts {
		all.Go(func() {
			for n := range together {
				for more := i == 0; more; {
					select {
					case orders <- struct{}{}:
					default:
						more = false
					}
				}
				leave := enter(i, n)
				together[n].Done()
				together[n].Wait()
				if leave != nil {
					time.Sleep(rand.N(longest))
					leave()
				}
			}
		})
	}
	all.Wait()
	close(orders)
	chaos.Wait()
	t.Logf("%d rounds, %d connections cut", rounds, fallen)
}
