package crypto

import (
	"errors"
	"fmt"
	"io"
)

// Complaint is the claim of a recipient that its share in Dealing is wrong. It
// shows Common = z·Ephemeral with a proof of equal logarithms against the
// recipient's key, so that everybody can decrypt that one share, and no other,
// and see who lied.
type Complaint struct {
	Place   // Seat is the complainer
	Dealing Dealing
	Common  Point
	Proof   []byte // 96 bytes
}

// Complain makes a complaint of the seat p.Seat, whose share key is z. It never
// shows z·Ephemeral for a dealing that does not verify: an ephemeral copied from
// elsewhere would make it a decryption oracle.
// Errors: a bad dealing, the seat with this key is no recipient, or rand failed.
func Complain(rand io.Reader, p Place, z *Secret, d Dealing) (Complaint, error) {
	if err := d.Verify(); err != nil {
		return Complaint{}, fmt.Errorf("complaint: %w", err)
	}
	k := d.recipient(p.Seat)
	if k < 0 || !d.Recipients[k].Key.Equal(z.pub) {
		return Complaint{}, fmt.Errorf("complaint: seat %d with this key is no recipient", p.Seat)
	}
	c := Complaint{Place: p, Dealing: d, Common: z.Layer(d.Ephemeral)}
	t := c.transcript()
	n, err := newNonces(rand, t, &z.x)
	if err != nil {
		return Complaint{}, err
	}
	c.Proof = proveEqualLogs(n, t, &z.x, row{{oneScalar, d.Ephemeral}})
	return c, nil
}

func (c Complaint) transcript() transcript {
	t := newTranscript("complaint", &c.Place)
	dealing := c.Dealing.transcript()
	digest := dealing.digest("dealing")
	t.bytes("dealing", digest[:])
	t.point("common", c.Common)
	return t
}

// Verify checks that Common is what it says, about a dealing that was verified
// when it was said. An error means that the complainer is at fault; without one,
// DealerAtFault says who is.
func (c Complaint) Verify() error { return verify(c) }

func (c Complaint) claim() (*claim, error) {
	if err := c.Dealing.check(); err != nil {
		return nil, fmt.Errorf("complaint: %w", err)
	}
	k := c.Dealing.recipient(c.Seat)
	if k < 0 {
		return nil, fmt.Errorf("complaint: seat %d is no recipient: %w", c.Seat, ErrProof)
	}
	cl, err := claimEqualLogs(c.transcript(), c.Proof,
		row{{oneScalar, c.Dealing.Recipients[k].Key}},
		row{{oneScalar, c.Dealing.Ephemeral}},
		row{{oneScalar, c.Common}})
	if err != nil {
		return nil, fmt.Errorf("complaint: %w", err)
	}
	return cl, nil
}

// DealerAtFault says of a complaint that Verify accepts whether the share was
// wrong indeed. If not, the complaint was false and its sayer is at fault.
func (c Complaint) DealerAtFault() bool {
	k := c.Dealing.recipient(c.Seat)
	if k < 0 {
		return false
	}
	_, err := c.Dealing.open(k, c.Common)
	return errors.Is(err, ErrShare)
}
