package table

import (
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"time"

	"standoff/engine"
)

// Config is what a table needs of the world.
type Config struct {
	Roster   []byte // as signed by the opener
	Rules    func(sets []string) (*engine.Rules, error)
	Identity ed25519.PrivateKey // nil: an observer without a seat
	Rand     io.Reader          // for keys, shuffles and proofs; crypto/rand in a game
	Suite    Suite              // nil: Ristretto
	Lost     bool               // the seat has played at this table and its journal is lost: it may only ask to be let in again
	Spent    Spent              // what the program before this one has told of the seat's thinking time
}

// Table is one peer's side of one game. It does no input or output: what comes from the network goes in by
// [Table.Receive], what the player decides by [Table.Act], time by [Table.Tick] and [Table.Alive]; what to do now
// comes out of [Table.Ready]. It belongs to one goroutine.
type Table struct {
	st    *state
	ex    Expect
	me    *party
	open  openRound
	log   []closedRound
	wish  [MaxSeats]*wish // the latest of each seat that holds
	ended []Envelope      // the wish that ended the game early
	end   *End

	leaving bool // this seat wants to go
	heeded  bool // and another peer knows it
	mute    bool // this seat has lost its journal: it may only wish
	replay  bool // the journal is being read

	gate     *Gate
	proofs   int // verified so far
	now      time.Duration
	ticked   bool
	moved    time.Duration // when the table last got something it waited for
	repeated time.Duration
	wait     time.Duration // until the next repetition
	wishAt   [MaxSeats]time.Duration
	wished   time.Duration // when this seat last said a wish
	patience patience
	strays   strays
	fated    time.Duration // since when the game would be over by what is held of the open round, 0: it would not

	out     Ready
	queue   [][]byte // own envelopes to send, in order
	started bool
}

// closedRound is one round of the log.
type closedRound struct {
	says     []Envelope
	calls    []Envelope // of a fresh value, with what proves the faults that it names
	evidence []Envelope
	seals    []Envelope    // that closed it: without them nobody takes the round for closed
	rest     []Envelope    // all that was held, for those who are still in this round; of the last rounds and the voted ones
	at       time.Duration // when it was closed here
	voted    bool          // closed by a ballot: a seat that was left out may still stand here
}

// End is how a table ended.
type End struct {
	Result  Result
	Winners []int // roster seats
	Outcome engine.Outcome
	Left    int    // void: the seat that left, -1
	Fault   *Fault // void: what a seat did wrong
	Reason  string
}

// Result says how complete a game is.
type Result uint8

// The results.
const (
	Incomplete Result = iota
	Finished
	Void
)

func (r Result) String() string { return [...]string{"incomplete", "finished", "void"}[min(int(r), 2)] }

// New sits down at a table, or, without an identity, beside it.
func New(c Config) (*Table, error) {
	if c.Suite == nil {
		c.Suite = NewRistretto(c.Rand)
	}
	r, err := ReadRoster(c.Suite, c.Roster)
	if err != nil {
		return nil, err
	}
	rules, err := c.Rules(r.Offer.Sets)
	if err != nil {
		return nil, fmt.Errorf("the sets of the table: %w", err)
	}
	st, err := newState(c.Suite, &r, rules)
	if err != nil {
		return nil, err
	}
	t := &Table{st: st, wait: repeatAfter, gate: &Gate{roster: &r, suite: c.Suite}}
	if c.Identity != nil {
		seat := r.SeatOf(c.Identity.Public().(ed25519.PublicKey))
		if seat < 0 {
			return nil, errors.New("this identity has no seat at the table")
		}
		t.me = &party{seat: seat, id: c.Identity, rand: c.Rand, spent: c.Spent}
		t.mute = c.Lost
		t.save(RecordRoster, c.Roster)
		if c.Lost {
			t.save(RecordLost, nil)
		}
	}
	t.ex = st.expect()
	t.begin()
	return t, nil
}

// Start opens the first round: from now on the seat speaks. One that has come back says its last words again: they may
// be on nobody's way any more.
func (t *Table) Start() error {
	t.started = true
	if len(t.log) > 0 {
		t.repeat()
	}
	if err := t.progress(); err != nil {
		return err
	}
	return t.speak()
}

// ErrStray is what Receive says of an envelope that has no business here and proves nothing: another table, an old
// round, a stranger. Nothing has changed.
var ErrStray = errors.New("not for this round of this table")

// Receive takes in one packet. Envelopes that are of no use are dropped; the error is about the last of those and
// is for information only.
func (t *Table) Receive(packet []byte) error {
	all, err := unbundle(packet)
	if err != nil {
		return err
	}
	for _, raw := range all {
		if len(raw) > sigSize && t.has(sha256.Sum256(raw[sigSize:])) {
			continue
		}
		e, bad := parseEnvelope(raw)
		if bad == nil {
			bad = t.receive(e)
		}
		if bad != nil {
			err = bad
			continue
		}
		if p := t.progress(); p != nil {
			return p
		}
		if p := t.ballot(); p != nil {
			return p
		}
	}
	return err
}

// speak says what this seat owes to the open round, unless a person has to decide.
func (t *Table) speak() error {
	if t.me == nil || !t.started || t.mute || t.replay || t.end != nil || !t.ex.From.Has(t.me.seat) ||
		len(t.open.says[t.me.seat]) > 0 || t.open.vote.called != nil {
		return nil
	}
	if t.ex.Kind == RoundAct && t.ex.Asked == t.me.seat {
		return nil // Ready asks
	}
	return t.contribute()
}

func (t *Table) contribute() error {
	body, err := roundRules[t.ex.Kind].speak(t.st, t.ex, t.st.at(t.me.seat, t.ex), t.me)
	if err != nil {
		return fmt.Errorf("round %d (%v): %w", t.ex.Round, t.ex.Kind, err)
	}
	if t.ex.Kind == RoundRoster {
		t.save(RecordSecret, encode(secretText{Nonce: t.me.nonce, X: t.me.x.Bytes(), Z: t.me.z.Bytes()}))
	}
	t.own(KindSay, say{Kind: t.ex.Kind, Part: encode(body), Wishes: t.takenUp(false)})
	return t.progress()
}

// Act is the player's decision in the open act round. An illegal one is refused with its *engine.IllegalError and
// changes nothing; a legal one is sent and cannot be taken back.
func (t *Table) Act(a engine.Action) error {
	if !t.Asked() {
		return errors.New("nothing is asked of this seat")
	}
	a.Seat = t.st.place(t.me.seat)
	if err := t.st.game.Clone().Step(a); err != nil {
		return err
	}
	t.me.action, t.me.byClock = a, false
	return t.contribute()
}

// Asked reports whether a decision of this seat is wanted.
func (t *Table) Asked() bool {
	return t.me != nil && t.started && t.end == nil && t.ex.Kind == RoundAct && t.ex.Asked == t.me.seat &&
		len(t.open.says[t.me.seat]) == 0 && t.open.vote.called == nil && !t.mute && !t.replay
}

// ComeIn sets whether this seat takes its next chance to come in between the actions of others (B-363 d).
func (t *Table) ComeIn(yes bool) {
	if t.me != nil {
		t.me.comeIn = yes
	}
}

// View is the game as this seat sees it; false before there is one. An observer sees it from no seat.
func (t *Table) View() (engine.View, bool) {
	if t.st.game == nil {
		return engine.View{}, false
	}
	if t.me == nil {
		return t.st.game.View(engine.None, nil), true
	}
	return t.st.game.View(t.st.place(t.me.seat), t.me.known), true
}

func (t *Table) stop(e *End) {
	if t.end == nil {
		t.end = e
	}
}

type sayID struct {
	_    struct{} `cbor:",toarray"`
	Seat uint8
	ID   Hash
}

// valueText is what V is the hash of. Out and Calls are filled by ballots above 0.
type valueText struct {
	_     struct{} `cbor:",toarray"`
	Round uint32
	Says  []sayID
	Out   []removal
	Calls []sayID
}

// valueOf is V, the name of a verdict.
func valueOf(round uint32, d verdict) Hash {
	t := valueText{Round: round, Says: listed(d.says), Out: []removal{}, Calls: listed(d.calls)}
	for _, r := range d.out {
		if r.Evidence == nil {
			r.Evidence = []Hash{}
		}
		t.Out = append(t.Out, r)
	}
	return sha256.Sum256(encode(t))
}

// roundHead is h of a round: it covers the log before, what was said, and the state after.
func roundHead(prev, value, state Hash) Hash {
	h := sha256.New()
	h.Write([]byte("standoff/round/1"))
	h.Write(prev[:])
	h.Write(value[:])
	h.Write(state[:])
	return Hash(h.Sum(nil))
}

// Roster is who sits at the table.
func (t *Table) Roster() *Roster { return t.st.roster }

// Seat is the roster seat of this peer, -1 for an observer.
func (t *Table) Seat() int {
	if t.me == nil {
		return -1
	}
	return t.me.seat
}

// SeatAt turns a place around the table, the engine's Seat, into a roster seat; -1 before places are drawn.
func (t *Table) SeatAt(p engine.Seat) int { return t.st.seat(p) }

// Proofs is how many proofs this table has verified so far.
func (t *Table) Proofs() int { return t.proofs }
