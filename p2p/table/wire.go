package table

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/fxamacker/cbor/v2"
)

// Version is the version of the protocol: of every text, every proof statement and the transcript.
const Version = 1

// Limits on what a peer may send, in bytes, checked before anything is decoded.
const (
	MaxPacket = 63 << 10 // one gossip message, framing included
	MaxSay    = 60 << 10
	MaxCall   = 4 << 10
	MaxWish   = 1 << 10
	MaxSeal   = 256
	MaxRoster = 16 << 10

	sigSize   = ed25519.SignatureSize
	maxPile   = 130  // cards in one pile
	maxBundle = 64   // envelopes in one packet
	maxLive   = 4096 // live slots
)

const envelopeDomain = "standoff/table/1"

// Hash is a SHA-256 sum.
type Hash [32]byte

func (h Hash) String() string { return fmt.Sprintf("%x", h[:4]) }

// Kind is one of the four kinds of envelope.
type Kind uint8

// The kinds of envelope.
const (
	KindSay  Kind = 1 + iota // the contribution of a seat to a round
	KindSeal                 // what a seat holds of a round, signed
	KindCall                 // a ballot to close a round without some seat
	KindWish                 // leave, lost, return
)

func (k Kind) String() string {
	return [...]string{"?", "say", "seal", "call", "wish"}[min(int(k), 4)]
}

func (k Kind) limit() int {
	return [...]int{0, MaxSay, MaxSeal, MaxCall, MaxWish}[min(int(k), 4)]
}

// text is the signed part of an envelope, a CBOR array.
type text struct {
	_       struct{} `cbor:",toarray"`
	Version uint8
	Kind    Kind
	Table   Hash
	Round   uint32
	Seat    uint8
	Prev    Hash
	Body    cbor.RawMessage
}

// Envelope is a signed message of one seat, together with the exact bytes it came in.
type Envelope struct {
	text
	Raw []byte // signature and text, as received, hashed and stored
	ID  Hash   // SHA-256 of the text without the signature
}

// Two modes serve the whole protocol: deterministic encoding and strict decoding. Decoding refuses unknown and
// duplicate fields, indefinite lengths, tags, trailing bytes, deep nesting and long arrays.
var (
	encMode = must(cbor.CoreDetEncOptions().EncMode())
	decMode = must(cbor.DecOptions{
		DupMapKey:         cbor.DupMapKeyEnforcedAPF,
		IndefLength:       cbor.IndefLengthForbidden,
		TagsMd:            cbor.TagsForbidden,
		ExtraReturnErrors: cbor.ExtraDecErrorUnknownField,
		MaxNestedLevels:   8,
		MaxArrayElements:  4096,
		MaxMapPairs:       64,
		UTF8:              cbor.UTF8RejectInvalid,
	}.DecMode())
)

func must[T any](v T, err error) T {
	if err != nil {
		panic("table: internal error: " + err.Error())
	}
	return v
}

func encode(v any) []byte { return must(encMode.Marshal(v)) }

// decode reads one value and insists that b is its deterministic encoding, so that one meaning has one text.
func decode(b []byte, v any) error {
	if err := read(b, v); err != nil {
		return err
	}
	again, err := encMode.Marshal(v)
	if err != nil {
		return worded(err)
	}
	return same(b, again)
}

func read(b []byte, v any) error {
	return worded(decMode.Unmarshal(b, v))
}

// worded says in words what the decoder says of the types of this program: people read it in verdicts.
func worded(err error) error {
	var other *cbor.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		return errors.New("it breaks off")
	case errors.As(err, &other):
		return fmt.Errorf("not of the form that is due: %s where something else belongs", other.CBORType)
	}
	return errors.New("not of the form that is due")
}

func same(b, again []byte) error {
	if !bytes.Equal(again, b) {
		return errors.New("not in deterministic encoding")
	}
	return nil
}

// encoded is encode(t), made without reflection: every message goes through it. The body is taken as it is.
func (t *text) encoded() []byte {
	b := cborHead(make([]byte, 0, len(t.Body)+96), 4, 7)
	b = cborHead(b, 0, uint64(t.Version))
	b = cborHead(b, 0, uint64(t.Kind))
	b = append32(b, (*[32]byte)(&t.Table))
	b = cborHead(b, 0, uint64(t.Round))
	b = cborHead(b, 0, uint64(t.Seat))
	b = append32(b, (*[32]byte)(&t.Prev))
	if t.Body == nil {
		return append(b, 0xf6)
	}
	return append(b, t.Body...)
}

// cborHead appends the head of a CBOR item, in the shortest form: major type, and number or length.
func cborHead(b []byte, major byte, n uint64) []byte {
	major <<= 5
	switch {
	case n < 24:
		return append(b, major|byte(n))
	case n < 1<<8:
		return append(b, major|24, byte(n))
	case n < 1<<16:
		return binary.BigEndian.AppendUint16(append(b, major|25), uint16(n))
	case n < 1<<32:
		return binary.BigEndian.AppendUint32(append(b, major|26), uint32(n))
	}
	return binary.BigEndian.AppendUint64(append(b, major|27), n)
}

// append32 appends a byte string of 32.
func append32(b []byte, x *[32]byte) []byte { return append(cborHead(b, 2, 32), x[:]...) }

// seal signs t with key.
func sealEnvelope(s Suite, key ed25519.PrivateKey, t text) Envelope {
	t.Version = Version
	b := t.encoded()
	sig := s.Sign(key, append([]byte(envelopeDomain), b...))
	return Envelope{text: t, Raw: append(sig, b...), ID: sha256.Sum256(b)}
}

// parseEnvelope checks length and shape; the signature is checked by [Envelope.signedBy].
func parseEnvelope(raw []byte) (Envelope, error) {
	if len(raw) <= sigSize || len(raw) > MaxSay+sigSize+128 {
		return Envelope{}, fmt.Errorf("envelope of %d bytes", len(raw))
	}
	e := Envelope{Raw: raw, ID: sha256.Sum256(raw[sigSize:])}
	err := read(raw[sigSize:], &e.text)
	if err == nil {
		err = same(raw[sigSize:], e.text.encoded())
	}
	if err != nil {
		return Envelope{}, fmt.Errorf("no message: %w", err)
	}
	switch {
	case e.Version != Version:
		return Envelope{}, fmt.Errorf("protocol version %d, this program speaks %d", e.Version, Version)
	case e.Kind < KindSay || e.Kind > KindWish:
		return Envelope{}, fmt.Errorf("unknown kind of envelope %d", e.Kind)
	case e.Kind == KindWish && e.oversize() != nil: // it binds its seat to nothing, so it proves nothing
		return Envelope{}, e.oversize()
	case int(e.Seat) >= MaxSeats:
		return Envelope{}, fmt.Errorf("seat %d", e.Seat)
	}
	return e, nil
}

// oversize is what is wrong with an envelope whose body is larger than its kind may be. Of a say, seal or call that is a
// fault of its seat; it is told by the length, before the body is decoded.
func (e *Envelope) oversize() error {
	if n := e.Kind.limit(); len(e.Body) > n {
		return fmt.Errorf("%v of %d bytes, at most %d are allowed", e.Kind, len(e.Body), n)
	}
	return nil
}

func (e *Envelope) signedBy(s Suite, key ed25519.PublicKey) bool {
	return s.Verify(key, append([]byte(envelopeDomain), e.Raw[sigSize:]...), e.Raw[:sigSize])
}

// Bundle puts envelopes into as few packets as fit, in order.
func Bundle(envelopes ...[]byte) [][]byte {
	var packets [][]byte
	var now [][]byte
	size := 16
	flush := func() {
		if len(now) > 0 {
			packets = append(packets, encode(now))
		}
		now, size = nil, 16
	}
	for _, e := range envelopes {
		if size+len(e)+5 > MaxPacket || len(now) == maxBundle {
			flush()
		}
		now = append(now, e)
		size += len(e) + 5
	}
	flush()
	return packets
}

// unbundle is the inverse of Bundle for one packet.
func unbundle(packet []byte) ([][]byte, error) {
	if len(packet) > MaxPacket {
		return nil, fmt.Errorf("packet of %d bytes, at most %d are allowed", len(packet), MaxPacket)
	}
	var all [][]byte
	if err := read(packet, &all); err != nil {
		return nil, fmt.Errorf("packet: %w", err)
	}
	if len(all) == 0 || len(all) > maxBundle {
		return nil, fmt.Errorf("packet of %d envelopes", len(all))
	}
	return all, nil
}
