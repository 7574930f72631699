package table

import (
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"testing"

	"github.com/fxamacker/cbor/v2"
	"github.com/stretchr/testify/require"
)

// TestProtocolPage reads the golden game as PROTOCOL.md tells it, with a plain CBOR decoder and none of this package's
// types, and comes to the same table, seats, ids, values and places.
func TestProtocolPage(t *testing.T) {
	file := golden(t, "golden-1")
	steps := walk(t, file)
	plain := func(b []byte) (l []any) {
		require.NoError(t, cbor.Unmarshal(b, &l))
		return l
	}
	det := must(cbor.CoreDetEncOptions().EncMode())
	enc := func(v any) []byte { return must(det.Marshal(v)) }
	sum := func(parts ...[]byte) []byte {
		h := sha256.New()
		for _, p := range parts {
			h.Write(p)
		}
		return h.Sum(nil)
	}

	// The file.
	const title = "standoff transcript 1\n"
	require.Equal(t, title, string(file[:len(title)]))
	var messages [][]byte
	for rest := file[len(title):]; len(rest) > 0; {
		n := binary.BigEndian.Uint32(rest)
		messages = append(messages, rest[4:4+n])
		rest = rest[4+n:]
	}

	// The roster.
	signed := func(domain string, b []byte, key []byte) []any {
		l := plain(b)
		require.Len(t, l, 2)
		body := plain(l[0].([]byte))
		if key == nil {
			key = body[1].([]byte) // of a join
		}
		require.True(t, ed25519.Verify(key, append([]byte(domain), l[0].([]byte)...), l[1].([]byte)), domain)
		return body
	}
	text := plain(messages[0])[0].([]byte)
	offerText := plain(plain(text)[0].([]byte))[0].([]byte)
	opener := plain(offerText)[6].([]byte)
	signed("standoff/roster/1", messages[0], opener)
	offer := signed("standoff/offer/1", plain(text)[0].([]byte), opener)
	require.Len(t, offer, 9)
	table := sum(text)
	require.Equal(t, steps[0].prev.roster.Table[:], table)
	var keys [][]byte
	for _, j := range plain(text)[1].([]any) {
		join := signed("standoff/join/1", j.([]byte), nil)
		require.Equal(t, sum(offerText), join[0])
		keys = append(keys, join[1].([]byte))
	}

	// The log.
	head := table
	nonces := sha512.New()
	nonces.Write([]byte("standoff/places/1"))
	commits := map[uint64][]byte{}
	at := 1
	for _, s := range steps {
		says := []any{}
		for range s.says {
			raw := messages[at]
			at++
			e := plain(raw[64:])
			require.Len(t, e, 7)
			seat := e[4].(uint64)
			require.True(t, ed25519.Verify(keys[seat], append([]byte("standoff/table/1"), raw[64:]...), raw[:64]))
			require.Equal(t, []any{uint64(1), uint64(1), table, uint64(s.ex.Round), seat, head}, e[:6])
			body := e[6].([]any)
			require.Equal(t, uint64(s.ex.Kind), body[0])
			part := body[1].([]any)
			switch s.ex.Round {
			case 0:
				commits[seat] = part[0].([]byte)
			case 1:
				nonces.Write(part[0].([]byte))
				require.Equal(t, commits[seat], sum([]byte("standoff/commit/1"), table, []byte{byte(seat)},
					part[0].([]byte), part[1].([]byte), part[2].([]byte)))
			}
			says = append(says, []any{seat, sum(raw[64:])})
		}
		value := sum(enc([]any{s.ex.Round, says, []any{}, []any{}}))
		game := make([]byte, 32)
		if s.cur.game != nil {
			h := s.cur.game.State().Hash()
			game = h[:]
		}
		head = sum([]byte("standoff/round/1"), head, value, sum(game, enc(tablePart(s.cur))))
		require.Equal(t, s.cur.head[:], head, "round %d", s.ex.Round)
	}
	require.Len(t, messages, at)

	// The places.
	seed, n := nonces.Sum(nil), len(keys)
	order := make([]int8, n)
	for i := range order {
		order[i] = int8(i)
	}
	for i, c := uint64(n-1), uint32(0); i > 0; c++ {
		h := sha512.Sum512(binary.BigEndian.AppendUint32(seed[:len(seed):len(seed)], c))
		u := binary.BigEndian.Uint64(h[:8])
		if u < (^uint64(0)%(i+1)+1)%(i+1) { // 2^64 mod (i+1)
			continue
		}
		order[i], order[u%(i+1)] = order[u%(i+1)], order[i]
		i--
	}
	require.Equal(t, steps[len(steps)-1].cur.seatAt, order)
}

// tablePart is the record of the state as the page lists it.
func tablePart(st *state) []any {
	points := func(l []Point) any {
		if l == nil {
			return nil
		}
		out := []any{}
		for _, p := range l {
			out = append(out, p[:])
		}
		return out
	}
	cipher := func(c Cipher) any { return []any{c.C1[:], c.C2[:]} }
	var places, shared, needs, mixed, slots any
	if st.seatAt != nil {
		places = st.seatAt
	}
	if s := st.current; s != nil {
		var c []any
		for _, l := range s.Commitments {
			c = append(c, points(l))
		}
		shared = []any{s.Members, s.Threshold, c}
	}
	if len(st.needs) > 0 {
		var l []any
		for _, n := range st.needs {
			var old any
			if len(n.Old) > 0 {
				old = n.Old
			}
			l = append(l, []any{n.No, n.Kind, n.Pile, n.Seat, n.Owner, old, n.New, n.N, n.Face, n.Mask})
		}
		needs = l
	}
	if st.pass > 0 {
		var l []any
		for _, p := range st.mixed {
			var out []any
			for _, c := range p.Out {
				out = append(out, cipher(c))
			}
			l = append(l, []any{out})
		}
		mixed = l
	}
	if st.game != nil {
		var l []any
		for _, s := range st.slots {
			l = append(l, []any{s.ID, s.Pile, s.Card, s.Owner, s.Mask, cipher(s.C)})
		}
		slots = l
	}
	return []any{st.members, points(st.card[:]), points(st.share[:]), places, shared, needs, st.pass, mixed, slots, st.stage}
}
