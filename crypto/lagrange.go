package crypto

import (
	"fmt"

	"filippo.io/edwards25519"
)

// PublicShare is f(seat+1)·G computed from the commitments to f: the key against
// which the share of that seat, and every layer made with it, is checked.
func PublicShare(commitments []Point, seat uint8) Point {
	x := smallScalar(uint64(seat) + 1)
	power := oneScalar
	powers := make([]Scalar, len(commitments))
	for k := range powers {
		powers[k] = power
		power = power.mul(x)
	}
	return varTimeSum(powers, commitments)
}

// lagrange are the coefficients λ_i with Σ λ_i·f(seat_i+1) = f(0) for every f of
// degree below len(seats).
func lagrange(seats []uint8) ([]Scalar, error) {
	if len(seats) < 1 || len(seats) > MaxSeats {
		return nil, fmt.Errorf("%d helpers: %w", len(seats), ErrLength)
	}
	list := make([]Scalar, len(seats))
	for i, si := range seats {
		num, den := oneScalar, oneScalar
		xi := smallScalar(uint64(si) + 1)
		for j, sj := range seats {
			if i == j {
				continue
			}
			if si == sj {
				return nil, fmt.Errorf("helper %d twice: %w", si, ErrLength)
			}
			xj := smallScalar(uint64(sj) + 1)
			num, den = num.mul(xj), den.mul(xj.sub(xi))
		}
		var inverse edwards25519.Scalar
		inverse.Invert(&den.s)
		list[i] = num.mul(Scalar{inverse})
	}
	return list, nil
}

// CombineLayers joins the layers that helpers made with their shares of one
// secret x on one base into the layer x·base, in the exponent: nobody learns x.
// layers[i] is that of seats[i]; there must be exactly threshold of them, each
// verified against PublicShare. Errors: no or too many seats, or one twice.
func CombineLayers(seats []uint8, layers []Point) (Point, error) {
	if len(layers) != len(seats) {
		return Point{}, fmt.Errorf("combine %d layers of %d helpers: %w", len(layers), len(seats), ErrLength)
	}
	lambda, err := lagrange(seats)
	if err != nil {
		return Point{}, fmt.Errorf("combine layers: %w", err)
	}
	return varTimeSum(lambda, layers), nil
}

// CombineShares recovers the secret itself from threshold published shares, for
// the audit of a seat that does not show its key at the end.
func CombineShares(seats []uint8, shares []*Secret) (*Secret, error) {
	if len(shares) != len(seats) {
		return nil, fmt.Errorf("combine %d shares of %d helpers: %w", len(shares), len(seats), ErrLength)
	}
	lambda, err := lagrange(seats)
	if err != nil {
		return nil, fmt.Errorf("combine shares: %w", err)
	}
	var x Scalar
	for i, s := range shares {
		x = lambda[i].mulAdd(s.x, x)
	}
	if x.isZero() {
		return nil, fmt.Errorf("combine shares: %w", ErrIdentity)
	}
	return &Secret{x, mulBase(&x)}, nil
}
