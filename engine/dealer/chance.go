package dealer

import (
	"fmt"
	"math/bits"
)

// Chance is where a dealer gets its luck from.
type Chance interface {
	// Perm fills p with a permutation of 0 … len(p)-1: fresh slot i gets the card that lay in place p[i].
	Perm(p []int) error
	// Below gives a number in [0, n), n > 0.
	Below(n int) (int, error)
}

// seeded is SplitMix64 (Steele, Lea, Flood 2014): eight bytes of state, the same sequence everywhere and for ever.
// It is no cryptographic generator; whoever runs a trusted dealer can see all cards anyway.
type seeded struct{ state uint64 }

func (s *seeded) next() uint64 {
	s.state += 0x9e3779b97f4a7c15
	z := s.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below is Lemire's multiplication with rejection: every number equally often.
func (s *seeded) below(n uint64) uint64 {
	hi, lo := bits.Mul64(s.next(), n)
	if lo < n {
		for floor := -n % n; lo < floor; {
			hi, lo = bits.Mul64(s.next(), n)
		}
	}
	return hi
}

func (s *seeded) Perm(p []int) error {
	for i := range p {
		j := int(s.below(uint64(i) + 1)) // inside-out Fisher and Yates
		p[i] = p[j]
		p[j] = i
	}
	return nil
}

func (s *seeded) Below(n int) (int, error) { return int(s.below(uint64(n))), nil }

// Seeded is the generator of [New]: SplitMix64, started at seed.
func Seeded(seed uint64) Chance { return &seeded{seed} }

// Order is luck laid down beforehand, in the order in which the engine asks for it.
type Order struct {
	Perms [][]int // one for each Shuffle and each Remask: fresh slot i gets the card of Old[perm[i]]
	Coins []int   // one for each Coin
}

// fixed deals out an Order.
type fixed struct{ Order }

func (f *fixed) Perm(p []int) error {
	if len(f.Perms) == 0 {
		return fmt.Errorf("the given order has no permutation left for %d cards", len(p))
	}
	q := f.Perms[0]
	if len(q) != len(p) {
		return fmt.Errorf("the next permutation of the given order has %d cards, not %d", len(q), len(p))
	}
	seen := make([]bool, len(q))
	for _, j := range q {
		if j < 0 || j >= len(q) || seen[j] {
			return fmt.Errorf("the next entry of the given order is no permutation: %v", q)
		}
		seen[j] = true
	}
	copy(p, q)
	f.Perms = f.Perms[1:]
	return nil
}

func (f *fixed) Below(n int) (int, error) {
	if len(f.Coins) == 0 {
		return 0, fmt.Errorf("the given order has no coin left")
	}
	c := f.Coins[0]
	if c < 0 || c >= n {
		return 0, fmt.Errorf("the next coin of the given order is %d, not below %d", c, n)
	}
	f.Coins = f.Coins[1:]
	return c, nil
}

// Record passes luck on from another source and writes it down, so that the game can be dealt again with
// [WithOrder].
type Record struct {
	From  Chance
	Order Order
}

// Perm implements [Chance].
func (r *Record) Perm(p []int) error {
	if err := r.From.Perm(p); err != nil {
		return err
	}
	r.Order.Perms = append(r.Order.Perms, append([]int(nil), p...))
	return nil
}

// Below implements [Chance].
func (r *Record) Below(n int) (int, error) {
	c, err := r.From.Below(n)
	if err == nil {
		r.Order.Coins = append(r.Order.Coins, c)
	}
	return c, err
}
