package crypto

import (
	"fmt"
	"io"
	"reflect"
	"testing"
)

// specimen is one valid statement of each kind. Tests that must hold for every
// kind run over all specimens, so a new kind is attacked from its first day.
type specimen struct {
	name   string
	check  Check
	points int // how many 32-byte pieces of the proof are points; the rest are scalars
}

// proof finds the Proof field of any statement.
func proofOf(c Check) []byte { return reflect.ValueOf(c).FieldByName("Proof").Bytes() }

// withProof is a copy of c with another proof.
func withProof(c Check, proof []byte) Check {
	v := reflect.New(reflect.TypeOf(c)).Elem()
	v.Set(reflect.ValueOf(c))
	v.FieldByName("Proof").SetBytes(proof)
	return v.Interface().(Check)
}

// specimens makes one valid statement of every kind, reproducibly from rand.
func specimens(t testing.TB, rand io.Reader) []specimen {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	secret := func() *Secret {
		s, err := NewSecret(rand)
		must(err)
		return s
	}
	x, other, p := secret(), secret(), testPlace
	joint := x.Public().Add(other.Public())
	var list []specimen
	var err error

	ps := Possession{Place: p, Label: "card key", Key: x.Public()}
	ps.Proof, err = ProvePossession(rand, p, ps.Label, x)
	must(err)
	list = append(list, specimen{"possession", ps, 1})

	var deck []Ciphertext
	for _, n := range []int{1, 2, 3, 8} {
		var in []Ciphertext
		var from, to []uint32
		for i := range n {
			in = append(in, Trivial(CardPoint(1, uint16(i)), x.Public()))
			from, to = append(from, uint32(10+i)), append(to, uint32(50+i))
		}
		st, _, err := Shuffle(rand, p, 1, x.Public(), from, to, in)
		must(err)
		points := 8
		if n == 1 {
			points = 2
		}
		list = append(list, specimen{fmt.Sprintf("shuffle of %d", n), st, points})
		deck = st.Out
	}

	ls := LayersStatement{Place: p, Op: 3, Key: x.Public(), Slots: []uint32{50, 51, 52}, Bases: bases(deck[:3])}
	ls.Layers, ls.Proof, err = ProveLayers(rand, p, ls.Op, x, ls.Slots, ls.Bases)
	must(err)
	list = append(list, specimen{"layers", ls, 2})

	rs := RefreshStatement{Place: p, Op: 4, Key: joint, Slots: []uint32{50, 51, 52}}
	rs.Refreshes, rs.Proof, err = ProveRefresh(rand, p, rs.Op, rs.Key, rs.Slots)
	must(err)
	list = append(list, specimen{"refresh", rs, 2})

	rt := RetargetStatement{Place: p, Key: x.Public(), Target: other.Public(), Slot: 50, In: deck[0]}
	rt.Out, rt.Proof, err = Retarget(rand, p, x, rt.Slot, rt.In, rt.Target)
	must(err)
	list = append(list, specimen{"retarget", rt, 3})

	ne := NotEqualStatement{Place: p, Key: x.Public(), Slot: 50, In: deck[0], Card: CardPoint(1, 200)}
	ne.Proof, err = ProveNotEqual(rand, p, x, ne.Slot, ne.In, ne.Card)
	must(err)
	list = append(list, specimen{"not equal", ne, 3})

	z := secret()
	recipients := []Recipient{{0, other.Public()}, {1, z.Public()}, {3, secret().Public()}}
	d, _, err := Deal(rand, p, x, 2, recipients)
	must(err)
	list = append(list, specimen{"dealing", d, 1})

	at := p
	at.Seat, at.Kind = 1, 5
	c, err := Complain(rand, at, z, d)
	must(err)
	return append(list, specimen{"complaint", c, 2})
}

// alteration is a statement with one thing changed.
type alteration struct {
	what  string
	check Check
}

// alterations changes every field of c in turn, deep inside too, all but the
// proof: points move by G, numbers and hashes by one bit, lists lose their last
// entry or swap their first two.
func alterations(c Check) (list []alteration) {
	root := reflect.TypeOf(c)
	var walk func(t reflect.Type, v reflect.Value, what string, at func(reflect.Value) reflect.Value)
	change := func(what string, at func(reflect.Value) reflect.Value, edit func(reflect.Value)) {
		fresh := reflect.New(root).Elem()
		fresh.Set(deepCopy(reflect.ValueOf(c)))
		edit(at(fresh))
		list = append(list, alteration{what, fresh.Interface().(Check)})
	}
	walk = func(t reflect.Type, v reflect.Value, what string, at func(reflect.Value) reflect.Value) {
		switch {
		case t == reflect.TypeFor[Point]():
			change(what, at, func(v reflect.Value) {
				v.Set(reflect.ValueOf(v.Interface().(Point).Add(generator)))
			})
		case t == reflect.TypeFor[Scalar]():
			change(what, at, func(v reflect.Value) {
				v.Set(reflect.ValueOf(v.Interface().(Scalar).add(oneScalar)))
			})
		case t.Kind() == reflect.Struct:
			for i := range t.NumField() {
				f := t.Field(i)
				if f.Name == "Proof" {
					continue
				}
				walk(f.Type, v.Field(i), what+"."+f.Name, func(v reflect.Value) reflect.Value { return at(v).Field(i) })
			}
		case t.Kind() == reflect.Slice:
			n := v.Len()
			change(what+" without the last", at, func(v reflect.Value) { v.SetLen(n - 1) })
			if n > 1 {
				change(what+" swapped", at, func(v reflect.Value) { reflect.Swapper(v.Interface())(0, 1) })
			}
			for i := range n {
				walk(t.Elem(), v.Index(i), fmt.Sprintf("%s[%d]", what, i), func(v reflect.Value) reflect.Value { return at(v).Index(i) })
			}
		case t.Kind() == reflect.Array:
			for _, i := range []int{0, t.Len() - 1} {
				change(fmt.Sprintf("%s[%d]", what, i), at, func(v reflect.Value) {
					v.Index(i).SetUint(v.Index(i).Uint() ^ 1)
				})
			}
		case t.Kind() == reflect.String:
			change(what, at, func(v reflect.Value) { v.SetString(v.String() + " ") })
		default:
			for bit := range t.Bits() {
				change(fmt.Sprintf("%s bit %d", what, bit), at, func(v reflect.Value) { v.SetUint(v.Uint() ^ 1<<bit) })
			}
		}
	}
	walk(root, reflect.ValueOf(c), root.Name(), func(v reflect.Value) reflect.Value { return v })
	return list
}

func deepCopy(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	switch {
	case v.Type() == reflect.TypeFor[Point](), v.Type() == reflect.TypeFor[Scalar]():
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			out.Field(i).Set(deepCopy(v.Field(i)))
		}
	case v.Kind() == reflect.Slice:
		out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		for i := range v.Len() {
			out.Index(i).Set(deepCopy(v.Index(i)))
		}
	}
	return out
}

// tamperProof changes each 32-byte piece of the proof in turn: points move by
// G, scalars by one.
func tamperProof(t testing.TB, s specimen) (list []alteration) {
	proof := proofOf(s.check)
	for i := range len(proof) / 32 {
		bent := append([]byte(nil), proof...)
		piece := bent[32*i : 32*i+32]
		if i < s.points {
			p, err := DecodePoint(piece)
			if err != nil {
				t.Fatal(err)
			}
			copy(piece, p.Add(generator).Bytes())
		} else {
			k, err := DecodeScalar(piece)
			if err != nil {
				t.Fatal(err)
			}
			copy(piece, k.add(oneScalar).Bytes())
		}
		list = append(list, alteration{fmt.Sprintf("%s, piece %d of the proof", s.name, i), withProof(s.check, bent)})
	}
	return list
}
