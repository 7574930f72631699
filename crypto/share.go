package crypto

import (
	"crypto/sha512"
	"errors"
	"fmt"
	"io"
)

// MaxSeats is the largest number of recipients of a dealing.
const MaxSeats = 16

// ErrShare says that the share for this seat is not the one the dealer committed
// to. The recipient answers with a Complaint.
var ErrShare = errors.New("the share does not match its commitments")

// Polynomial is a dealer's secret: f of degree threshold-1 with f(0) = x. Seat i
// holds f(i+1) (P. Feldman, FOCS 1987). Any threshold shares determine x, fewer say
// nothing about it.
type Polynomial struct{ coeffs []Scalar }

// NewPolynomial draws all coefficients but the first, which is the secret.
// Errors: threshold outside 1…MaxSeats, or rand failed.
func NewPolynomial(rand io.Reader, s *Secret, threshold int) (*Polynomial, error) {
	if threshold < 1 || threshold > MaxSeats {
		return nil, fmt.Errorf("polynomial: threshold %d: %w", threshold, ErrLength)
	}
	p := &Polynomial{coeffs: make([]Scalar, threshold)}
	p.coeffs[0] = s.x
	for i := 1; i < threshold; i++ {
		a, err := NewSecret(rand) // never zero: the degree is what was promised
		if err != nil {
			return nil, err
		}
		p.coeffs[i] = a.x
	}
	return p, nil
}

// Commitments are the coefficients times G, the first being the dealer's key.
func (p *Polynomial) Commitments() []Point {
	list := make([]Point, len(p.coeffs))
	for i := range list {
		list[i] = mulBase(&p.coeffs[i])
	}
	return list
}

// at is f(seat+1); never f(0).
func (p *Polynomial) at(seat uint8) Scalar {
	x := smallScalar(uint64(seat) + 1)
	var y Scalar
	for i := len(p.coeffs) - 1; i >= 0; i-- {
		y = y.mulAdd(x, p.coeffs[i])
	}
	return y
}

// Wipe forgets the polynomial.
func (p *Polynomial) Wipe() { clear(p.coeffs) }

// Recipient is a seat and the key Z that its shares are encrypted under. Z is
// used for nothing else.
type Recipient struct {
	Seat uint8
	Key  Point
}

// Dealing distributes shares of the secret behind Commitments[0] among the
// recipients. Everybody checks its shape and that the sayer knows the scalar r of
// Ephemeral = r·G: otherwise a recipient's complaint, which shows z·Ephemeral,
// could be made to open somebody else's ciphertext. Whether a share is right
// only its recipient can see (Receive).
//
// Shares[k] = f(i+1) + SHA-512(label ‖ table ‖ round ‖ dealer ‖ i ‖ r·Z_i) mod ℓ.
type Dealing struct {
	Place                   // Seat is the dealer
	Commitments []Point     // threshold points
	Recipients  []Recipient // ascending seats; fixed by the rules, not by the sayer
	Ephemeral   Point
	Shares      []Scalar // one for each recipient
	Proof       []byte   // A ‖ z, 64 bytes
}

// Deal shares s out with a fresh polynomial, which it returns for the caller to
// keep until the next sharing is in force.
// Errors: bad threshold or recipients, or rand failed.
func Deal(rand io.Reader, p Place, s *Secret, threshold int, recipients []Recipient) (Dealing, *Polynomial, error) {
	f, err := NewPolynomial(rand, s, threshold)
	if err != nil {
		return Dealing{}, nil, err
	}
	r, err := NewSecret(rand)
	if err != nil {
		return Dealing{}, nil, err
	}
	d := Dealing{Place: p, Commitments: f.Commitments(), Recipients: recipients, Ephemeral: r.pub}
	for _, to := range recipients {
		d.Shares = append(d.Shares, f.at(to.Seat).add(d.pad(to.Seat, r.Layer(to.Key))))
	}
	if err := d.check(); err != nil {
		return Dealing{}, nil, err
	}
	t := d.transcript()
	n, err := newNonces(rand, t, &r.x, &s.x)
	if err != nil {
		return Dealing{}, nil, err
	}
	k := n.next()
	a := mulBase(&k)
	t.point("A", a)
	d.Proof = append(a.Bytes(), t.challenge("e").mulAdd(r.x, k).Bytes()...)
	return d, f, nil
}

// pad hides the share of one recipient; common is r·Z_i = z_i·R.
func (d *Dealing) pad(seat uint8, common Point) Scalar {
	h := sha512.New()
	writeItem(h, "suite", []byte(suite))
	writeItem(h, "share", d.Table[:])
	t := transcript{h}
	t.number("round", d.Round)
	t.number("dealer", uint32(d.Seat))
	t.number("recipient", uint32(seat))
	t.point("common", common)
	var wide [64]byte
	h.Sum(wide[:0])
	return wideScalar(&wide)
}

func (d Dealing) check() error {
	n := len(d.Recipients)
	if len(d.Commitments) < 1 || len(d.Commitments) > MaxSeats || n > MaxSeats || len(d.Shares) != n {
		return fmt.Errorf("dealing: %d commitments, %d recipients, %d shares: %w",
			len(d.Commitments), n, len(d.Shares), ErrLength)
	}
	if d.Ephemeral.IsIdentity() {
		return fmt.Errorf("dealing: ephemeral: %w", ErrIdentity)
	}
	for _, c := range d.Commitments { // a vanishing coefficient lowers the degree
		if c.IsIdentity() {
			return fmt.Errorf("dealing: commitment: %w", ErrIdentity)
		}
	}
	for i, r := range d.Recipients {
		if r.Key.IsIdentity() || PublicShare(d.Commitments, r.Seat).IsIdentity() {
			return fmt.Errorf("dealing: seat %d: %w", r.Seat, ErrIdentity)
		}
		if i > 0 && r.Seat <= d.Recipients[i-1].Seat {
			return fmt.Errorf("dealing: recipients out of order: %w", ErrLength)
		}
	}
	return nil
}

func (d Dealing) transcript() transcript {
	t := newTranscript("dealing", &d.Place)
	t.points("commitments", d.Commitments)
	for _, r := range d.Recipients {
		t.number("recipient", uint32(r.Seat))
		t.point("key", r.Key)
	}
	for _, s := range d.Shares {
		t.bytes("share", s.Bytes())
	}
	t.point("ephemeral", d.Ephemeral)
	return t
}

// Verify checks the shape and the proof of knowledge.
func (d Dealing) Verify() error { return verify(d) }

func (d Dealing) claim() (*claim, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	r, err := newProofReader(d.Proof, 2)
	if err != nil {
		return nil, fmt.Errorf("dealing: %w", err)
	}
	a, z := r.point(), r.scalar()
	if r.err != nil {
		return nil, fmt.Errorf("dealing: %w", r.err)
	}
	t := d.transcript()
	t.point("A", a)
	e := t.challenge("e")
	t.bytes("response", z.Bytes())
	c := newClaim(t)
	c.row(row{{z, generator}, {minusOne, a}, {e.neg(), d.Ephemeral}})
	return c, nil
}

// Receive decrypts the share of seat with its share key z and checks it against
// the commitments. The error wraps ErrShare when the dealer is at fault; any
// other means that the caller is not that recipient.
func (d Dealing) Receive(z *Secret, seat uint8) (*Secret, error) {
	k := d.recipient(seat)
	if k < 0 || !d.Recipients[k].Key.Equal(z.pub) {
		return nil, fmt.Errorf("dealing: seat %d with this key is no recipient", seat)
	}
	return d.open(k, z.Layer(d.Ephemeral))
}

// open takes the pad off share k and checks the share.
func (d *Dealing) open(k int, common Point) (*Secret, error) {
	seat := d.Recipients[k].Seat
	x := d.Shares[k].sub(d.pad(seat, common))
	s := &Secret{x, mulBase(&x)}
	if x.isZero() || !s.pub.Equal(PublicShare(d.Commitments, seat)) {
		return nil, fmt.Errorf("dealing by seat %d to seat %d: %w", d.Seat, seat, ErrShare)
	}
	return s, nil
}

// recipient is the index of seat in d, or -1.
func (d *Dealing) recipient(seat uint8) int {
	if len(d.Shares) != len(d.Recipients) {
		return -1
	}
	for k, r := range d.Recipients {
		if r.Seat == seat {
			return k
		}
	}
	return -1
}
