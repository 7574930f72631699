package table

import (
	"errors"
	"slices"
	"time"

	"standoff/engine"
)

// RecordKind says what a journal record holds.
type RecordKind uint8

// The kinds of record.
const (
	RecordRoster  RecordKind = 1 + iota // the roster sat down at
	RecordSecret                        // nonce and keys of this seat, for its own eyes
	RecordOwn                           // an envelope of this seat
	RecordForeign                       // an envelope that an own one rests on
	RecordLost                          // the journal before this one is lost
)

// Record is one entry of the journal.
type Record struct {
	Kind RecordKind
	Data []byte
}

// secretText is what a RecordSecret holds.
type secretText struct {
	_       struct{} `cbor:",toarray"`
	Nonce   Hash
	X, Z    []byte
	Counter uint32 // removals of the seat when the keys were made
}

// Ready is what the caller must do now, in this order: Save to stable storage, then Send, then show the rest.
type Ready struct {
	Save   []Record
	Send   [][]byte // packets for every peer of the table
	Fetch  []byte   // if not nil: put this to any peer and Receive what its Serve gives
	News   []News
	Faults []Fault // each proves a seat guilty
	Strays []Fault // messages that have no place here, and accuse nobody
	Ask    bool    // a decision of this seat is wanted: see View and Act
	End    *End    // the table is over
}

// NewsKind is one kind of progress.
type NewsKind uint8

// The kinds of news.
const (
	NewsSeated    NewsKind = 1 + iota // all sit down
	NewsKeys                          // all have shown their keys and proved that they hold them
	NewsShared                        // all key shares are checked
	NewsMixed                         // Seat has shuffled, pass N of Of, Cards cards, and the proof holds
	NewsHappened                      // Event
	NewsAudit                         // all keys are shown
	NewsResult                        // all have signed the result
	NewsRemoved                       // Seat was taken out of the members, for Why
	NewsReturned                      // Seat is a member again
	NewsRecovered                     // the key of Seat, which it has not shown, was put together from shares
	NewsDefault                       // the decision of Seat was the default: its time had run out, or it is away, for Why
)

// News is something to tell.
type News struct {
	Kind  NewsKind
	Round uint32
	Seat  int // roster seat
	N, Of int
	Cards int
	Why   Reason
	Event engine.Event
}

// Ready hands out what has to be done since the last call.
func (t *Table) Ready() Ready {
	r := t.out
	r.Send = Bundle(t.queue...)
	r.End = t.end
	r.Ask = t.Asked()
	t.out, t.queue = Ready{}, nil
	return r
}

// Ended reports whether the table is over: the next Ready has its end.
func (t *Table) Ended() bool { return t.end != nil }

// Member reports whether a seat is a member: one that has gone, or was taken out, is not.
func (t *Table) Member(seat int) bool { return t.st.members.Has(seat) }

// Spares reports whether the table goes on if a seat leaves now: the other members are enough to open the cards, or it is
// no member.
func (t *Table) Spares(seat int) bool { return t.possible(only(seat)) }

func (t *Table) save(k RecordKind, data []byte) {
	if t.me != nil {
		t.out.Save = append(t.out.Save, Record{k, data})
	}
}

// tell reports what closing the round has brought.
func (t *Table) tell(ex Expect, next *state) {
	n := News{Round: ex.Round, Seat: -1}
	switch ex.Kind {
	case RoundRoster:
		n.Kind = NewsSeated
	case RoundReveal:
		n.Kind = NewsKeys
	case RoundCheck:
		n.Kind = NewsShared
	case RoundMix:
		n.Kind, n.Seat = NewsMixed, ex.From.List()[0]
		n.N, n.Of = t.st.pass+1, t.st.members.Count()
		for _, o := range t.st.needs[:ex.needs] {
			n.Cards += len(o.Old)
		}
	case RoundKeys:
		if next.shown == ex.From {
			n.Kind = NewsAudit
		}
	case RoundResult:
		n.Kind = NewsResult
	}
	if n.Kind != 0 {
		t.out.News = append(t.out.News, n)
	}
	for s := range MaxSeats {
		if next.removals[s] > t.st.removals[s] {
			t.out.News = append(t.out.News, News{Kind: NewsRemoved, Round: ex.Round, Seat: s, Why: next.why[s]})
		}
		if next.members.Has(s) && !t.st.members.Has(s) {
			t.out.News = append(t.out.News, News{Kind: NewsReturned, Round: ex.Round, Seat: s})
		}
	}
	for s := range MaxSeats {
		if ex.Kind == RoundRecover && next.keys[s] != nil && t.st.keys[s] == nil {
			t.out.News = append(t.out.News, News{Kind: NewsRecovered, Round: ex.Round, Seat: s})
		}
	}
	for _, s := range next.byDefault {
		n := News{Kind: NewsDefault, Round: ex.Round, Seat: int(s)}
		if next.told.Has(n.Seat) {
			n.Why = next.why[s]
		}
		t.out.News = append(t.out.News, n)
	}
	for _, e := range next.events {
		t.out.News = append(t.out.News, News{Kind: NewsHappened, Round: ex.Round, Seat: -1, Event: e})
	}
}

// Repetition: when nothing has come for a while, a table says its last words again and asks what it missed.
const (
	repeatAfter = 500 * time.Millisecond
	repeatLimit = 5 * time.Second
	repeatOften = 4 // times within the grace at least
)

// Tick tells the table the time, measured from any fixed moment. Time moves no bit of the log, but a seat that is
// silent for too long is called on to go (see patience).
func (t *Table) Tick(now time.Duration) {
	t.now = max(t.now, now)
	if !t.ticked { // nobody has owed anything before this clock began
		t.ticked, t.open.openedAt, t.moved = true, t.now, t.now
		t.patience.called, t.patience.waits, t.patience.began = t.now, t.now, t.now
		for i := range t.log { // as far as this clock knows
			t.log[i].at = t.now
		}
		if t.open.fullAt != 0 {
			t.open.fullAt = max(t.now, 1)
		}
		t.thinkOn()
	}
	if e := t.gate.turned.Swap(nil); e != nil {
		t.stray(*e)
	}
	if t.end != nil && t.end.Result != Finished || !t.started && t.me != nil {
		return
	}
	if t.end == nil {
		t.fate()
		if err := errors.Join(t.wishAgain(), t.flagFall(), t.ballot()); err != nil {
			t.stop(&End{Result: Void, Left: -1, Reason: err.Error()})
			return
		}
	}
	wait := t.wait
	if t.open.overtaken() {
		wait = repeatAfter
	}
	if t.now-t.moved < wait || t.now-t.repeated < wait {
		return
	}
	t.repeated = t.now
	t.wait = min(2*t.wait, repeatLimit, max(repeatAfter, t.st.choices.grace()/repeatOften))
	t.repeat()
}

// overtaken reports whether others speak in the next round already.
func (o *openRound) overtaken() bool {
	return slices.ContainsFunc(o.early[:], func(list []Envelope) bool { return len(list) > 0 })
}

// someoneLacks reports whether this peer has heard all that is to be said in the open round, and a seat has not sealed it:
// it may not have heard all, because a packet was lost or a liar speaks to some only.
func (t *Table) someoneLacks() bool {
	o := &t.open
	return o.fullAt != 0 && slices.ContainsFunc(t.st.members.List(), func(s int) bool { return len(o.seals[s]) == 0 })
}

// someoneIsSilent reports whether a seat has not said what the open round wants of it: it may not have closed the one
// before, for want of a seal.
func (t *Table) someoneIsSilent() bool {
	return slices.ContainsFunc(t.ex.From.List(), func(s int) bool { return s != t.me.seat && len(t.open.says[s]) == 0 })
}

// repeat queues the own envelopes of the open round, the say and the seals of the one before, and a question for what is
// missing. It passes on what others may lack: the seals of the round before, the says of this one, and all calls of the
// ballot in which this peer stands. A seat that tells only some would else have the others suspect those that cannot know
// it.
func (t *Table) repeat() {
	if t.end == nil {
		t.out.Fetch = t.Want()
	}
	if t.me == nil {
		return
	}
	pass := t.someoneLacks()
	if n := len(t.log); n > 0 {
		all := pass || t.someoneIsSilent()
		for _, e := range t.log[n-1].rest {
			if int(e.Seat) == t.me.seat && e.Kind != KindCall || e.Kind == KindSeal && all {
				t.queue = append(t.queue, e.Raw)
			}
		}
	}
	c := t.open.vote.called
	for _, e := range t.heldEnvelopes() {
		if int(e.Seat) == t.me.seat && e.Kind != KindCall || e.Kind == KindSay && pass {
			t.queue = append(t.queue, e.Raw)
		}
	}
	for _, h := range t.open.calls {
		if c != nil && h.vote.ballot == c.ballot {
			t.queue = append(t.queue, h.env.Raw)
		}
	}
}

// Missing is a seat that the table waits for.
type Missing struct {
	Seat  int
	What  string        // "say" or "seal"; "": a sign of life
	Since time.Duration // how long nothing has come
}

// Missing lists for whom the table waits, and since when.
func (t *Table) Missing() []Missing {
	if t.end != nil {
		return nil
	}
	var m []Missing
	for _, s := range t.st.members.List() {
		if what, _ := t.owes(s); what != "" {
			m = append(m, Missing{s, what, t.now - t.moved})
		}
	}
	return m
}

// Waits lists the others for whom the table has waited so long, since they owe something or else since the round began.
// Who decides may think while their peer shows signs of life, and is not listed. When the table waits for somebody, so
// are those who owe nothing yet and show none: without them it would not go far.
func (t *Table) Waits(long time.Duration) []Missing {
	owing := 0
	var list []Missing
	for _, s := range t.st.members.List() {
		if t.end != nil || t.me != nil && s == t.me.seat {
			continue
		}
		what, since := t.owes(s)
		m := Missing{Seat: s, What: what, Since: t.now - since}
		if what == "" {
			m.Since = t.now - t.open.openedAt
		}
		if what == "" || what == "say" && t.decides(s) {
			m.Since = min(m.Since, t.now-t.sign(s))
		}
		if m.Since >= long {
			list = append(list, m)
			owing += len(m.What)
		}
	}
	if owing == 0 {
		return nil
	}
	return list
}
