package table

import (
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"fmt"
	"io"
	"slices"

	"standoff/engine"
)

// The labels of the two proofs of possession.
const (
	labelCard  = "card"
	labelShare = "share"
)

type rosterPart struct {
	_      struct{} `cbor:",toarray"`
	Commit Hash
}

type revealPart struct {
	_      struct{} `cbor:",toarray"`
	Nonce  Hash
	X, Z   Point
	ProofX []byte
	ProofZ []byte
}

// commitment binds nonce and keys before anybody shows them, so that nobody can choose a key or a place after
// seeing the others'.
func commitment(t Hash, seat uint8, nonce Hash, x, z Point) Hash {
	h := sha256.New()
	h.Write([]byte("standoff/commit/1"))
	h.Write(t[:])
	h.Write([]byte{seat})
	h.Write(nonce[:])
	h.Write(x[:])
	h.Write(z[:])
	return Hash(h.Sum(nil))
}

func speakRoster(st *state, _ Expect, p Place, me *party) (any, error) {
	if _, err := io.ReadFull(me.rand, me.nonce[:]); err != nil {
		return nil, fmt.Errorf("random nonce: %w", err)
	}
	for _, s := range []*Secret{&me.x, &me.z} {
		k, err := st.suite.NewSecret(me.rand)
		if err != nil {
			return nil, err
		}
		*s = k
	}
	return rosterPart{Commit: commitment(p.Table, p.Seat, me.nonce, me.x.Public(), me.z.Public())}, nil
}

func readRoster(_ *state, _ Expect, _ Place, body []byte) (part, *Misdeed) {
	var b rosterPart
	if err := decode(body, &b); err != nil {
		return part{}, bad(FaultShape, "roster: %v", err)
	}
	return part{body: b}, nil
}

func closeRoster(st *state, ex Expect, parts []*part) error {
	for _, s := range ex.From.List() {
		st.commits[s] = parts[s].body.(rosterPart).Commit
	}
	st.stage = atReveal
	return nil
}

func speakReveal(st *state, _ Expect, p Place, me *party) (any, error) {
	return revealPart{
		Nonce: me.nonce, X: me.x.Public(), Z: me.z.Public(),
		ProofX: st.suite.ProvePossession(me.rand, p, labelCard, me.x),
		ProofZ: st.suite.ProvePossession(me.rand, p, labelShare, me.z),
	}, nil
}

func readReveal(st *state, _ Expect, p Place, body []byte) (part, *Misdeed) {
	var b revealPart
	if err := decode(body, &b); err != nil {
		return part{}, bad(FaultShape, "reveal: %v", err)
	}
	for _, k := range []Point{b.X, b.Z} {
		if err := st.suite.ValidKey(k); err != nil {
			return part{}, bad(FaultPossession, "key: %v", err)
		}
	}
	if b.X == b.Z {
		return part{}, bad(FaultPossession, "one key for cards and shares")
	}
	if commitment(p.Table, p.Seat, b.Nonce, b.X, b.Z) != st.commits[p.Seat] {
		return part{}, bad(FaultPossession, "nonce and keys are not those committed to")
	}
	return part{body: b, checks: []Check{
		st.suite.CheckPossession(p, labelCard, b.X, b.ProofX),
		st.suite.CheckPossession(p, labelShare, b.Z, b.ProofZ),
	}}, nil
}

func closeReveal(st *state, ex Expect, parts []*part) error {
	seed := sha512.New()
	seed.Write([]byte("standoff/places/1"))
	var keys []Point
	for _, s := range ex.From.List() {
		b := parts[s].body.(revealPart)
		st.card[s], st.share[s] = b.X, b.Z
		keys = append(keys, b.X)
		seed.Write(b.Nonce[:])
	}
	for i, seat := range ex.From.List() { // each has proved that it holds the key, so both are in it together
		if slices.Contains(keys[:i], keys[i]) {
			return &closeFault{seat, []int{ex.From.List()[slices.Index(keys, keys[i])], seat}, bad(FaultPossession, "two seats show one key")}
		}
	}
	st.joint = st.suite.Sum(keys...)
	if err := st.suite.ValidKey(st.joint); err != nil {
		return fmt.Errorf("joint key: %w", err)
	}
	st.seatAt = st.roster.seating(seed.Sum(nil))
	st.stage = atShare
	if Quorum(len(keys), st.choices.tolerate()) == len(keys) {
		return st.begin()
	}
	return nil
}

// places shuffles the seats around the table by the joint seed (Fisher-Yates with rejection).
func places(n int, seed []byte) []int8 {
	order := make([]int8, n)
	for i := range order {
		order[i] = int8(i)
	}
	for i, count := n-1, uint32(0); i > 0; {
		h := sha512.Sum512(binary.BigEndian.AppendUint32(append([]byte(nil), seed...), count))
		count++
		r := binary.BigEndian.Uint64(h[:8])
		if bound := uint64(i + 1); r < -bound%bound {
			continue
		} else {
			j := int(r % bound)
			order[i], order[j] = order[j], order[i]
			i--
		}
	}
	return order
}

// recipients are the members that get a share of dealer's key: all others.
func (st *state) recipients(dealer int) []Recipient {
	var to []Recipient
	for _, s := range st.members.List() {
		if s != dealer {
			to = append(to, Recipient{Seat: uint8(s), Key: st.share[s]})
		}
	}
	return to
}

func (st *state) threshold() int { return Quorum(st.members.Count(), st.choices.tolerate()) }

func speakShare(st *state, _ Expect, p Place, me *party) (any, error) {
	return st.suite.Deal(me.rand, p, me.x, st.threshold(), st.recipients(int(p.Seat)))
}

func readShare(st *state, _ Expect, p Place, body []byte) (part, *Misdeed) {
	var d Dealing
	if err := decode(body, &d); err != nil {
		return part{}, bad(FaultShape, "share: %v", err)
	}
	to := st.recipients(int(p.Seat))
	if len(d.Commitments) != st.threshold() || len(d.Shares) != len(to) {
		return part{}, bad(FaultShape, "share: %d commitments and %d shares", len(d.Commitments), len(d.Shares))
	}
	if d.Commitments[0] != st.key(int(p.Seat)) {
		return part{}, bad(FaultDealing, "the shared key is not the seat's card key")
	}
	return part{body: d, checks: []Check{
		st.suite.CheckDealing(p, to, d),
	}}, nil
}

func closeShare(st *state, ex Expect, parts []*part) error {
	st.dealt, st.dealtAt = make([]Dealing, MaxSeats), st.at(0, ex)
	for _, s := range ex.From.List() {
		st.dealt[s] = parts[s].body.(Dealing)
	}
	if st.stage == atShare {
		st.stage = atCheck
	}
	return nil
}

type checkPart struct {
	_          struct{} `cbor:",toarray"`
	Complaints []Complaint
}

func speakCheck(st *state, _ Expect, p Place, me *party) (any, error) {
	var b checkPart
	for _, s := range st.members.List() {
		if s == me.seat {
			continue
		}
		if _, err := st.suite.OpenShare(st.sharedAt(s), st.recipients(s), st.dealt[s], me.z, me.seat); err == nil {
			continue
		}
		c, err := st.suite.Complain(me.rand, p, st.sharedAt(s), st.recipients(s), st.dealt[s], me.z)
		if err != nil {
			return nil, err
		}
		b.Complaints = append(b.Complaints, c)
	}
	return b, nil
}

// sharedAt is the place of a dealing of the share round that the open check round is about.
func (st *state) sharedAt(dealer int) Place {
	p := st.dealtAt
	p.Seat = uint8(dealer)
	return p
}

func readCheck(st *state, _ Expect, p Place, body []byte) (part, *Misdeed) {
	var b checkPart
	if err := decode(body, &b); err != nil {
		return part{}, bad(FaultShape, "check: %v", err)
	}
	for i, c := range b.Complaints {
		if !st.members.Has(int(c.Dealer)) || c.Dealer == p.Seat || i > 0 && b.Complaints[i-1].Dealer >= c.Dealer {
			return part{}, bad(FaultShape, "complaint about seat %d", c.Dealer)
		}
		dealer := int(c.Dealer)
		if err := st.suite.JudgeComplaint(p, st.sharedAt(dealer), st.recipients(dealer), st.dealt[dealer], c); err != nil {
			return part{}, bad(FaultComplaint, "about seat %d: %v", dealer, err)
		}
	}
	return part{body: b}, nil
}

func closeCheck(st *state, ex Expect, parts []*part) error {
	for _, s := range ex.From.List() {
		for _, c := range parts[s].body.(checkPart).Complaints {
			return &closeFault{int(c.Dealer), []int{s}, bad(FaultDealing, "the share for seat %d does not match its commitments", s)}
		}
	}
	st.current = &sharing{Members: st.members, Threshold: uint8(st.threshold()), Commitments: make([][]Point, MaxSeats)}
	for _, s := range st.members.List() {
		st.current.Commitments[s] = st.dealt[s].Commitments
	}
	st.holders, st.dealings, st.dealingsAt, st.shareKeys = st.members, st.dealt, st.dealtAt, st.share
	st.dealt = nil
	if st.game != nil {
		return st.settle()
	}
	return st.begin()
}

// begin opens the packs and starts the engine.
func (st *state) begin() error {
	g, err := engine.New(st.rules, engine.Setup{Seats: len(st.seatAt), Options: st.choices.Engine, Former: st.roster.former(st.seatAt)})
	if err != nil {
		return err
	}
	st.game = g
	st.packs = &packs{card: map[Point]int16{}}
	for _, p := range g.Packs() {
		if len(p.Faces) > maxPile {
			return fmt.Errorf("a pile of %d cards", len(p.Faces))
		}
		st.packs.face[p.Pile] = p.Faces
		for i := range p.Faces {
			st.packs.card[st.suite.CardPoint(uint8(p.Pile), uint16(i))] = int16(i)
			st.slots = append(st.slots, slot{ID: p.First + engine.Slot(i), Pile: p.Pile, Card: int16(i), Owner: -1})
		}
	}
	sortSlots(st.slots)
	st.stage = atPlay
	return st.settle()
}
