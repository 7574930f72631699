package table

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/engine"
)

// mortals is a table of programs that are killed at any moment: while they write their journal, before they send what
// it has, when they have told some of the others. What is on its way to them is lost. They start again from the
// journal, ask whoever is there, and speak when somebody has answered, as package peer does it. A program that has the
// end goes when everybody who is there has it.
type mortals struct {
	*network
	rng    *rand.Rand
	diary  diary
	life   [MaxSeats]life
	back   [MaxSeats]time.Duration // when who is down starts again
	deaths int
	most   int           // deaths in all
	long   time.Duration // that it is down, at most
	stays  bool          // who has the end stays until all have it
	lonely int           // that have found nobody any more
}

type life uint8

const (
	playing life = iota
	asking       // back, and silent until somebody has answered
	down
	left // with the end
)

func newMortals(t *testing.T, players int, seed uint64, options ...[2]string) *mortals {
	return &mortals{network: newNetwork(t, seatToys(t, players, seed, options...), seed, weather{}),
		rng: rand.New(source(seed, 7000)), most: 12, long: 3 * time.Second}
}

// do is what the program of seat i does when something has come in.
func (m *mortals) do(i int) {
	for range 1000 {
		tbl := m.tables[i]
		r := tbl.Ready()
		odds := 1000 // one in so many steps of a program is its last
		if tbl.st.stage >= atKeys {
			odds = 8
		}
		if m.deaths < m.most && m.life[i] != left && m.rng.IntN(odds) == 0 {
			m.die(i, r)
			return
		}
		m.diary.keep(i, r)
		m.faults = append(m.faults, r.Faults...)
		var happened []engine.Event
		for _, n := range r.News {
			if n.Kind == NewsHappened {
				happened = append(happened, n.Event)
			}
		}
		m.bots[i].Watch(happened)
		for _, p := range r.Send {
			m.broadcast(i, p)
		}
		if r.Fetch != nil {
			m.ask(i, m.rng.IntN(len(m.tables)), r.Fetch)
		}
		if !r.Ask || !tbl.Asked() {
			return
		}
		v, _ := tbl.View()
		require.NoError(m.t, tbl.Act(m.bots[i].Act(v, v.Legal())))
	}
	require.Fail(m.t, "no rest", "seat %d", i)
}

// die ends a program somewhere in what it had to do.
func (m *mortals) die(i int, r Ready) {
	m.deaths++
	m.life[i], m.back[i] = down, m.now+time.Duration(1+m.rng.Int64N(int64(m.long)))
	rest := m.mail[:0]
	for _, l := range m.mail {
		if l.to != i {
			rest = append(rest, l)
		}
	}
	m.mail = rest
	saved := m.rng.IntN(2*len(r.Save) + 2)
	m.diary.records[i] = append(m.diary.records[i], r.Save[:min(saved, len(r.Save))]...)
	if saved < len(r.Save) {
		return
	}
	for _, p := range r.Send {
		for to := range m.tables {
			if m.rng.IntN(3) == 0 {
				return
			}
			m.post(i, to, p)
		}
	}
}

func (m *mortals) broadcast(from int, packet []byte) {
	for to := range m.tables {
		if to != from {
			m.post(from, to, packet)
		}
	}
}

func (m *mortals) post(from, to int, packet []byte) {
	if from != to && m.life[to] < down {
		m.mail = append(m.mail, letter{from, to, packet})
	}
}

// ask puts a question to a program, if it is there, and takes in what it answers.
func (m *mortals) ask(i, to int, question []byte) bool {
	if to == i || m.life[to] >= down {
		return false
	}
	answer, err := m.tables[to].Serve(question)
	require.NoError(m.t, err)
	for _, p := range answer {
		m.tables[i].Receive(p)
	}
	return true
}

// rise starts a program again.
func (m *mortals) rise(i int) {
	tbl, err := Resume(Config{Roster: m.seats.roster, Rules: rulesOf, Identity: m.seats.keys[i], Rand: source(uint64(m.deaths), uint64(1000+i)), Suite: m.seats.suite}, m.diary.records[i])
	require.NoError(m.t, err)
	require.False(m.t, tbl.mute, "seat %d does not trust its own journal", i)
	m.tables[i], m.life[i] = tbl, asking
}

// ticks lets a tenth of a second pass.
func (m *mortals) ticks() {
	m.now += 100 * time.Millisecond
	for i := range m.tables {
		if m.life[i] == down && m.now >= m.back[i] {
			m.rise(i)
		}
		if m.life[i] == asking {
			answered := false
			for to := range m.tables {
				answered = m.ask(i, to, m.tables[i].Want()) || answered
			}
			if answered {
				m.life[i] = playing
				require.NoError(m.t, m.tables[i].Start())
				m.do(i)
			}
		}
		if m.life[i] == playing {
			m.tables[i].Tick(m.now)
			m.do(i)
		}
	}
}

// alone reports whether a seat is the last that has not gone.
func (m *mortals) alone(i int) bool {
	for j := range m.tables {
		if j != i && m.life[j] != left {
			return false
		}
	}
	return true
}

func (m *mortals) finished() bool {
	for _, tbl := range m.tables {
		if tbl.end == nil {
			return false
		}
	}
	return true
}

func (m *mortals) rounds() (sum uint32) {
	for _, tbl := range m.tables {
		sum += tbl.st.round
	}
	return sum
}

// part lets those go who may.
func (m *mortals) part() {
	for i := range m.tables {
		if m.life[i] != playing && m.life[i] != left {
			if m.life[i] == asking || m.stays {
				return
			}
			continue
		}
		if m.tables[i].end == nil {
			return
		}
	}
	for i := range m.tables {
		if m.life[i] == playing {
			m.life[i] = left
		}
	}
}

// play runs the game until all have the end, or until whoever has not got it is alone.
func (m *mortals) play() {
	for i, tbl := range m.tables {
		m.diary.keep(i, tbl.Ready())
		require.NoError(m.t, tbl.Start())
		m.do(i)
	}
	for quiet, last := 0, uint32(0); !m.finished(); {
		if len(m.mail) == 0 || m.rng.IntN(40) == 0 {
			m.ticks()
			m.part()
			quiet++
			if sum := m.rounds(); sum != last {
				quiet, last = 0, sum
			}
			if quiet > 1000 {
				for i, tbl := range m.tables {
					m.t.Log(m.life[i], tbl.dump())
				}
				require.Fail(m.t, "hung", "at %v after %d deaths", m.now, m.deaths)
			}
			for i, tbl := range m.tables {
				if m.life[i] == asking && m.alone(i) {
					require.True(m.t, tbl.Conclude(), "seat %d", i)
					m.diary.keep(i, tbl.Ready())
					m.life[i] = left
					m.lonely++
				}
			}
			continue
		}
		k := 0
		if m.rng.IntN(4) == 0 {
			k = m.rng.IntN(len(m.mail))
		}
		l := m.mail[k]
		m.mail = append(m.mail[:k], m.mail[k+1:]...)
		m.tables[l.to].Receive(l.packet)
		if m.life[l.to] == playing {
			m.do(l.to)
		}
	}
}

// TestKilledAtAnyMoment kills programs in the middle of a game and above all in its last moments, when others may have
// the end and be gone. Nobody is blamed or taken out, nobody waits for ever, and all have the same transcript; who finds
// nobody any more comes to the end by its journal alone.
func TestKilledAtAnyMoment(t *testing.T) {
	t.Parallel()
	deaths, lonely := 0, 0
	for seed := range uint64(4) {
		m := newMortals(t, 4+int(seed%3), 8000+seed, [2]string{"grace", "60s"}, [2]string{"clock", "none"})
		m.stays = seed%2 == 0
		m.play()
		require.Empty(t, m.faults)
		file := m.tables[0].Transcript()
		for i, tbl := range m.tables {
			require.Equal(t, Finished, tbl.end.Result)
			require.Equal(t, file, tbl.Transcript(), "seed %d, seat %d", seed, i)
			if i != int(seed)%len(m.tables) {
				continue
			}
			last := m.diary.records[i]
			for last[len(last)-1].Kind != RecordOwn { // its seal of the result
				last = last[:len(last)-1]
			}
			m.diary.records[i] = last
			m.rise(i)
			require.Nil(t, m.tables[i].end)
			require.True(t, m.tables[i].Conclude(), "seed %d, seat %d", seed, i)
			require.Equal(t, file, m.tables[i].Transcript())
			m.diary.records[i] = last[:len(last)-1]
			m.rise(i)
			require.False(t, m.tables[i].Conclude(), "without that seal the others may still wait for it")
		}
		require.Equal(t, Seats(1<<len(m.tables)-1), m.tables[0].st.members)
		deaths, lonely = deaths+m.deaths, lonely+m.lonely
	}
	t.Logf("%d programs killed, %d have found nobody any more", deaths, lonely)
}
