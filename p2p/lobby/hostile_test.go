package lobby

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/p2p/node"
	"standoff/p2p/table"
)

var suite = table.NewRistretto(rand.Reader)

func newPlayer(t testing.TB, nick string) Player {
	id, err := node.Throwaway()
	require.NoError(t, err)
	return Player{Suite: suite, Identity: id, Rand: rand.Reader, Nick: nick}
}

func newOffer(seats int) table.Offer {
	return table.Offer{Name: "saloon", Rules: table.RulesVersion, Sets: []string{"base"}, Options: [][2]string{{"a", "b"}}, Seats: uint8(seats)}
}

// pair is an opener and guests that sit at its table, without a network.
func pair(t testing.TB, guests int) (*Opener, []*Guest) {
	o, err := NewOpener(newPlayer(t, "Ana"), newOffer(guests+1), 1, Countdown)
	require.NoError(t, err)
	var all []*Guest
	for i := range guests {
		g, err := NewGuest(newPlayer(t, fmt.Sprint("guest ", i)), o.me, 0)
		require.NoError(t, err)
		all = append(all, g)
	}
	exchange(0, o, all)
	return o, all
}

func exchange(now time.Duration, o *Opener, all []*Guest) {
	for range 8 {
		for _, g := range all {
			for _, l := range g.Out().Send {
				if l.To == o.me {
					o.Receive(now, g.me, l.Bytes)
				}
			}
		}
		for _, l := range o.Out().Send {
			for _, g := range all {
				if g.me == l.To {
					g.Receive(now, o.me, l.Bytes)
				}
			}
		}
	}
}

// Each row is something an opener might do with the power it has not got. The guest is ready, the countdown runs.
func TestAGuestBelievesTheHostOnlyWhatIsSigned(t *testing.T) {
	for name, lie := range map[string]func(o *Opener, st *state){
		"a game without a roster":      func(o *Opener, st *state) { st.Phase, st.Roster = Begun, nil },
		"a roster of rubbish":          func(o *Opener, st *state) { st.Phase, st.Roster = Begun, []byte{1, 2, 3} },
		"a game with somebody unready": func(o *Opener, st *state) { st.Phase, st.Roster = Begun, rosterOf(t, o); st.Seats[2].Join = nil },
		"another player in the roster": func(o *Opener, st *state) {
			st.Phase = Begun
			joins := [][]byte{st.Seats[0].Join, st.Seats[1].Join}
			p := newPlayer(t, "guest 1")
			join, err := p.join(o.n.hash)
			require.NoError(t, err)
			st.Roster, err = table.SignRoster(suite, st.Offer, append(joins, join), o.Identity.Secret())
			require.NoError(t, err)
		},
		"an offer of somebody else": func(o *Opener, st *state) {
			p := newPlayer(t, "Eva")
			var err error
			st.Offer, err = table.SignOffer(suite, newOffer(3), p.Identity.Secret(), rand.Reader)
			require.NoError(t, err)
		},
		"an offer altered":         func(o *Opener, st *state) { st.Offer = bytes.Replace(st.Offer, []byte("saloon"), []byte("salOon"), 1) },
		"a join for another offer": func(o *Opener, st *state) { st.Seats[1].Join, _ = o.join(table.Hash{9}) },
		"a seat that nobody took":  func(o *Opener, st *state) { st.Seats[2].Key = newPlayer(t, "x").Identity.Key() },
		"a card altered": func(o *Opener, st *state) {
			st.Seats[2].Card = bytes.Replace(st.Seats[2].Card, []byte("guest"), []byte("guesT"), 1)
		},
		"one player in two seats":   func(o *Opener, st *state) { st.Seats[2] = st.Seats[0] },
		"more seats than offered":   func(o *Opener, st *state) { st.Seats = append(st.Seats, st.Seats[0]) },
		"a phase that there is not": func(o *Opener, st *state) { st.Phase = 9 },
		"a name that moves cursors": func(o *Opener, st *state) { st.Gone = []departure{{Nick: "\x1b[2J"}} },
		"a game without this guest": func(o *Opener, st *state) { st.Phase, st.Seats = Begun, st.Seats[:1] },
	} {
		t.Run(name, func(t *testing.T) {
			o, guests := pair(t, 2)
			for _, g := range guests {
				require.NoError(t, g.Ready(0, true))
			}
			require.NoError(t, o.Ready(0, true))
			exchange(0, o, guests)
			require.Equal(t, Counting, guests[0].View().Phase)

			st := o.n.clone().state
			st.Serial += 10
			lie(o, &st)
			guests[0].Receive(0, o.me, packet(kindState, st))
			require.NotNil(t, guests[0].End())
			require.Contains(t, []Reason{BadHost, Running}, guests[0].End().Reason)
			require.NotEqual(t, Begun, guests[0].View().Phase)
		})
	}
	// The same state without a lie is believed.
	o, guests := pair(t, 2)
	for _, g := range guests {
		require.NoError(t, g.Ready(0, true))
	}
	require.NoError(t, o.Ready(0, true))
	exchange(0, o, guests)
	st := o.n.clone().state
	st.Serial, st.Phase, st.Roster = st.Serial+10, Begun, rosterOf(t, o)
	guests[0].Receive(0, o.me, packet(kindState, st))
	require.Nil(t, guests[0].End())
	require.Equal(t, Begun, guests[0].View().Phase)
}

func rosterOf(t *testing.T, o *Opener) []byte {
	var joins [][]byte
	for _, p := range o.n.Seats {
		joins = append(joins, p.Join)
	}
	r, err := table.SignRoster(suite, o.n.Offer, joins, o.Identity.Secret())
	require.NoError(t, err)
	return r
}

// A signature given and taken back long ago begins no game.
func TestAHostCannotKeepAnOldSignatureForLater(t *testing.T) {
	o, guests := pair(t, 2)
	for _, g := range guests {
		require.NoError(t, g.Ready(0, true))
	}
	require.NoError(t, o.Ready(0, true))
	exchange(0, o, guests)
	st := o.n.clone().state
	st.Serial, st.Phase, st.Roster = st.Serial+10, Begun, rosterOf(t, o)
	require.NoError(t, guests[0].Ready(time.Second, false))
	guests[0].Receive(time.Minute, o.me, packet(kindState, st))
	require.Equal(t, BadHost, guests[0].End().Reason)
}

// What a peer sends in another's name, or for itself what is not its own, changes nothing.
func TestTheHostGrantsNobodyWhatIsAnothers(t *testing.T) {
	o, guests := pair(t, 2)
	before := encode(o.n.state)
	stranger := newPlayer(t, "stranger")
	card, err := stranger.card(RoomOf(o.me))
	require.NoError(t, err)
	elsewhere, err := stranger.card(RoomOf(stranger.Identity.Key()))
	require.NoError(t, err)
	join, err := stranger.join(o.n.hash)
	require.NoError(t, err)
	for _, b := range [][]byte{
		packet(kindWish, wish{Card: card}),                          // another's card
		packet(kindWish, wish{Card: elsewhere}),                     // for another table
		packet(kindWish, wish{Card: o.n.Seats[1].Card, Join: join}), // another's join
		packet(kindWish, wish{Card: bytes.Repeat([]byte{1}, maxCard+1)}),
		packet(kindState, o.n.state), packet(kindRefuse, refuse{Reason: Full}), packet(99, 1),
		nil, {0xff}, bytes.Repeat([]byte{0x81}, 1000),
	} {
		o.Receive(0, guests[0].me, b)
		require.Equal(t, before, encode(o.n.state))
	}
	for _, l := range o.Out().Send {
		require.LessOrEqual(t, len(l.Bytes), 64, "refusals are short")
	}
	// Neither does a stranger speak, nor leave for somebody.
	o.Receive(0, stranger.Identity.Key(), packet(kindTell, "hello"))
	o.Receive(0, stranger.Identity.Key(), packet(kindBye, struct{}{}))
	require.Empty(t, o.Out().News)
	require.Equal(t, before, encode(o.n.state))
	// Another version is told what this one speaks.
	old := Card{Room: RoomOf(o.me), Protocol: table.Version + 1, Rules: "standoff-rules/99", Nick: "old"}
	signedOld, err := signCard(suite, old, stranger.Identity)
	require.NoError(t, err)
	o.Receive(0, stranger.Identity.Key(), packet(kindWish, wish{Card: signedOld}))
	m, err := open(o.Out().Send[0].Bytes)
	require.NoError(t, err)
	var r refuse
	require.NoError(t, decode(m.Body, &r))
	require.Equal(t, refuse{Reason: OtherVersion, Detail: fmt.Sprintf("protocol %d, %s", table.Version, table.RulesVersion)}, r)
}

func TestAFloodIsBounded(t *testing.T) {
	o, guests := pair(t, 2)
	p := newPlayer(t, "flood")
	card, err := p.card(RoomOf(newPlayer(t, "x").Identity.Key()))
	require.NoError(t, err)
	b := packet(kindWish, wish{Card: card})
	for range 1000 {
		o.Receive(time.Second, p.Identity.Key(), b)
	}
	require.LessOrEqual(t, len(o.Out().Send), 20)
	for range 1000 {
		o.Receive(time.Second, guests[0].me, packet(kindTell, strings.Repeat("x", MaxTell)))
	}
	require.Len(t, o.Out().News, tellBurst)
	for i := range 500 {
		o.Receive(time.Second, node.Key{byte(i), byte(i >> 8)}, b)
	}
	require.LessOrEqual(t, len(o.wishes), maxMeters)
}

func TestAMeterAllowsABurstAndThenARate(t *testing.T) {
	var m meter
	for i := range 10 {
		require.Equal(t, i < 5, m.allow(0, 5, 1))
	}
	require.False(t, m.allow(900*time.Millisecond, 5, 1))
	require.True(t, m.allow(1100*time.Millisecond, 5, 1))
	require.False(t, m.allow(1100*time.Millisecond, 5, 1))
}

func TestNoticesAreCheckedAndFitABeat(t *testing.T) {
	n := Notice{Version: Version, Protocol: table.Version, Rules: table.RulesVersion, Name: strings.Repeat("n", MaxName), Seats: 7, Taken: 7, Phase: Gathering, Sets: []string{"base"}}
	for range 7 {
		n.Players = append(n.Players, strings.Repeat("p", MaxNick))
	}
	for i := range 60 {
		n.Changed = append(n.Changed, [2]string{fmt.Sprint("option", i), "value"})
	}
	b := n.encode()
	require.LessOrEqual(t, len(b), maxNotice)
	require.LessOrEqual(t, len(b), node.MaxBeat)
	got, err := readNotice(b)
	require.NoError(t, err)
	require.True(t, got.More)
	require.NotEmpty(t, got.Changed)
	require.Equal(t, n.Players, got.Players)
	got, ok := readNote(n.note())
	require.True(t, ok)
	require.Equal(t, [3]any{n.Name, n.Taken, n.Seats}, [3]any{got.Name, got.Taken, got.Seats})
	for _, bad := range []func(*Notice){
		func(n *Notice) { n.Name = "\x1b" }, func(n *Notice) { n.Phase = 0 }, func(n *Notice) { n.Taken = 8 },
		func(n *Notice) { n.Seats = 99 }, func(n *Notice) { n.Players = []string{"a\nb"} }, func(n *Notice) { n.Rules = "\a" },
	} {
		m := n
		m.Changed = nil
		bad(&m)
		_, err := readNotice(encode(m))
		require.Error(t, err)
	}
	_, ok = readNote([]string{"seats 3/5"})
	require.False(t, ok, "a host without a table")
}

func TestWhyATableCannotBeJoined(t *testing.T) {
	me := node.Key{1}
	fine := Notice{Version: Version, Protocol: table.Version, Rules: table.RulesVersion, Name: "x", Seats: 4, Taken: 1, Phase: Gathering}
	for want, row := range map[Reason]struct {
		change           func(*Listing)
		reached, private bool
	}{
		0:            {func(*Listing) {}, true, false},
		Self:         {func(l *Listing) { l.Host = me }, true, false},
		OtherVersion: {func(l *Listing) { l.Rules = "other" }, true, false},
		Running:      {func(l *Listing) { l.Phase = Begun }, false, true},
		Private:      {func(*Listing) {}, false, true},
		Full:         {func(l *Listing) { l.Taken = 4 }, true, false},
		Unreachable:  {func(*Listing) {}, false, false},
	} {
		l := Listing{Notice: fine, Host: node.Key{2}}
		row.change(&l)
		l.judge(me, row.reached, row.private)
		require.Equal(t, want, l.Why)
	}
}

// FuzzReceive gives every machine a packet as if from everybody who could send one.
func FuzzReceive(f *testing.F) {
	o, guests := pair(f, 2)
	f.Add(packet(kindWish, wish{Card: guests[0].card}))
	f.Add(packet(kindState, o.n.state))
	f.Add(packet(kindRefuse, refuse{Reason: Full, Detail: "x"}))
	f.Add(packet(kindTell, "hello"))
	f.Add(packet(kindBye, struct{}{}))
	f.Add(Notice{Name: "x", Phase: Gathering, Seats: 4}.encode())
	now := time.Duration(0)
	f.Fuzz(func(t *testing.T, b []byte) {
		now += time.Second
		_, _ = readNotice(b)
		_, _ = readNote([]string{string(b)})
		o.Receive(now, guests[0].me, b)
		o.Heard(now, guests[0].me, b)
		guests[1].Receive(now, o.me, b)
		guests[1].Receive(now, guests[0].me, b)
		guests[1].Heard(now, o.me, b)
		o.Tick(now)
		guests[1].Tick(now)
		out := o.Out()
		require.LessOrEqual(t, len(out.Send), 16)
		out = guests[1].Out()
		require.LessOrEqual(t, len(out.Send), 16)
		if guests[1].End() != nil || o.n.place(guests[0].me) < 0 || o.n.Phase == Begun {
			o, guests = pair(t, 2)
			now = 0
		}
	})
}
