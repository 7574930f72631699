package peer

import (
	"sync"
	"time"
)

// Late counts the games that have ended here and not yet everywhere. A program that goes may wait for them, so that
// somebody whose program is just starting again still finds the end.
type Late struct{ games sync.WaitGroup }

// Wait waits until every member has the end of every game, at most so long. It reports whether they have.
func (l *Late) Wait(most time.Duration) bool {
	all := make(chan struct{})
	go func() {
		l.games.Wait()
		close(all)
	}()
	select {
	case <-all:
		return true
	case <-time.After(most):
		return false
	}
}

// serveFor is how long the end of a game is served: long enough for somebody to notice that a program has gone, and to
// start it again.
const serveFor = 10 * time.Minute

// serve goes on answering those who do not have the end, until they have it, until serveFor is over or until the host
// closes. The table belongs to it from now on.
func (s *Seat) serve() {
	awaited := s.Late != nil && !s.allHave(s.t.Member)
	if awaited {
		s.Late.games.Add(1)
	}
	s.log = nil // it is over: nothing more is said that is not in it
	go func() {
		if awaited {
			defer s.Late.games.Done()
		}
		defer s.room.Close()
		tick := time.NewTicker(tickEvery)
		defer tick.Stop()
		for until := time.Now().Add(serveFor); !s.allHave(nil) && time.Now().Before(until); {
			select {
			case e, ok := <-s.room.Events():
				if !ok {
					return
				}
				s.hear(e)
			case <-tick.C:
				s.t.Tick(time.Since(s.start))
			}
			if s.send(true, s.t.Ready().Send) != nil {
				return
			}
		}
	}()
}
