package table

import (
	"fmt"
	"time"
)

// WishKind is what a seat wants of its membership.
type WishKind uint8

// The wishes.
const (
	WishLeave  WishKind = 1 + iota // go, for good or until a return
	WishLost                       // the journal is lost: remove me, I cannot speak any more
	WishReturn                     // let me in again, with fresh keys
)

// wishText is the body of a wish.
type wishText struct {
	_       struct{} `cbor:",toarray"`
	What    WishKind
	Counter uint32 // removals of this seat so far; an old wish replayed does nothing
}

// returnText is the body of a wish to return.
type returnText struct {
	_       struct{} `cbor:",toarray"`
	What    WishKind
	Counter uint32
	X, Z    Point
	ProofX  []byte
	ProofZ  []byte
}

// wish is a wish that holds in a state.
type wish struct {
	what WishKind
	back returning // of a return
	env  Envelope
}

// wishPlace is the place of the proofs of a returning seat: its key is for no round in particular.
func wishPlace(t Hash, seat uint8, counter uint32) Place {
	return Place{Table: t, Seat: seat, Need: counter}
}

// readWish checks a wish in all but the proofs that come with it. An error says that it does nothing now.
func (st *state) readWish(e Envelope) (wish, []Check, error) {
	w := wish{env: e}
	if e.Kind != KindWish || e.Table != st.roster.Table || int(e.Seat) >= len(st.roster.Joins) || e.Prev != (Hash{}) {
		return w, nil, ErrStray
	}
	if !e.signedBy(st.suite, st.roster.Joins[e.Seat].Key) {
		return w, nil, ErrSignature
	}
	seat := int(e.Seat)
	var t wishText
	if err := decode(e.Body, &t); err == nil {
		w.what = t.What
		if t.What != WishLeave && t.What != WishLost || t.Counter != st.removals[seat] || !st.members.Has(seat) {
			return w, nil, ErrStray
		}
		return w, nil, nil
	}
	var r returnText
	if err := decode(e.Body, &r); err != nil {
		return w, nil, fmt.Errorf("wish: %w", err)
	}
	if r.What != WishReturn || r.Counter != st.removals[seat] {
		return w, nil, ErrStray
	}
	if err := st.mayReturn(seat); err != nil {
		return w, nil, err
	}
	for _, k := range []Point{r.X, r.Z} {
		if err := st.suite.ValidKey(k); err != nil {
			return w, nil, fmt.Errorf("wish: key: %w", err)
		}
		for s := range st.seatAt {
			if k == st.card[s] || k == st.share[s] {
				return w, nil, fmt.Errorf("wish: not a fresh key")
			}
		}
	}
	if r.X == r.Z {
		return w, nil, fmt.Errorf("wish: one key for cards and shares")
	}
	w.what, w.back = WishReturn, returning{seat: seat, x: r.X, z: r.Z}
	p := wishPlace(st.roster.Table, e.Seat, r.Counter)
	return w, []Check{st.suite.CheckPossession(p, labelCard, r.X, r.ProofX), st.suite.CheckPossession(p, labelShare, r.Z, r.ProofZ)}, nil
}

// maxWishes bounds the wishes that one envelope takes up.
const maxWishes = 4

// readWishes checks the wishes that a say or call takes up: at most one of each seat.
func (st *state) readWishes(raw [][]byte) ([]wish, []Check, error) {
	if len(raw) > maxWishes {
		return nil, nil, fmt.Errorf("%d wishes", len(raw))
	}
	var list []wish
	var checks []Check
	last := -1
	for _, b := range raw {
		e, err := parseEnvelope(b)
		if err != nil {
			return nil, nil, err
		}
		w, c, err := st.readWish(e)
		if err != nil {
			return nil, nil, err
		}
		if int(e.Seat) <= last {
			return nil, nil, fmt.Errorf("wishes out of order")
		}
		last = int(e.Seat)
		list, checks = append(list, w), append(checks, c...)
	}
	return list, checks, nil
}

// Leave tells the others that this seat goes. Where the table can go on without it they remove the seat at once, and
// [Table.Free] says when nobody needs it any more; where it cannot, the game ends as void and everybody keeps the
// transcript.
func (t *Table) Leave() {
	if t.me == nil || t.end != nil || t.leaving {
		return
	}
	t.leaving = true
	if t.st.members.Has(t.me.seat) {
		t.hearWish(t.wishes(wishText{What: WishLeave, Counter: t.st.removals[t.me.seat]}))
		t.ballot()
	}
}

// Free reports whether a seat that leaves may go: one other peer knows of it, or the table is over.
func (t *Table) Free() bool {
	return t.me == nil || t.end != nil || t.leaving && (t.heeded || !t.st.members.Has(t.me.seat))
}

// wishes signs a wish of this seat and queues it.
func (t *Table) wishes(body any) Envelope {
	e := sealEnvelope(t.st.suite, t.me.id, text{
		Kind: KindWish, Table: t.st.roster.Table, Round: t.st.round, Seat: uint8(t.me.seat), Body: encode(body),
	})
	t.save(RecordOwn, e.Raw)
	t.queue = append(t.queue, e.Raw)
	return e
}

// hearWish notes a wish that holds now.
func (t *Table) hearWish(e Envelope) error {
	w, checks, err := t.st.readWish(e)
	if err != nil {
		return err
	}
	if _, err := t.st.suite.VerifyAll(checks); err != nil {
		return fmt.Errorf("wish: %w", err)
	}
	seat := int(e.Seat)
	if old := t.wish[seat]; old != nil && old.env.ID == e.ID {
		return nil
	}
	if w.what == WishLeave && e.Round > t.st.round+1 {
		return ErrStray // this peer is far behind: whether the table can go on without the seat is not known here
	}
	t.wish[seat] = &w
	t.wishAt[seat] = t.now
	if t.speaks() && t.st.endsBy(e) {
		t.endBy(e)
	}
	return nil
}

// wishAgain says once a second what this seat wants of its membership: to go; to be removed, for it has lost its
// journal; to have its place again, as long as it is no member and may be one.
func (t *Table) wishAgain() error {
	if t.me == nil || !t.started || t.replay || t.now-t.wished < wishPause && t.wished != 0 {
		return nil
	}
	seat := t.me.seat
	member, w := t.st.members.Has(seat), t.wish[seat]
	switch {
	case w != nil:
		t.queue = append(t.queue, w.env.Raw)
	case member && t.leaving:
		t.hearWish(t.wishes(wishText{What: WishLeave, Counter: t.st.removals[seat]}))
	case member && t.mute:
		t.hearWish(t.wishes(wishText{What: WishLost, Counter: t.st.removals[seat]}))
	case !member && !t.leaving && t.st.mayReturn(seat) == nil:
		if err := t.comeBack(); err != nil {
			return err
		}
	default:
		return nil
	}
	t.wished = max(t.now, 1)
	return nil
}

const wishPause = time.Second

// comeBack asks for the seat's place again, with fresh keys.
func (t *Table) comeBack() error {
	counter := t.st.removals[t.me.seat]
	f := t.me.fresh[counter]
	if f == nil {
		f = &freshKeys{}
		for _, s := range []*Secret{&f.x, &f.z} {
			k, err := t.st.suite.NewSecret(t.me.rand)
			if err != nil {
				return err
			}
			*s = k
		}
		if t.me.fresh == nil {
			t.me.fresh = map[uint32]*freshKeys{}
		}
		t.me.fresh[counter] = f
		t.save(RecordSecret, encode(secretText{X: f.x.Bytes(), Z: f.z.Bytes(), Counter: counter}))
	}
	p := wishPlace(t.st.roster.Table, uint8(t.me.seat), counter)
	return t.hearWish(t.wishes(returnText{What: WishReturn, Counter: counter, X: f.x.Public(), Z: f.z.Public(),
		ProofX: t.st.suite.ProvePossession(t.me.rand, p, labelCard, f.x),
		ProofZ: t.st.suite.ProvePossession(t.me.rand, p, labelShare, f.z)}))
}

// returns are the wishes to return that a say of this seat takes up.
func (t *Table) takenUp(all bool) [][]byte {
	list := [][]byte{}
	for seat := range MaxSeats {
		w := t.wish[seat]
		if w == nil || len(list) == maxWishes || !all && w.what != WishReturn {
			continue
		}
		if _, _, err := t.st.readWish(w.env); err == nil {
			list = append(list, w.env.Raw)
		}
	}
	return list
}
