package node

import (
	"fmt"

	"github.com/fxamacker/cbor/v2"
)

// Version is that of everything this package says to its like. A peer with
// another one is refused with both numbers.
const Version = 1

// A hello opens a link: who speaks is known from the connection, whose key Noise
// has proved, so the seat needs no further proof.
type hello struct {
	_       struct{} `cbor:",toarray"`
	Version uint64
	Table   [32]byte
	Records [][]byte // sealed peer records: where I am, and where others are
}

// A reply accepts the link or says why not.
type reply struct {
	_       struct{} `cbor:",toarray"`
	Code    refusal
	Version uint64
	Records [][]byte
}

type refusal uint8

const (
	welcome refusal = iota + 1
	otherVersion
	noSuchTable
	notAdmitted
)

// maxRecords is how many sealed records one hello may bring.
const maxRecords = 32

var strict = func() cbor.DecMode {
	mode, err := cbor.DecOptions{
		DupMapKey:        cbor.DupMapKeyEnforcedAPF,
		IndefLength:      cbor.IndefLengthForbidden,
		TagsMd:           cbor.TagsForbidden,
		MaxNestedLevels:  4,
		MaxArrayElements: 64,
		MaxMapPairs:      16,
	}.DecMode()
	if err != nil {
		panic("node: internal error: " + err.Error())
	}
	return mode
}()

var deterministic = func() cbor.EncMode {
	mode, err := cbor.CoreDetEncOptions().EncMode()
	if err != nil {
		panic("node: internal error: " + err.Error())
	}
	return mode
}()

func encode(v any) []byte {
	b, err := deterministic.Marshal(v)
	if err != nil {
		panic("node: internal error: " + err.Error())
	}
	return b
}

func decodeHello(b []byte) (h hello, err error) {
	if err := strict.Unmarshal(b, &h); err != nil {
		return hello{}, fmt.Errorf("hello: %w", err)
	}
	return h, checkRecords(h.Records)
}

func decodeReply(b []byte) (r reply, err error) {
	if err := strict.Unmarshal(b, &r); err != nil {
		return reply{}, fmt.Errorf("reply: %w", err)
	}
	return r, checkRecords(r.Records)
}

func decodeRecords(b []byte) (records [][]byte, err error) {
	if err := strict.Unmarshal(b, &records); err != nil {
		return nil, fmt.Errorf("records: %w", err)
	}
	return records, checkRecords(records)
}

func checkRecords(records [][]byte) error {
	if len(records) > maxRecords {
		return fmt.Errorf("%d records, limit %d: %w", len(records), maxRecords, ErrTooLarge)
	}
	for _, r := range records {
		if len(r) > maxRecord {
			return fmt.Errorf("record of %d bytes, limit %d: %w", len(r), maxRecord, ErrTooLarge)
		}
	}
	return nil
}

// why puts a refusal into words.
func (r reply) why() string {
	switch r.Code {
	case otherVersion:
		return fmt.Sprintf("its program speaks version %d, this one version %d: both need the same", r.Version, Version)
	case noSuchTable:
		return "it is not at this table yet"
	case notAdmitted:
		return "it does not admit this player"
	}
	return fmt.Sprintf("it refused (code %d)", r.Code)
}
