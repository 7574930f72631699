package table

import (
	"crypto/ed25519"
	"io"
)

// Point is the canonical encoding of a group element.
type Point [32]byte

// Cipher is a hidden card: an ElGamal pair. Card + (sum of the secrets of its mask)·C1 = C2.
type Cipher struct {
	_      struct{} `cbor:",toarray"`
	C1, C2 Point
}

// Place binds a proof to one spot of the log (CRYPTO section 5 of the security notes: strong Fiat-Shamir).
type Place struct {
	Table, Head Hash
	Round       uint32
	Seat        uint8
	Kind        RoundKind
	Need, Pass  uint32
}

// Check is a proof with its full statement, ready to be verified alone or in a batch.
type Check interface{ Verify() error }

// Secret is one seat's card key or share key.
type Secret interface {
	Public() Point
	Bytes() []byte // 32 bytes; what the audit shows
}

// Suite is the cryptography of a table. The table keeps encodings only, so a suite may cache what it decodes.
// [Ristretto] is the one that plays; nothing in the table depends on it.
type Suite interface {
	Sign(ed25519.PrivateKey, []byte) []byte
	Verify(key ed25519.PublicKey, text, sig []byte) bool

	NewSecret(rand io.Reader) (Secret, error)
	SecretFrom(b []byte) (Secret, error)
	ValidKey(Point) error // canonical and not the identity
	ValidCipher(Cipher) error

	CardPoint(pile byte, card uint16) Point
	CoinPoint(table Hash, round, need uint32) Point
	CoinNumber(sum Point, below int) int
	Sum(...Point) Point
	Minus(a, b Point) Point
	Trivial(card, key Point) Cipher // the card open, as an input of a shuffle under key
	Read(s Secret, c Cipher) Point  // the card of a cipher that lies under s alone

	ProvePossession(rand io.Reader, p Place, label string, s Secret) []byte
	CheckPossession(p Place, label string, key Point, proof []byte) Check

	Shuffle(rand io.Reader, p Place, pile byte, key Point, inSlots, outSlots []uint32, in []Cipher) (out []Cipher, proof []byte, err error)
	CheckShuffle(p Place, pile byte, key Point, inSlots, outSlots []uint32, in, out []Cipher, proof []byte) Check

	Layers(rand io.Reader, p Place, s Secret, slots []uint32, bases []Point) (layers []Point, proof []byte, err error)
	CheckLayers(p Place, key Point, slots []uint32, bases, layers []Point, proof []byte) Check

	Retarget(rand io.Reader, p Place, s Secret, slot uint32, in Cipher, target Point) (out Cipher, proof []byte, err error)
	CheckRetarget(p Place, key Point, slot uint32, in, out Cipher, target Point, proof []byte) Check

	// Refresh makes encryptions of nothing under key, one for each slot: added to a card they change C1 and no more.
	Refresh(rand io.Reader, p Place, key Point, slots []uint32) (out []Cipher, proof []byte, err error)
	CheckRefresh(p Place, key Point, slots []uint32, out []Cipher, proof []byte) Check

	// PublicShare is the key of the share that seat holds of the secret behind commitments. Combine joins the layers
	// that exactly threshold of such shares made on one base.
	PublicShare(commitments []Point, seat uint8) Point
	Combine(seats []uint8, layers []Point) Point
	// Recover joins threshold shares of a secret themselves.
	Recover(seats []uint8, shares [][]byte) (Secret, error)

	// The place of a dealing is that of the share round, dealer included.
	Deal(rand io.Reader, p Place, s Secret, threshold int, to []Recipient) (Dealing, error)
	CheckDealing(p Place, to []Recipient, d Dealing) Check
	OpenShare(p Place, to []Recipient, d Dealing, z Secret, seat int) (share []byte, err error)
	Complain(rand io.Reader, at, p Place, to []Recipient, d Dealing, z Secret) (Complaint, error)
	JudgeComplaint(at, p Place, to []Recipient, d Dealing, c Complaint) error // nil: the dealer is at fault

	// VerifyAll verifies many checks at once; bad is the index of the first that fails, -1 if none does.
	VerifyAll([]Check) (bad int, err error)
}

// Recipient is a member that gets a verifiable share; its index in the polynomial is Seat+1.
type Recipient struct {
	Seat uint8
	Key  Point // Z of the seat
}

// Dealing is one seat's distribution of its card key: Feldman commitments and encrypted shares.
type Dealing struct {
	_           struct{} `cbor:",toarray"`
	Commitments []Point
	Ephemeral   Point
	Proof       []byte
	Shares      [][]byte // 32 bytes each, in the order of the recipients
}

// Complaint opens the key of one encrypted share, so that everybody can judge it.
type Complaint struct {
	_      struct{} `cbor:",toarray"`
	Dealer uint8
	Key    Point
	Proof  []byte
}
