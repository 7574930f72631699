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
}

// Table is one peer's side of one game. It does no input or output: what comes from the network goes in by
// [Table.Receive], what the player decides by [Table.Act], time by [Table.Tick]; what to do now comes out of
// [Table.Ready]. It belongs to one goroutine.
type Table struct {
	st   *state
	ex   Expect
	me   *party
	open openRound
	log  []closedRound
	wish []Envelope // what ended the game early
	end  *End

	gate     *Gate
	proofs   int // verified so far
	now      time.Duration
	moved    time.Duration // when the table last got something it waited for
	repeated time.Duration
	wait     time.Duration // until the next repetition

	out     Ready
	queue   [][]byte // own envelopes to send, in order
	started bool
}

// openRound is what has come in for the round in work.
type openRound struct {
	says  [MaxSeats]*held
	seals [MaxSeats]*held
	early [MaxSeats][2]*Envelope // say and seal of the round after
	value Hash                   // V, once all have said
	next  *state                 // the state after the round
}

type held struct {
	env  Envelope
	part part
	seal seal
}

// closedRound is one round of the log.
type closedRound struct {
	says  []Envelope
	seals []Envelope // kept for the last rounds only
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
		t.me = &party{seat: seat, id: c.Identity, rand: c.Rand}
		t.save(RecordRoster, c.Roster)
	}
	t.ex = st.expect()
	return t, nil
}

// Start opens the first round: from now on the seat speaks.
func (t *Table) Start() error {
	t.started = true
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
	}
	return err
}

func (t *Table) receive(e Envelope) error {
	st := t.st
	if e.Table != st.roster.Table || int(e.Seat) >= len(st.roster.Joins) || t.end != nil {
		return ErrStray
	}
	if e.Kind != KindWish && (e.Round < st.round || e.Round > st.round+1) {
		return ErrStray
	}
	if t.has(e) {
		return nil
	}
	if !e.signedBy(st.suite, st.roster.Joins[e.Seat].Key) {
		return fmt.Errorf("seat %d: %w", e.Seat, ErrSignature)
	}
	switch {
	case e.Kind == KindWish:
		return t.hearWish(e)
	case e.Kind == KindCall:
		return ErrStray
	case e.Round == st.round+1:
		t.open.early[e.Seat][e.Kind-KindSay] = &e
		return nil
	case e.Prev != st.head:
		return fmt.Errorf("seat %d continues another log in round %d: %w", e.Seat, e.Round, ErrStray)
	case e.Kind == KindSay:
		return t.hearSay(e)
	}
	return t.hearSeal(e)
}

// ErrSignature says that an envelope is not signed by the seat it names; whoever passed it on made it up.
var ErrSignature = errors.New("signature does not verify")

// has reports whether exactly this envelope is already held.
func (t *Table) has(e Envelope) bool {
	if e.Round != t.st.round {
		return false
	}
	if h := t.open.says[e.Seat]; e.Kind == KindSay && h != nil {
		return h.env.ID == e.ID
	}
	if h := t.open.seals[e.Seat]; e.Kind == KindSeal && h != nil {
		return h.env.ID == e.ID
	}
	return false
}

func (t *Table) hearSay(e Envelope) error {
	seat := int(e.Seat)
	p, wrong := t.st.read(t.ex, seat, e.Body)
	if wrong != nil {
		t.fault(seat, wrong, e)
		return nil
	}
	if first := t.open.says[seat]; first != nil {
		t.fault(seat, bad(FaultEquivocation, "two says"), first.env, e)
		return nil
	}
	t.open.says[seat] = &held{env: e, part: p}
	t.moved = t.now
	return nil
}

func (t *Table) hearSeal(e Envelope) error {
	var s seal
	if err := decode(e.Body, &s); err != nil || s.Ballot != 0 {
		t.fault(int(e.Seat), bad(FaultShape, "seal: %v", err), e)
		return nil
	}
	if first := t.open.seals[e.Seat]; first != nil {
		t.fault(int(e.Seat), bad(FaultEquivocation, "two seals"), first.env, e)
		return nil
	}
	t.open.seals[e.Seat] = &held{env: e, seal: s}
	t.moved = t.now
	return nil
}

// progress closes rounds as far as what is held allows, and says and seals what is due.
func (t *Table) progress() error {
	for t.end == nil {
		if t.open.next == nil && !t.full() {
			return nil
		}
		if t.open.next == nil {
			if err := t.judge(); err != nil || t.end != nil {
				return err
			}
		}
		if !t.sealed() {
			return nil
		}
		t.advance()
		if t.end == nil {
			if err := t.speak(); err != nil {
				return err
			}
		}
	}
	return nil
}

// full reports whether all contributors have said.
func (t *Table) full() bool {
	for _, s := range t.ex.From.List() {
		if t.open.says[s] == nil {
			return false
		}
	}
	return true
}

// judge verifies all proofs of a full round at once, works out the state after it and seals it.
func (t *Table) judge() error {
	var checks []Check
	var owner []int
	for _, s := range t.ex.From.List() {
		for _, c := range t.open.says[s].part.checks {
			checks, owner = append(checks, c), append(owner, s)
		}
	}
	if i, err := t.st.suite.VerifyAll(checks); err != nil {
		if i < 0 {
			return err
		}
		seat := owner[i]
		t.fault(seat, &Misdeed{proofFault(t.ex.Kind), err}, t.open.says[seat].env)
		return nil
	}
	t.proofs += len(checks)
	parts := make([]*part, MaxSeats)
	var ids []sayID
	for _, s := range t.ex.From.List() {
		parts[s] = &t.open.says[s].part
		ids = append(ids, sayID{Seat: uint8(s), ID: t.open.says[s].env.ID})
	}
	t.open.value = valueOf(t.st.round, ids)
	next, err := t.st.next(t.ex, parts, t.open.value)
	var c *closeFault
	if errors.As(err, &c) {
		t.fault(c.seat, c.Misdeed)
		return nil
	}
	if err != nil {
		return fmt.Errorf("round %d (%v): %w", t.ex.Round, t.ex.Kind, err)
	}
	t.open.next = next
	if t.me != nil && t.st.members.Has(t.me.seat) {
		t.own(KindSeal, seal{Value: t.open.value, Head: next.head})
	}
	return nil
}

// proofFault is what a false proof in a round of that kind is called.
func proofFault(k RoundKind) FaultKind {
	switch k {
	case RoundReveal:
		return FaultPossession
	case RoundShare:
		return FaultDealing
	case RoundMix:
		return FaultShuffle
	case RoundOwn:
		return FaultRetarget
	}
	return FaultLayers
}

// sealed reports whether all members have sealed what this table holds. For an observer it is enough that one
// seat speaks in the round after: it would not without all seals.
func (t *Table) sealed() bool {
	for _, pair := range t.open.early {
		for _, e := range pair {
			if t.me == nil && e != nil && e.Prev == t.open.next.head {
				return true
			}
		}
	}
	for _, s := range t.st.members.List() {
		h := t.open.seals[s]
		if h == nil {
			return false
		}
		if h.seal.Value == t.open.value && h.seal.Head != t.open.next.head {
			t.stop(&End{Result: Void, Left: -1, Reason: fmt.Sprintf("round %d: seat %d runs a program that sees the game differently (%v, here %v)",
				t.st.round, s, h.seal.Head, t.open.next.head)})
			return false
		}
		if h.seal.Value != t.open.value {
			return false // somebody has said two things; the other say is on its way
		}
	}
	return true
}

// advance makes the next state the state.
func (t *Table) advance() {
	c := closedRound{}
	for _, s := range t.ex.From.List() {
		c.says = append(c.says, t.open.says[s].env)
	}
	for _, s := range t.st.members.List() {
		if h := t.open.seals[s]; h != nil {
			c.seals = append(c.seals, h.env)
		}
	}
	t.log = append(t.log, c)
	if n := len(t.log); n > 3 {
		t.log[n-4].seals = nil
	}
	t.tell(t.ex)
	early := t.open.early
	t.st, t.open = t.open.next, openRound{}
	t.ex = t.st.expect()
	t.gate.round.Store(t.st.round)
	t.moved, t.wait = t.now, repeatAfter
	if t.me != nil {
		t.me.read(t.st)
		t.me.action = engine.Action{}
	}
	if t.st.stage == atEnd {
		r := t.st.result()
		e := &End{Result: Finished, Outcome: r.Outcome, Left: -1}
		for _, w := range r.Winners {
			e.Winners = append(e.Winners, int(w))
		}
		t.stop(e)
		return
	}
	for _, pair := range early {
		for _, e := range pair {
			if e != nil && e.Prev == t.st.head {
				if e.Kind == KindSay {
					t.hearSay(*e)
				} else {
					t.hearSeal(*e)
				}
			}
		}
	}
}

// speak says what this seat owes to the open round, unless a person has to decide.
func (t *Table) speak() error {
	if t.me == nil || !t.started || t.end != nil || !t.ex.From.Has(t.me.seat) || t.open.says[t.me.seat] != nil {
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
	t.own(KindSay, say{Kind: t.ex.Kind, Part: encode(body), Wishes: [][]byte{}})
	return t.progress()
}

// own signs an envelope of this seat, holds it, and queues it for journal and network.
func (t *Table) own(k Kind, body any) {
	e := sealEnvelope(t.st.suite, t.me.id, text{
		Kind: k, Table: t.st.roster.Table, Round: t.st.round, Seat: uint8(t.me.seat), Prev: t.st.head, Body: encode(body),
	})
	switch k {
	case KindSay:
		t.hearSay(e)
	case KindSeal:
		for _, s := range t.ex.From.List() {
			if s != t.me.seat {
				t.save(RecordForeign, t.open.says[s].env.Raw)
			}
		}
		t.hearSeal(e)
	}
	t.save(RecordOwn, e.Raw)
	t.queue = append(t.queue, e.Raw)
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
	t.me.action = a
	return t.contribute()
}

// Asked reports whether a decision of this seat is wanted.
func (t *Table) Asked() bool {
	return t.me != nil && t.started && t.end == nil && t.ex.Kind == RoundAct && t.ex.Asked == t.me.seat && t.open.says[t.me.seat] == nil
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

// fault ends the game: the members cannot go on without the seat.
func (t *Table) fault(seat int, m *Misdeed, evidence ...Envelope) {
	f := Fault{Table: t.st.roster.Table, Seat: seat, Kind: m.Kind, Round: t.st.round, Reason: m.Reason.Error()}
	for _, e := range evidence {
		f.Evidence = append(f.Evidence, e.Raw)
	}
	t.out.Faults = append(t.out.Faults, f)
	t.stop(&End{Result: Void, Left: -1, Fault: &f, Reason: f.String()})
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
	Out   []sayID
	Calls []sayID
}

func valueOf(round uint32, says []sayID) Hash {
	return sha256.Sum256(encode(valueText{Round: round, Says: says, Out: []sayID{}, Calls: []sayID{}}))
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
