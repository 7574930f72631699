package table

import (
	"fmt"
	"io"

	"standoff/crypto"
)

// ProvePossession implements [Suite].
func (r *Ristretto) ProvePossession(rand io.Reader, p Place, label string, s Secret) []byte {
	proof, err := crypto.ProvePossession(rand, place(p), label, s.(secret).Secret)
	if err != nil {
		return nil // the reader failed; nobody will accept the say
	}
	return proof
}

// CheckPossession implements [Suite].
func (r *Ristretto) CheckPossession(p Place, label string, key Point, proof []byte) Check {
	k, err := r.point(key)
	if err != nil {
		return refused{err}
	}
	return crypto.Possession{Place: place(p), Label: label, Key: k, Proof: proof}
}

// Shuffle implements [Suite].
func (r *Ristretto) Shuffle(rand io.Reader, p Place, pile uint8, key Point, inSlots, outSlots []uint32, in []Cipher) ([]Cipher, []byte, error) {
	k, err := r.point(key)
	if err != nil {
		return nil, nil, err
	}
	cs, err := r.ciphers(in)
	if err != nil {
		return nil, nil, err
	}
	st, _, err := crypto.Shuffle(rand, place(p), pile, k, inSlots, outSlots, cs)
	if err != nil {
		return nil, nil, err
	}
	out := make([]Cipher, len(st.Out))
	for i, c := range st.Out {
		out[i] = r.encipher(c)
	}
	return out, st.Proof, nil
}

// CheckShuffle implements [Suite].
func (r *Ristretto) CheckShuffle(p Place, pile uint8, key Point, inSlots, outSlots []uint32, in, out []Cipher, proof []byte) Check {
	k, err := r.point(key)
	if err != nil {
		return refused{err}
	}
	a, err := r.ciphers(in)
	if err != nil {
		return refused{err}
	}
	b, err := r.ciphers(out)
	if err != nil {
		return refused{err}
	}
	return crypto.ShuffleStatement{Place: place(p), Deck: pile, Key: k, InSlots: inSlots, OutSlots: outSlots, In: a, Out: b, Proof: proof}
}

// opStrip is what the table uses layers for in strip, own and act rounds; the kind of the round is in the place.
const opStrip = 1

// Layers implements [Suite].
func (r *Ristretto) Layers(rand io.Reader, p Place, s Secret, slots []uint32, bases []Point) ([]Point, []byte, error) {
	b, err := r.list(bases)
	if err != nil {
		return nil, nil, err
	}
	layers, proof, err := crypto.ProveLayers(rand, place(p), opStrip, s.(secret).Secret, slots, b)
	if err != nil {
		return nil, nil, err
	}
	out := make([]Point, len(layers))
	for i, l := range layers {
		out[i] = r.encode(l)
	}
	return out, proof, nil
}

// CheckLayers implements [Suite].
func (r *Ristretto) CheckLayers(p Place, key Point, slots []uint32, bases, layers []Point, proof []byte) Check {
	k, err := r.point(key)
	if err != nil {
		return refused{err}
	}
	b, err := r.list(bases)
	if err != nil {
		return refused{err}
	}
	l, err := r.list(layers)
	if err != nil {
		return refused{err}
	}
	return crypto.LayersStatement{Place: place(p), Op: opStrip, Key: k, Slots: slots, Bases: b, Layers: l, Proof: proof}
}

// Retarget implements [Suite].
func (r *Ristretto) Retarget(rand io.Reader, p Place, s Secret, slot uint32, in Cipher, target Point) (Cipher, []byte, error) {
	c, err := r.cipher(in)
	if err != nil {
		return Cipher{}, nil, err
	}
	t, err := r.point(target)
	if err != nil {
		return Cipher{}, nil, err
	}
	out, proof, err := crypto.Retarget(rand, place(p), s.(secret).Secret, slot, c, t)
	if err != nil {
		return Cipher{}, nil, err
	}
	return r.encipher(out), proof, nil
}

// CheckRetarget implements [Suite].
func (r *Ristretto) CheckRetarget(p Place, key Point, slot uint32, in, out Cipher, target Point, proof []byte) Check {
	k, err := r.point(key)
	if err != nil {
		return refused{err}
	}
	t, err := r.point(target)
	if err != nil {
		return refused{err}
	}
	c, err := r.ciphers([]Cipher{in, out})
	if err != nil {
		return refused{err}
	}
	return crypto.RetargetStatement{Place: place(p), Slot: slot, Key: k, Target: t, In: c[0], Out: c[1], Proof: proof}
}

// opWrap is what the table uses refreshes for.
const opWrap = 2

// Refresh implements [Suite].
func (r *Ristretto) Refresh(rand io.Reader, p Place, key Point, slots []uint32) ([]Cipher, []byte, error) {
	k, err := r.point(key)
	if err != nil {
		return nil, nil, err
	}
	list, proof, err := crypto.ProveRefresh(rand, place(p), opWrap, k, slots)
	if err != nil {
		return nil, nil, err
	}
	out := make([]Cipher, len(list))
	for i, c := range list {
		out[i] = r.encipher(c)
	}
	return out, proof, nil
}

// CheckRefresh implements [Suite].
func (r *Ristretto) CheckRefresh(p Place, key Point, slots []uint32, out []Cipher, proof []byte) Check {
	k, err := r.point(key)
	if err != nil {
		return refused{err}
	}
	list, err := r.ciphers(out)
	if err != nil {
		return refused{err}
	}
	return crypto.RefreshStatement{Place: place(p), Op: opWrap, Key: k, Slots: slots, Refreshes: list, Proof: proof}
}

// PublicShare implements [Suite].
func (r *Ristretto) PublicShare(commitments []Point, seat uint8) Point {
	list, err := r.list(commitments)
	if err != nil {
		return Point{}
	}
	return r.encode(crypto.PublicShare(list, seat))
}

// Combine implements [Suite].
func (r *Ristretto) Combine(seats []uint8, layers []Point) Point {
	list, err := r.list(layers)
	if err != nil {
		return Point{}
	}
	sum, err := crypto.CombineLayers(seats, list)
	if err != nil {
		return Point{}
	}
	return r.encode(sum)
}

// Recover implements [Suite].
func (r *Ristretto) Recover(seats []uint8, shares [][]byte) (Secret, error) {
	list := make([]*crypto.Secret, len(shares))
	for i, b := range shares {
		s, err := crypto.SecretFromBytes(b)
		if err != nil {
			return nil, err
		}
		list[i] = s
	}
	s, err := crypto.CombineShares(seats, list)
	if err != nil {
		return nil, err
	}
	return secret{s}, nil
}

func (r *Ristretto) recipients(to []Recipient) ([]crypto.Recipient, error) {
	var out []crypto.Recipient
	for _, t := range to {
		k, err := r.point(t.Key)
		if err != nil {
			return nil, err
		}
		out = append(out, crypto.Recipient{Seat: t.Seat, Key: k})
	}
	return out, nil
}

// Deal implements [Suite].
func (r *Ristretto) Deal(rand io.Reader, p Place, s Secret, threshold int, to []Recipient) (Dealing, error) {
	rs, err := r.recipients(to)
	if err != nil {
		return Dealing{}, err
	}
	d, f, err := crypto.Deal(rand, place(p), s.(secret).Secret, threshold, rs)
	if err != nil {
		return Dealing{}, err
	}
	f.Wipe()
	out := Dealing{Ephemeral: r.encode(d.Ephemeral), Proof: d.Proof}
	for _, c := range d.Commitments {
		out.Commitments = append(out.Commitments, r.encode(c))
	}
	for _, s := range d.Shares {
		out.Shares = append(out.Shares, s.Bytes())
	}
	return out, nil
}

func (r *Ristretto) dealing(p Place, to []Recipient, d Dealing) (crypto.Dealing, error) {
	out := crypto.Dealing{Place: place(p), Proof: d.Proof}
	var err error
	if out.Recipients, err = r.recipients(to); err != nil {
		return out, err
	}
	if out.Commitments, err = r.list(d.Commitments); err != nil {
		return out, err
	}
	if out.Ephemeral, err = r.point(d.Ephemeral); err != nil {
		return out, err
	}
	for _, b := range d.Shares {
		s, err := crypto.DecodeScalar(b)
		if err != nil {
			return out, err
		}
		out.Shares = append(out.Shares, s)
	}
	return out, nil
}

// CheckDealing implements [Suite].
func (r *Ristretto) CheckDealing(p Place, to []Recipient, d Dealing) Check {
	c, err := r.dealing(p, to, d)
	if err != nil {
		return refused{err}
	}
	return c
}

// OpenShare implements [Suite].
func (r *Ristretto) OpenShare(p Place, to []Recipient, d Dealing, z Secret, seat int) ([]byte, error) {
	c, err := r.dealing(p, to, d)
	if err != nil {
		return nil, err
	}
	s, err := c.Receive(z.(secret).Secret, uint8(seat))
	if err != nil {
		return nil, err
	}
	return s.Bytes(), nil
}

// Complain implements [Suite].
func (r *Ristretto) Complain(rand io.Reader, at, p Place, to []Recipient, d Dealing, z Secret) (Complaint, error) {
	c, err := r.dealing(p, to, d)
	if err != nil {
		return Complaint{}, err
	}
	out, err := crypto.Complain(rand, place(at), z.(secret).Secret, c)
	if err != nil {
		return Complaint{}, err
	}
	return Complaint{Dealer: p.Seat, Key: r.encode(out.Common), Proof: out.Proof}, nil
}

// JudgeComplaint implements [Suite].
func (r *Ristretto) JudgeComplaint(at, p Place, to []Recipient, d Dealing, c Complaint) error {
	dealing, err := r.dealing(p, to, d)
	if err != nil {
		return err
	}
	common, err := r.point(c.Key)
	if err != nil {
		return err
	}
	full := crypto.Complaint{Place: place(at), Dealing: dealing, Common: common, Proof: c.Proof}
	if err := full.Verify(); err != nil {
		return fmt.Errorf("the complaint proves nothing: %w", err)
	}
	if !full.DealerAtFault() {
		return fmt.Errorf("the share is in order")
	}
	return nil
}
