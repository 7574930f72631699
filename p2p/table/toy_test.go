package table

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"sort"
)

// toy is a suite without security, for simulations by the thousand: the group is the numbers modulo a prime, so that
// everybody could take logarithms, and does, to check statements directly. What lies are told is found out as by the
// real suite.
type toy struct {
	layers func(p Place, key, base Point) // told of every layer that somebody made
	drawn  func(sum Point)                // told of every coin
}

const prime = 1<<61 - 1

func mulMod(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return addMod(lo&prime, (hi<<3|lo>>61)%prime)
}
func addMod(a, b uint64) uint64 { return (a + b) % prime }
func negMod(a uint64) uint64    { return (prime - a%prime) % prime }

func powMod(a, n uint64) uint64 {
	r := uint64(1)
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			r = mulMod(r, a)
		}
		a = mulMod(a, a)
	}
	return r
}

func num(p Point) uint64 { return binary.BigEndian.Uint64(p[:8]) % prime }

func pt(n uint64) (p Point) {
	binary.BigEndian.PutUint64(p[:8], n%prime)
	return p
}

func hashed(parts ...any) uint64 {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%v|", p)
	}
	return binary.BigEndian.Uint64(h.Sum(nil))%(prime-1) + 1
}

type toySecret uint64

func (s toySecret) Public() Point { return pt(uint64(s)) }
func (s toySecret) Bytes() []byte { p := pt(uint64(s)); return p[:] }

type toyCheck func() error

func (c toyCheck) Verify() error { return c() }

var errToy = errors.New("false statement")

// stamp binds a proof to its place and statement.
func stamp(p Place, parts ...any) []byte {
	b := make([]byte, 0, 1024)
	b = append(append(b, p.Table[:]...), p.Head[:]...)
	for _, n := range []uint32{p.Round, uint32(p.Seat), uint32(p.Kind), p.Need, p.Pass} {
		b = binary.BigEndian.AppendUint32(b, n)
	}
	for _, x := range parts {
		b = append(written(b, x), '|')
	}
	h := sha256.Sum256(b)
	return h[:]
}

// written appends a part of a statement.
func written(b []byte, part any) []byte {
	switch x := part.(type) {
	case byte:
		return append(b, x)
	case string:
		return append(b, x...)
	case Point:
		return append(b, x[:]...)
	case uint32:
		return binary.BigEndian.AppendUint32(b, x)
	case []uint32:
		for _, n := range x {
			b = binary.BigEndian.AppendUint32(b, n)
		}
	case []Point:
		for i := range x {
			b = append(b, x[i][:]...)
		}
	case Cipher:
		return append(append(b, x.C1[:]...), x.C2[:]...)
	case []Cipher:
		for i := range x {
			b = written(b, x[i])
		}
	case [][]byte:
		for _, s := range x {
			b = append(append(b, s...), ',')
		}
	default:
		panic(fmt.Sprintf("a statement about %T", part))
	}
	return b
}

func claimed(ok bool, proof []byte, p Place, parts ...any) error {
	if !ok || !bytes.Equal(proof, stamp(p, parts...)) {
		return errToy
	}
	return nil
}

func (toy) Sign(k ed25519.PrivateKey, text []byte) []byte {
	h := sha512.Sum512(append(slices.Clone(k.Public().(ed25519.PublicKey)), text...))
	return h[:]
}

func (toy) Verify(k ed25519.PublicKey, text, sig []byte) bool {
	h := sha512.Sum512(append(slices.Clone(k), text...))
	return bytes.Equal(h[:], sig)
}

func (toy) NewSecret(r io.Reader) (Secret, error) {
	var b [8]byte
	if _, err := io.ReadFull(r, b[:]); err != nil {
		return nil, err
	}
	return toySecret(binary.BigEndian.Uint64(b[:])%(prime-1) + 1), nil
}

func (toy) SecretFrom(b []byte) (Secret, error) {
	if len(b) != 32 || num(Point(b)) == 0 || pt(num(Point(b))) != Point(b) {
		return nil, errToy
	}
	return toySecret(num(Point(b))), nil
}

func (toy) ValidKey(p Point) error {
	if num(p) == 0 || pt(num(p)) != p {
		return errToy
	}
	return nil
}

func (t toy) ValidCipher(c Cipher) error {
	if t.ValidKey(c.C1) != nil || pt(num(c.C2)) != c.C2 {
		return errToy
	}
	return nil
}

func (toy) CardPoint(pile byte, card uint16) Point { return pt(hashed("card", pile, card)) }
func (toy) CoinPoint(t Hash, round, need uint32) Point {
	return pt(hashed("coin", t, round, need))
}
func (t toy) CoinNumber(sum Point, below int) int {
	if t.drawn != nil {
		t.drawn(sum)
	}
	return int(hashed("toss", num(sum)) % uint64(below))
}

func (toy) Sum(in ...Point) Point {
	var n uint64
	for _, p := range in {
		n = addMod(n, num(p))
	}
	return pt(n)
}
func (toy) Minus(a, b Point) Point { return pt(addMod(num(a), negMod(num(b)))) }
func (toy) Trivial(card, key Point) Cipher {
	return Cipher{C1: pt(1), C2: pt(addMod(num(card), num(key)))}
}

func open(key uint64, c Cipher) uint64 { return addMod(num(c.C2), negMod(mulMod(key, num(c.C1)))) }

func (toy) Read(s Secret, c Cipher) Point { return pt(open(uint64(s.(toySecret)), c)) }

func (toy) ProvePossession(_ io.Reader, p Place, label string, s Secret) []byte {
	return stamp(p, label, s.Public())
}
func (toy) CheckPossession(p Place, label string, key Point, proof []byte) Check {
	return toyCheck(func() error { return claimed(true, proof, p, label, key) })
}

func (t toy) random(r io.Reader) uint64 {
	s, err := t.NewSecret(r)
	if err != nil {
		panic(err)
	}
	return uint64(s.(toySecret))
}

func (t toy) Shuffle(r io.Reader, p Place, pile byte, key Point, inSlots, outSlots []uint32, in []Cipher) ([]Cipher, []byte, error) {
	out := slices.Clone(in)
	for i := len(out) - 1; i > 0; i-- {
		j := int(t.random(r) % uint64(i+1))
		out[i], out[j] = out[j], out[i]
	}
	for i := range out {
		rho := t.random(r)
		out[i] = Cipher{C1: pt(addMod(num(out[i].C1), rho)), C2: pt(addMod(num(out[i].C2), mulMod(rho, num(key))))}
	}
	return out, stamp(p, pile, key, inSlots, outSlots, in, out), nil
}

func (t toy) CheckShuffle(p Place, pile byte, key Point, inSlots, outSlots []uint32, in, out []Cipher, proof []byte) Check {
	return toyCheck(func() error {
		var a, b []uint64
		for i := range in {
			a, b = append(a, open(num(key), in[i])), append(b, open(num(key), out[i]))
		}
		sort.Slice(a, func(i, j int) bool { return a[i] < a[j] })
		sort.Slice(b, func(i, j int) bool { return b[i] < b[j] })
		return claimed(slices.Equal(a, b), proof, p, pile, key, inSlots, outSlots, in, out)
	})
}

func (t toy) Layers(_ io.Reader, p Place, s Secret, slots []uint32, bases []Point) ([]Point, []byte, error) {
	var out []Point
	for _, b := range bases {
		out = append(out, pt(mulMod(uint64(s.(toySecret)), num(b))))
		if t.layers != nil {
			t.layers(p, s.Public(), b)
		}
	}
	return out, stamp(p, s.Public(), slots, bases, out), nil
}

func (toy) CheckLayers(p Place, key Point, slots []uint32, bases, layers []Point, proof []byte) Check {
	return toyCheck(func() error {
		ok := len(bases) == len(layers) && len(slots) == len(bases)
		for i := range bases {
			ok = ok && num(layers[i]) == mulMod(num(key), num(bases[i]))
		}
		return claimed(ok, proof, p, key, slots, bases, layers)
	})
}

func (t toy) Refresh(r io.Reader, p Place, key Point, slots []uint32) ([]Cipher, []byte, error) {
	var out []Cipher
	for range slots {
		rho := t.random(r)
		out = append(out, Cipher{C1: pt(rho), C2: pt(mulMod(rho, num(key)))})
	}
	return out, stamp(p, key, slots, out), nil
}

func (toy) CheckRefresh(p Place, key Point, slots []uint32, out []Cipher, proof []byte) Check {
	return toyCheck(func() error {
		ok := true
		for _, c := range out {
			ok = ok && open(num(key), c) == 0
		}
		return claimed(ok, proof, p, key, slots, out)
	})
}

func (t toy) Retarget(r io.Reader, p Place, s Secret, slot uint32, in Cipher, target Point) (Cipher, []byte, error) {
	rho := t.random(r)
	out := Cipher{C1: pt(rho), C2: pt(addMod(open(uint64(s.(toySecret)), in), mulMod(rho, num(target))))}
	return out, stamp(p, s.Public(), slot, in, out, target), nil
}

func (toy) CheckRetarget(p Place, key Point, slot uint32, in, out Cipher, target Point, proof []byte) Check {
	return toyCheck(func() error {
		return claimed(open(num(key), in) == open(num(target), out), proof, p, key, slot, in, out, target)
	})
}

func polynomial(c []Point, seat uint8) uint64 {
	var y uint64
	for i := len(c) - 1; i >= 0; i-- {
		y = addMod(mulMod(y, uint64(seat)+1), num(c[i]))
	}
	return y
}

func (toy) PublicShare(c []Point, seat uint8) Point { return pt(polynomial(c, seat)) }

func weights(seats []uint8) []uint64 {
	var w []uint64
	for i, si := range seats {
		n, d := uint64(1), uint64(1)
		for j, sj := range seats {
			if i != j {
				n = mulMod(n, uint64(sj)+1)
				d = mulMod(d, addMod(uint64(sj)+1, negMod(uint64(si)+1)))
			}
		}
		w = append(w, mulMod(n, powMod(d, prime-2)))
	}
	return w
}

func (toy) Combine(seats []uint8, layers []Point) Point {
	var n uint64
	for i, w := range weights(seats) {
		n = addMod(n, mulMod(w, num(layers[i])))
	}
	return pt(n)
}

func (t toy) Recover(seats []uint8, shares [][]byte) (Secret, error) {
	var l []Point
	for _, s := range shares {
		l = append(l, Point(s))
	}
	p := t.Combine(seats, l)
	return t.SecretFrom(p[:])
}

func pad(eph, z uint64, seat uint8) uint64 { return hashed("pad", mulMod(eph, z), seat) }

func (t toy) Deal(r io.Reader, p Place, s Secret, threshold int, to []Recipient) (Dealing, error) {
	d := Dealing{Commitments: []Point{s.Public()}}
	for range threshold - 1 {
		d.Commitments = append(d.Commitments, pt(t.random(r)))
	}
	eph := t.random(r)
	d.Ephemeral = pt(eph)
	for _, rec := range to {
		b := pt(addMod(polynomial(d.Commitments, rec.Seat), pad(eph, num(rec.Key), rec.Seat)))
		d.Shares = append(d.Shares, b[:])
	}
	d.Proof = stamp(p, d.Commitments, d.Ephemeral, d.Shares)
	return d, nil
}

func (toy) CheckDealing(p Place, to []Recipient, d Dealing) Check {
	return toyCheck(func() error {
		ok := len(d.Shares) == len(to)
		for _, s := range d.Shares {
			ok = ok && len(s) == 32
		}
		return claimed(ok, d.Proof, p, d.Commitments, d.Ephemeral, d.Shares)
	})
}

func (t toy) share(to []Recipient, d Dealing, seat int) (uint64, bool) {
	for i, r := range to {
		if int(r.Seat) == seat {
			s := addMod(num(Point(d.Shares[i])), negMod(pad(num(d.Ephemeral), num(r.Key), r.Seat)))
			return s, s == polynomial(d.Commitments, r.Seat)
		}
	}
	return 0, false
}

func (t toy) OpenShare(_ Place, to []Recipient, d Dealing, z Secret, seat int) ([]byte, error) {
	for _, r := range to {
		if int(r.Seat) == seat && r.Key != z.Public() {
			return nil, errors.New("not the key of this seat")
		}
	}
	s, ok := t.share(to, d, seat)
	if !ok {
		return nil, errToy
	}
	b := pt(s)
	return b[:], nil
}

func (t toy) Complain(_ io.Reader, at, p Place, to []Recipient, d Dealing, z Secret) (Complaint, error) {
	return Complaint{Dealer: p.Seat, Key: z.Public(), Proof: stamp(at, "complaint", p.Seat)}, nil
}

func (t toy) JudgeComplaint(at, p Place, to []Recipient, d Dealing, c Complaint) error {
	if err := claimed(true, c.Proof, at, "complaint", p.Seat); err != nil {
		return err
	}
	if _, ok := t.share(to, d, int(at.Seat)); ok {
		return errors.New("the share is in order")
	}
	return nil
}

func (toy) VerifyAll(checks []Check) (int, error) {
	for i, c := range checks {
		if err := c.Verify(); err != nil {
			return i, err
		}
	}
	return -1, nil
}
