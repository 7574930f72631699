package lobby

import (
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/fxamacker/cbor/v2"

	"standoff/p2p/node"
	"standoff/p2p/table"
)

// Version is that of the lobby's messages.
const Version = 1

// Sizes in bytes.
const (
	MaxNick = 24  // as a Join has it
	MaxName = 40  // of a table, as an Offer has it
	MaxTell = 400 // a line of chat

	maxCard  = 512
	maxState = 60 << 10
)

// Room is the id of the lobby, where everybody on the network hears which tables there are.
var Room = sha256.Sum256([]byte("standoff/lobby/1"))

// RoomOf is the id of the room of the table that opener offers.
func RoomOf(opener node.Key) [32]byte {
	return sha256.Sum256(append([]byte("standoff/seating/1"), opener[:]...))
}

// A Card is what a player shows to be seated. A bot's card carries the word of the player on whose machine it runs.
type Card struct {
	_        struct{} `cbor:",toarray"`
	Room     [32]byte
	Protocol uint64 // of the table, [table.Version]
	Rules    string // [table.RulesVersion]
	Nick     string
	Bot      bool
	Owner    []byte // key of the player whose machine runs the bot, else empty
	Vouch    []byte // the owner's signature over room and the bot's key, else empty
}

// signed is a text with a signature over a domain and the text.
type signed struct {
	_    struct{} `cbor:",toarray"`
	Text []byte
	Sig  []byte
}

const (
	cardDomain  = "standoff/card/1"
	vouchDomain = "standoff/vouch/1"
)

// Vouch is the owner's word that the bot with the given key runs on its machine, at the table of this room.
func Vouch(s table.Suite, owner node.Identity, room [32]byte, bot node.Key) []byte {
	return s.Sign(owner.Secret(), vouchText(room, bot))
}

func vouchText(room [32]byte, bot node.Key) []byte {
	return append(append([]byte(vouchDomain), room[:]...), bot[:]...)
}

func signCard(s table.Suite, c Card, id node.Identity) ([]byte, error) {
	key := id.Key()
	if err := c.check(s, key); err != nil {
		return nil, err
	}
	text := encode(c)
	return encode(signed{Text: text, Sig: s.Sign(id.Secret(), append([]byte(cardDomain), text...))}), nil
}

// readCard checks the card of the player with the given key.
func readCard(s table.Suite, b []byte, key node.Key) (c Card, err error) {
	var w signed
	if len(b) > maxCard {
		return c, fmt.Errorf("card of %d bytes", len(b))
	}
	if err := decode(b, &w); err != nil {
		return c, fmt.Errorf("card: %w", err)
	}
	if err := decode(w.Text, &c); err != nil {
		return c, fmt.Errorf("card: %w", err)
	}
	if err := c.check(s, key); err != nil {
		return c, err
	}
	if !s.Verify(key[:], append([]byte(cardDomain), w.Text...), w.Sig) {
		return c, errors.New("card: signature does not verify")
	}
	return c, nil
}

func (c *Card) check(s table.Suite, key node.Key) error {
	if err := CheckNick(c.Nick); err != nil {
		return err
	}
	if len(c.Rules) > 40 {
		return errors.New("card: the version of the rules is too long")
	}
	switch {
	case !c.Bot && len(c.Owner) == 0 && len(c.Vouch) == 0:
	case c.Bot && len(c.Owner) == ed25519.PublicKeySize && node.Key(c.Owner) != key:
		if !s.Verify(c.Owner, vouchText(c.Room, key), c.Vouch) {
			return errors.New("card: the bot's owner has not vouched for it")
		}
	case c.Bot && len(c.Owner) == 0 && len(c.Vouch) == 0: // a program on its own, on a machine of its own
	default:
		return errors.New("card: only a bot has an owner, and not itself")
	}
	return nil
}

// owner is the key of the player whose machine runs the bot, zero for anybody else.
func (c *Card) owner() (k node.Key) {
	copy(k[:], c.Owner)
	return k
}

// CheckNick says what is wrong with a player's name: it has 1 to 24 bytes, can be printed, and neither begins nor
// ends with a space.
func CheckNick(nick string) error {
	if nick == "" || len(nick) > MaxNick {
		return fmt.Errorf("a nick has 1 to %d bytes, this one %d", MaxNick, len(nick))
	}
	return checkText("nick", nick)
}

// CheckName is CheckNick for the name of a table, up to 40 bytes.
func CheckName(name string) error {
	if name == "" || len(name) > MaxName {
		return fmt.Errorf("the name of a table has 1 to %d bytes, this one %d", MaxName, len(name))
	}
	return checkText("name", name)
}

func checkText(what, s string) error {
	if !utf8.ValidString(s) || strings.TrimSpace(s) != s {
		return fmt.Errorf("%s %q: not plain text, or a space at its end", what, s)
	}
	for _, r := range s {
		if !unicode.IsPrint(r) {
			return fmt.Errorf("%s %q: holds what cannot be printed", what, s)
		}
	}
	return nil
}

// clean takes out of a line of chat what could move a terminal's cursor.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
}

// alike reports whether two names would be taken for one another at a table.
func alike(a, b string) bool { return strings.EqualFold(a, b) }

// A message is one packet between two peers of a seating room.
type message struct {
	_    struct{} `cbor:",toarray"`
	Kind kind
	Body []byte
}

type kind uint8

const (
	kindWish   kind = iota + 1 // guest to opener: all that the guest wants now
	kindState                  // opener to guest: how the table stands
	kindRefuse                 // opener to guest: not, or no longer
	kindBye                    // guest to opener: I go
	kindTell                   // anybody to anybody: a line of chat
)

// A wish is everything a guest wants at this time; it is sent again until the state shows it.
type wish struct {
	_    struct{} `cbor:",toarray"`
	Card []byte
	Join []byte // signed Join for the current offer: ready; empty: not
}

type refuse struct {
	_      struct{} `cbor:",toarray"`
	Reason Reason
	Detail string
}

// state is how the table stands, as the opener tells it.
type state struct {
	_      struct{} `cbor:",toarray"`
	Epoch  uint64   // of the opener's program
	Serial uint64   // grows with every change
	Phase  Phase
	Offer  []byte
	Seats  []place
	Gone   []departure // the last ones, newest last
	Count  uint32      // the countdown's length in milliseconds
	Roster []byte
}

type place struct {
	_    struct{} `cbor:",toarray"`
	Key  node.Key
	Card []byte
	Join []byte
	Away bool
}

type departure struct {
	_      struct{} `cbor:",toarray"`
	Key    node.Key
	Nick   string
	Reason Reason
}

// mark is what a beat carries in a seating room: the newest state its sender has.
type mark struct {
	_      struct{} `cbor:",toarray"`
	Epoch  uint64
	Serial uint64
}

var strict = func() cbor.DecMode {
	mode, err := cbor.DecOptions{
		DupMapKey:        cbor.DupMapKeyEnforcedAPF,
		IndefLength:      cbor.IndefLengthForbidden,
		TagsMd:           cbor.TagsForbidden,
		MaxNestedLevels:  6,
		MaxArrayElements: 128,
		MaxMapPairs:      16,
	}.DecMode()
	if err != nil {
		panic("lobby: internal error: " + err.Error())
	}
	return mode
}()

var deterministic = func() cbor.EncMode {
	mode, err := cbor.CoreDetEncOptions().EncMode()
	if err != nil {
		panic("lobby: internal error: " + err.Error())
	}
	return mode
}()

func encode(v any) []byte {
	b, err := deterministic.Marshal(v)
	if err != nil {
		panic("lobby: internal error: " + err.Error())
	}
	return b
}

func decode(b []byte, v any) error { return strict.Unmarshal(b, v) }

func packet(k kind, v any) []byte { return encode(message{Kind: k, Body: encode(v)}) }

// open reads a packet of any kind.
func open(b []byte) (message, error) {
	var m message
	if len(b) > maxState {
		return m, fmt.Errorf("packet of %d bytes", len(b))
	}
	err := decode(b, &m)
	return m, err
}
