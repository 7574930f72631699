package table

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"standoff/engine"
)

// MaxSeats is the largest table.
const MaxSeats = engine.MaxSeats

// signed is a text with a signature over a domain and the text.
type signed struct {
	_    struct{} `cbor:",toarray"`
	Text []byte
	Sig  []byte
}

func sign(s Suite, domain string, key ed25519.PrivateKey, v any) signed {
	t := encode(v)
	return signed{Text: t, Sig: s.Sign(key, append([]byte(domain), t...))}
}

func (b signed) open(s Suite, domain string, key ed25519.PublicKey) error {
	if len(b.Sig) != sigSize || !s.Verify(key, append([]byte(domain), b.Text...), b.Sig) {
		return errors.New("signature does not verify")
	}
	return nil
}

// Offer is the proposal of a table: everything that the players agree on before they sit down.
type Offer struct {
	_        struct{} `cbor:",toarray"`
	Protocol uint8
	Name     string      // of the table, at most 40 bytes
	Rules    string      // version of the rules, see [RulesVersion]
	Sets     []string    // boxes in play
	Options  [][2]string // every option, of the rules and of the table, with its value, in the order of the tables
	Seats    uint8
	Opener   []byte // Ed25519 public key
	Random   Hash
	Former   *Former // the game before, nil for a first game
}

// Join is a player's signed wish to sit down at an offered table.
type Join struct {
	_      struct{} `cbor:",toarray"`
	Offer  Hash     // SHA-256 of the offer's text
	Key    []byte
	Nick   string // at most 24 bytes
	Bot    bool   // a program plays this seat
	Random Hash
}

const (
	offerDomain  = "standoff/offer/1"
	joinDomain   = "standoff/join/1"
	rosterDomain = "standoff/roster/1"
)

// SignOffer completes o with the opener's key and fresh random bytes, and signs it.
func SignOffer(s Suite, o Offer, key ed25519.PrivateKey, rand io.Reader) ([]byte, error) {
	o.Protocol, o.Opener = Version, key.Public().(ed25519.PublicKey)
	if _, err := io.ReadFull(rand, o.Random[:]); err != nil {
		return nil, fmt.Errorf("random bytes for the offer: %w", err)
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	return encode(sign(s, offerDomain, key, o)), nil
}

// ReadOffer checks a signed offer; hash is what a Join names.
func ReadOffer(s Suite, b []byte) (o Offer, hash Hash, err error) {
	var w signed
	if len(b) > MaxRoster {
		return o, hash, fmt.Errorf("offer of %d bytes", len(b))
	}
	if err := decode(b, &w); err != nil {
		return o, hash, fmt.Errorf("offer: %w", err)
	}
	if err := decode(w.Text, &o); err != nil {
		return o, hash, fmt.Errorf("offer: %w", err)
	}
	if err := o.check(); err != nil {
		return o, hash, err
	}
	if err := w.open(s, offerDomain, o.Opener); err != nil {
		return o, hash, fmt.Errorf("offer: %w", err)
	}
	return o, sha256.Sum256(w.Text), nil
}

func (o *Offer) check() error {
	switch {
	case o.Protocol != Version:
		return fmt.Errorf("offer: protocol version %d, this program speaks %d", o.Protocol, Version)
	case len(o.Opener) != ed25519.PublicKeySize:
		return errors.New("offer: the opener's key has the wrong length")
	case o.Seats < 3 || int(o.Seats) > MaxSeats:
		return fmt.Errorf("offer: %d seats, a table has 3 to %d", o.Seats, MaxSeats)
	case len(o.Name) > 40 || !utf8.ValidString(o.Name):
		return errors.New("offer: the name of the table is too long")
	case len(o.Rules) > 40 || len(o.Sets) > 16 || len(o.Options) > 128:
		return errors.New("offer: too many sets or options")
	}
	for _, p := range o.Options {
		if len(p[0])+len(p[1]) > 64 {
			return errors.New("offer: an option is too long")
		}
	}
	for _, n := range o.Sets {
		if len(n) > 32 {
			return errors.New("offer: the name of a set is too long")
		}
	}
	if o.Former != nil {
		return o.Former.check()
	}
	return nil
}

// SignJoin answers an offer.
func SignJoin(s Suite, offer Hash, nick string, bot bool, key ed25519.PrivateKey, rand io.Reader) ([]byte, error) {
	j := Join{Offer: offer, Key: key.Public().(ed25519.PublicKey), Nick: nick, Bot: bot}
	if _, err := io.ReadFull(rand, j.Random[:]); err != nil {
		return nil, fmt.Errorf("random bytes for the join: %w", err)
	}
	if err := j.check(); err != nil {
		return nil, err
	}
	return encode(sign(s, joinDomain, key, j)), nil
}

func (j *Join) check() error {
	switch {
	case len(j.Key) != ed25519.PublicKeySize:
		return errors.New("join: the key has the wrong length")
	case j.Nick == "" || len(j.Nick) > 24 || !utf8.ValidString(j.Nick):
		return errors.New("join: a nick has 1 to 24 bytes")
	}
	for _, r := range j.Nick {
		if r < ' ' || r == 0x7f {
			return errors.New("join: a nick holds no control characters")
		}
	}
	return nil
}

// ReadJoin checks a signed join.
func ReadJoin(s Suite, b []byte) (Join, error) {
	var w signed
	var j Join
	if len(b) > MaxWish {
		return j, fmt.Errorf("join of %d bytes", len(b))
	}
	if err := decode(b, &w); err != nil {
		return j, fmt.Errorf("join: %w", err)
	}
	if err := decode(w.Text, &j); err != nil {
		return j, fmt.Errorf("join: %w", err)
	}
	if err := j.check(); err != nil {
		return j, err
	}
	if err := w.open(s, joinDomain, j.Key); err != nil {
		return j, fmt.Errorf("join: %w", err)
	}
	return j, nil
}

// rosterText is what the opener signs: the offer and the joins in the order of their keys.
type rosterText struct {
	_     struct{} `cbor:",toarray"`
	Offer []byte
	Joins [][]byte
}

// Roster is a checked list of who sits down. Seat i is Joins[i].
type Roster struct {
	Offer Offer
	Joins []Join
	Table Hash   // T, the name of the game for ever
	Raw   []byte // as signed by the opener
}

// SignRoster orders the joins by key and signs the list. The opener gains no later power by it.
func SignRoster(s Suite, offer []byte, joins [][]byte, key ed25519.PrivateKey) ([]byte, error) {
	keys := map[int][]byte{}
	order := make([]int, len(joins))
	for i, b := range joins {
		j, err := ReadJoin(s, b)
		if err != nil {
			return nil, err
		}
		keys[i], order[i] = j.Key, i
	}
	for i := range order { // insertion sort: eight at most
		for k := i; k > 0 && bytes.Compare(keys[order[k]], keys[order[k-1]]) < 0; k-- {
			order[k], order[k-1] = order[k-1], order[k]
		}
	}
	t := rosterText{Offer: offer}
	for _, i := range order {
		t.Joins = append(t.Joins, joins[i])
	}
	raw := encode(sign(s, rosterDomain, key, t))
	_, err := ReadRoster(s, raw)
	return raw, err
}

// ReadRoster checks every signature and the order of a roster.
func ReadRoster(s Suite, raw []byte) (Roster, error) {
	var w signed
	var t rosterText
	r := Roster{Raw: raw}
	if len(raw) > MaxRoster {
		return r, fmt.Errorf("roster of %d bytes", len(raw))
	}
	if err := decode(raw, &w); err != nil {
		return r, fmt.Errorf("roster: %w", err)
	}
	if err := decode(w.Text, &t); err != nil {
		return r, fmt.Errorf("roster: %w", err)
	}
	offer, id, err := ReadOffer(s, t.Offer)
	if err != nil {
		return r, fmt.Errorf("roster: %w", err)
	}
	if err := w.open(s, rosterDomain, offer.Opener); err != nil {
		return r, fmt.Errorf("roster: %w", err)
	}
	if len(t.Joins) != int(offer.Seats) {
		return r, fmt.Errorf("roster: %d players for %d seats", len(t.Joins), offer.Seats)
	}
	for i, b := range t.Joins {
		j, err := ReadJoin(s, b)
		if err != nil {
			return r, fmt.Errorf("roster: player %d: %w", i, err)
		}
		if j.Offer != id {
			return r, fmt.Errorf("roster: player %d joined another offer", i)
		}
		if i > 0 && bytes.Compare(r.Joins[i-1].Key, j.Key) >= 0 {
			return r, errors.New("roster: players are not in the order of their keys")
		}
		r.Joins = append(r.Joins, j)
	}
	r.Offer, r.Table = offer, sha256.Sum256(w.Text)
	return r, nil
}

// SeatOf returns the seat of a key, -1 for a stranger.
func (r *Roster) SeatOf(key ed25519.PublicKey) int {
	for i, j := range r.Joins {
		if bytes.Equal(j.Key, key) {
			return i
		}
	}
	return -1
}
