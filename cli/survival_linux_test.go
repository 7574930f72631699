package cli

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/p2p/table"
)

// byName is how the others find the table where nothing stands in the way.
var byName = [3]string{"name", "name", "name"}

// TestNamespacesSurvive plays on four machines, each of them the program itself, and lets happen to one of them, or to
// all, what happens on a home network. Whoever is at the table at the end has the same transcript, byte for byte, and
// it verifies. STANDOFF_SURVIVAL=1 plays all cases but the two longest, STANDOFF_SURVIVAL=all these too; otherwise two
// are played.
func TestNamespacesSurvive(t *testing.T) {
	t.Parallel()
	const always, asked, long = 0, 1, 2
	level := map[string]int{"1": asked, "all": long}[os.Getenv("STANDOFF_SURVIVAL")]
	for _, c := range []struct {
		name string
		when int
		play func(*network)
	}{
		{"killed and started again at once", asked, killedAndStarted},
		{"killed, taken out, started again", asked, killedAndTakenOut},
		{"all killed and started again", always, allKilled},
		{"all killed, all get other addresses", asked, allMoved},
		{"killed while the cards are shuffled", asked, killedEarly},
		{"killed, with an old copy of the journal", asked, oldJournal},
		{"two killed at once", asked, twoKilled},
		{"killed, with the bots on that machine", asked, killedWithBots},
		{"left and come back", asked, leftAndBack},
		{"asleep for ten seconds", asked, asleep},
		{"unplugged for ten seconds, waited for", asked, unpluggedWaitedFor},
		{"unplugged for ten seconds, taken out", asked, func(n *network) { unpluggedTakenOut(n, 10*time.Second) }},
		{"unplugged for a minute, taken out", long, func(n *network) { unpluggedTakenOut(n, time.Minute) }},
		{"unplugged for good", always, unpluggedForGood},
		{"the switch is off for ten seconds", asked, switchOff},
		{"two do not hear each other", asked, deafToEachOther},
		{"two and two apart for ten seconds", asked, twoAndTwo},
		{"one trouble after another", long, stormy},
		{"every tenth packet lost", asked, everyTenthLost},
		{"no multicast", asked, noMulticast},
		{"two networks, one goes", asked, oneNetworkGoes},
		{"another address", asked, newLease},
	} {
		t.Run(c.name, func(t *testing.T) {
			if testing.Short() || c.when > level {
				t.Skip("takes its time: STANDOFF_SURVIVAL=1 plays all but two, STANDOFF_SURVIVAL=all these too")
			}
			t.Parallel()
			c.play(newNetwork(t, 4))
		})
	}
}

// Who is back within the grace has missed nothing.
func killedAndStarted(n *network) {
	p := n.sit(byName, "grace=60s")
	p.seats[2].kill()
	p.seats[2].start("resume")
	p.goesOn(2, p.seats...)
	require.Empty(n.t, p.finish(p.seats...).Moves)
}

// The one who is killed has opened the table; the others go on without, and take it in again.
func killedAndTakenOut(n *network) {
	p := n.sit(byName, "grace=3s")
	p.seats[0].kill()
	p.moved("removed", p.seats[0], p.since, p.but(0)...)
	p.goesOn(1, p.but(0)...)
	again := time.Now()
	p.seats[0].start("resume")
	p.moved("returned", p.seats[0], again, p.but(0)...)
	p.goesOn(2, p.seats[1], p.seats[2], p.seats[3], p.seats[0])
	n.outAndIn(p, 0, p.finish(p.seats[1], p.seats[2], p.seats[3], p.seats[0]))
}

// outAndIn checks that a transcript says of a seat that it was taken out for its silence and came back.
func (n *network) outAndIn(p *party, i int, v *verdict) {
	n.t.Helper()
	var moves []moveVerdict
	for _, m := range v.Moves {
		if m.Nick == p.seats[i].nick {
			moves = append(moves, m)
		}
	}
	require.GreaterOrEqual(n.t, len(moves), 2)
	require.Equal(n.t, "silence", moves[0].Reason)
	require.True(n.t, moves[1].Back)
}

// The power fails for all; they come back in another order.
func allKilled(n *network) {
	p := n.sit(byName, "grace=60s")
	for _, m := range p.seats {
		m.kill()
	}
	for _, i := range []int{3, 1, 0, 2} {
		p.seats[i].start("resume")
	}
	p.goesOn(2, p.seats...)
	require.Empty(n.t, p.finish(p.seats...).Moves)
}

func unpluggedWaitedFor(n *network) {
	p := n.sit(byName, "grace=60s")
	p.cut(3)
	time.Sleep(10 * time.Second)
	p.heal(3)
	p.goesOn(2, p.seats...)
	require.Empty(n.t, p.finish(p.seats...).Moves)
}

// The seat comes back without being told to.
func unpluggedTakenOut(n *network, apart time.Duration) {
	p := n.sit(byName, "grace=3s")
	p.cut(3)
	plug := time.After(apart)
	p.moved("removed", p.seats[2], p.since, p.but(2)...)
	p.goesOn(1, p.but(2)...)
	<-plug
	again := time.Now()
	p.heal(3)
	p.moved("returned", p.seats[2], again, p.seats...)
	p.goesOn(2, p.seats...)
	n.outAndIn(p, 2, p.finish(p.seats...))
}

// The others finish; the one that is alone says for whom it waits.
func unpluggedForGood(n *network) {
	p := n.sit(byName, "grace=3s")
	p.cut(3)
	p.moved("removed", p.seats[2], p.since, p.but(2)...)
	p.until(p.seats[2], 0, "that others are silent", func(u utterance) bool { return u.Type == "silent" })
	v := p.finish(p.but(2)...)
	require.NotEmpty(n.t, v.Moves)
	require.Equal(n.t, "silence", v.Moves[0].Reason)
	require.False(n.t, p.seats[2].gone())
	n.t.Logf("the seat that is alone waits for %v", p.seats[2].waitsFor())
	require.NotEmpty(n.t, p.seats[2].waitsFor())
}

func everyTenthLost(n *network) {
	p := n.sit(byName, "grace=60s")
	p.lose(10)
	p.goesOn(4, p.seats...)
	p.finish(p.seats...)
	n.t.Logf("%d packets were lost", p.lost())
	require.Positive(n.t, p.lost())
}

func noMulticast(n *network) {
	for i := range 4 {
		n.deaf(i + 1)
	}
	p := n.sit([3]string{"code", "address", "code"}, "grace=60s")
	p.goesOn(2, p.seats...)
	p.seats[1].kill() // nobody tells where the others are but the journal
	p.seats[1].start("resume")
	p.goesOn(2, p.seats...)
	require.Empty(n.t, p.finish(p.seats...).Moves)
}

// What went by one network goes by the other when a cable is unplugged, and back again.
func oneNetworkGoes(n *network) {
	n.second(4)
	p := n.sit(byName, "grace=60s")
	p.cut(3)
	p.goesOn(2, p.seats...)
	p.heal(3)
	p.goesOn(4, p.seats...)
	p.hub("link", "set", "q3", "down")
	p.goesOn(2, p.seats...)
	require.Empty(n.t, p.finish(p.seats...).Moves)
}

func newLease(n *network) {
	p := n.sit(byName, "grace=60s")
	p.moveTo(3, 103)
	p.goesOn(2, p.seats...)
	require.Empty(n.t, p.finish(p.seats...).Moves)
}

func allMoved(n *network) {
	p := n.sit(byName, "grace=60s")
	for i, m := range p.seats {
		m.kill()
		p.moveTo(i+1, 100+i)
	}
	for _, m := range p.seats {
		m.start("resume")
	}
	p.goesOn(2, p.seats...)
	require.Empty(n.t, p.finish(p.seats...).Moves)
}

func killedEarly(n *network) {
	p := n.begin(byName, "grace=60s")
	time.Sleep(rand.N(time.Second))
	p.seats[1].kill()
	p.seats[1].start("resume")
	p.goesOn(2, p.seats...)
	require.Empty(n.t, p.finish(p.seats...).Moves)
}

// What the seat has said since the copy was made it does not know. It says nothing else in its place: where the others
// cannot show it all of that, it asks to be taken out, and comes back.
func oldJournal(n *network) {
	p := n.sit(byName, "grace=60s")
	m := p.seats[2]
	m.kill()
	older := filepath.Join(n.t.TempDir(), "older")
	require.NoError(n.t, exec.Command("cp", "-a", m.data, older).Run())
	m.start("resume")
	p.goesOn(2, p.seats...)
	m.kill()
	m.data = older
	m.start("resume")
	p.goesOn(2, p.seats...)
	for _, move := range p.finish(p.seats...).Moves {
		require.True(n.t, move.Back || move.Reason == table.Lost.String(), move)
	}
}

// More are gone than may be: the two that are left wait until one is back.
func twoKilled(n *network) {
	p := n.sit(byName, "grace=3s")
	p.seats[1].kill()
	p.seats[2].kill()
	for _, m := range []*machine{p.seats[0], p.seats[3]} {
		for _, other := range p.seats[1:3] {
			p.until(m, 0, "that it waits for "+other.nick, func(u utterance) bool { return u.Type == "silent" && u.Nick == other.nick })
		}
	}
	again := time.Now()
	p.seats[1].start("resume")
	p.moved("removed", p.seats[2], again, p.but(2)...)
	p.goesOn(1, p.but(2)...)
	again = time.Now()
	p.seats[2].start("resume")
	p.moved("returned", p.seats[2], again, p.but(2)...)
	p.goesOn(2, p.seats...)
	n.outAndIn(p, 2, p.finish(p.seats...))
}

// With a machine more seats are gone than may be: the others wait until it is back, and its bots with it.
func killedWithBots(n *network) {
	p := n.beginWithBots(2, byName, "grace=3s")
	p.goesOn(2, p.seats...)
	p.since = time.Now()
	p.seats[0].kill()
	p.until(p.seats[1], 0, "that it waits", func(u utterance) bool { return u.Type == "silent" && u.Nick == p.seats[0].nick })
	p.seats[0].start("resume")
	p.goesOn(2, p.seats...)
	p.finish(p.seats...)
}

func leftAndBack(n *network) {
	p := n.sit(byName, "grace=60s")
	m := p.seats[2]
	m.order(`{"leave":true}`)
	<-m.ended
	require.NoError(n.t, m.err)
	p.moved("removed", m, p.since, p.but(2)...)
	p.goesOn(1, p.but(2)...)
	again := time.Now()
	require.NoError(n.t, os.RemoveAll(filepath.Join(m.data, "transcripts")))
	m.start("resume")
	p.moved("returned", m, again, p.but(2)...)
	p.goesOn(2, p.seats...)
	p.finish(p.seats...)
}

// The lid of a notebook is closed: the connections stand, and nothing is said.
func asleep(n *network) {
	p := n.sit(byName, "grace=3s")
	p.seats[2].signal(syscall.SIGSTOP)
	p.moved("removed", p.seats[2], p.since, p.but(2)...)
	time.Sleep(time.Until(p.since.Add(10 * time.Second)))
	again := time.Now()
	p.seats[2].signal(syscall.SIGCONT)
	p.moved("returned", p.seats[2], again, p.seats...)
	p.goesOn(2, p.seats...)
	n.outAndIn(p, 2, p.finish(p.seats...))
}

// Nobody hears anybody, so nobody can be taken out.
func switchOff(n *network) {
	p := n.sit(byName, "grace=3s")
	p.hub("link", "set", "br0", "down")
	time.Sleep(10 * time.Second)
	p.hub("link", "set", "br0", "up")
	p.goesOn(2, p.seats...)
	p.finish(p.seats...)
}

// The others pass on what they say.
func deafToEachOther(n *network) {
	p := n.sit(byName, "grace=3s")
	p.between([]int{2}, []int{3})
	p.goesOn(4, p.seats...)
	p.finish(p.seats...)
}

// Neither half is enough to go on without the other.
func twoAndTwo(n *network) {
	p := n.sit(byName, "grace=3s")
	p.between([]int{1, 2}, []int{3, 4})
	time.Sleep(10 * time.Second)
	require.False(n.t, p.said("removed"), "nobody can be taken out")
	p.connect()
	p.goesOn(2, p.seats...)
	p.finish(p.seats...)
}

// Whatever befalls whomever, and before all are well again the next: when it is over all are at the table.
func stormy(n *network) {
	p := n.sit(byName, "grace=3s")
	for range 10 {
		i := rand.IntN(4)
		m, apart := p.seats[i], rand.N(8*time.Second)
		n.t.Logf("%v: trouble for %s, for %v", time.Since(p.since).Round(time.Second), m.nick, apart.Round(100*time.Millisecond))
		switch rand.IntN(4) {
		case 0:
			m.kill()
			time.Sleep(apart)
			m.start("resume")
		case 1:
			p.cut(i + 1)
			time.Sleep(apart)
			p.heal(i + 1)
		case 2:
			m.signal(syscall.SIGSTOP)
			time.Sleep(apart)
			m.signal(syscall.SIGCONT)
		case 3:
			p.moveTo(i+1, 100+20*i+rand.IntN(20))
		}
		time.Sleep(rand.N(3 * time.Second))
	}
	p.goesOn(2, p.seats...)
	p.finish(p.seats...)
}
