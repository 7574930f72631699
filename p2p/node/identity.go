package node

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/libp2p/go-libp2p/core/crypto"
	"github.com/libp2p/go-libp2p/core/peer"

	"standoff/p2p/internal/storage"
)

// A Key is the Ed25519 public key of a peer: the one name by which a seat is
// known to the table, to its signatures and to the network alike.
type Key [ed25519.PublicKeySize]byte

// String is the key in hexadecimal, 64 digits.
func (k Key) String() string { return hex.EncodeToString(k[:]) }

// MarshalText is String.
func (k Key) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText is ParseKey.
func (k *Key) UnmarshalText(text []byte) error {
	l, err := ParseKey(string(text))
	if err == nil {
		*k = l
	}
	return err
}

// ParseKey reads a key in hexadecimal.
func ParseKey(s string) (Key, error) {
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != len(Key{}) {
		return Key{}, fmt.Errorf("key %q: must be 64 hexadecimal digits", s)
	}
	k := Key(b)
	_, err = k.peerID()
	return k, err
}

// Short is the beginning of the key, enough to tell the peers of one table
// apart in a message to a person.
func (k Key) Short() string { return hex.EncodeToString(k[:4]) }

// peerID is the libp2p name of the key: the identity multihash that holds it.
func (k Key) peerID() (peer.ID, error) {
	pub, err := crypto.UnmarshalEd25519PublicKey(k[:])
	if err != nil {
		return "", fmt.Errorf("key %s: %w", k.Short(), err)
	}
	return peer.IDFromPublicKey(pub)
}

// keyOf takes the key out of a peer id. Every other kind of libp2p id, such as
// a hash of an RSA key, is an error: no seat can have it.
func keyOf(p peer.ID) (Key, error) {
	pub, err := p.ExtractPublicKey()
	if err != nil {
		return Key{}, fmt.Errorf("peer id %q: %w", p.String(), err)
	}
	if pub.Type() != crypto.Ed25519 {
		return Key{}, fmt.Errorf("peer id %q: not an Ed25519 key", p.String())
	}
	raw, err := pub.Raw()
	if err != nil || len(raw) != len(Key{}) {
		return Key{}, fmt.Errorf("peer id %q: not an Ed25519 key", p.String())
	}
	return Key(raw), nil
}

// An Identity is the signing key of a player. It signs envelopes and proves to
// other peers who speaks; the secrets of the cards are never derived from it.
// The zero Identity is invalid.
type Identity struct{ secret ed25519.PrivateKey }

// Secret is the private key, 64 bytes in the form of crypto/ed25519.
func (i Identity) Secret() ed25519.PrivateKey { return i.secret }

// Key is the public key.
func (i Identity) Key() Key { return Key(i.secret.Public().(ed25519.PublicKey)) }

// libp2p is the key in libp2p's form.
func (i Identity) libp2p() (crypto.PrivKey, error) {
	return crypto.UnmarshalEd25519PrivateKey(i.secret)
}

// Throwaway makes an identity that lives in memory only, for commands that
// look but do not sit down, and for the peers of one demonstration.
func Throwaway() (Identity, error) {
	_, secret, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return Identity{}, fmt.Errorf("make a key: %w", err)
	}
	return Identity{secret}, nil
}

// identityFile is the name of the key file in the data folder: a PKCS #8 key
// (RFC 8410) in PEM, so that standard tools can look at it.
const (
	identityFile    = "identity"
	maxIdentitySize = 4096
)

// LoadOrCreate reads the identity of the data folder dir, or makes folder (mode
// 0700) and key (mode 0600) when there is none. The new key is whole on the disk
// before it has its name, and of two programs that start at once both get the
// same key. A key that others may read, or a folder that others may write, is
// refused with an error that names the remedy: whoever has the key is the player.
func LoadOrCreate(dir string) (Identity, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return Identity{}, fmt.Errorf("data folder: %w", err)
	}
	if err := checkFolder(dir); err != nil {
		return Identity{}, err
	}
	path := filepath.Join(dir, identityFile)
	identity, err := load(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return identity, err
	}
	if err := create(path); err != nil {
		return Identity{}, fmt.Errorf("make identity %s: %w", path, err)
	}
	return load(path)
}

// ErrIdentityInUse is returned to the second program that would sit at tables under one identity: the others could not
// tell them apart.
var ErrIdentityInUse = errors.New("another program plays under this identity: end it, or use another data folder")

// A Lock is held by whoever sits at tables under the identity of a data folder.
type Lock struct{ file *os.File }

// LockIdentity takes the lock of the data folder dir, or fails with ErrIdentityInUse. The folder must exist. Who only
// looks uses a Throwaway and needs no lock.
func LockIdentity(dir string) (*Lock, error) {
	f, err := storage.Lock(filepath.Join(dir, identityFile+".lock"))
	if errors.Is(err, storage.ErrLocked) {
		err = ErrIdentityInUse
	}
	if err != nil {
		return nil, fmt.Errorf("identity of %s: %w", dir, err)
	}
	return &Lock{f}, nil
}

// Close gives the lock back.
func (l *Lock) Close() error { return l.file.Close() }

func checkFolder(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("data folder %s: others may write it (mode %04o): run \"chmod 700 %s\", or choose another folder",
			dir, info.Mode().Perm(), dir)
	}
	return nil
}

func load(path string) (Identity, error) {
	f, err := os.Open(path)
	if err != nil {
		return Identity{}, fmt.Errorf("identity: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Identity{}, fmt.Errorf("identity: %w", err)
	}
	if !info.Mode().IsRegular() {
		return Identity{}, fmt.Errorf("identity %s: not a plain file: move it away, and a new key will be made", path)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return Identity{}, fmt.Errorf("identity %s: others may read it (mode %04o): run \"chmod 600 %s\"; if somebody may have copied it, delete it and play under a new key",
			path, info.Mode().Perm(), path)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxIdentitySize+1))
	if err != nil {
		return Identity{}, fmt.Errorf("identity: %w", err)
	}
	secret, err := parse(text)
	if err != nil {
		return Identity{}, fmt.Errorf("identity %s: %w: put back a copy of it, or move it away to play under a new key", path, err)
	}
	return Identity{secret}, nil
}

func parse(text []byte) (ed25519.PrivateKey, error) {
	if len(text) > maxIdentitySize {
		return nil, errors.New("the file is too long")
	}
	block, rest := pem.Decode(text)
	if block == nil || block.Type != "PRIVATE KEY" || len(rest) != 0 {
		return nil, errors.New("the file is damaged")
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, errors.New("the file is damaged")
	}
	secret, ok := key.(ed25519.PrivateKey)
	if !ok {
		return nil, errors.New("the key in it is not an Ed25519 key")
	}
	return secret, nil
}

// create writes a new key beside path and gives it its name only when it is
// whole. Losing the race for the name is no error: the other key is as good.
func create(path string) (err error) {
	identity, err := Throwaway()
	if err != nil {
		return err
	}
	der, err := x509.MarshalPKCS8PrivateKey(identity.secret)
	if err != nil {
		return err
	}
	temp := path + ".new-" + rand.Text()
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer os.Remove(temp)
	err = pem.Encode(f, &pem.Block{Type: "PRIVATE KEY", Bytes: der})
	err = errors.Join(err, f.Sync(), f.Close())
	if err != nil {
		return err
	}
	// A link, unlike a rename, never replaces a key that another program has
	// just made. File systems without links get the rename.
	if err := os.Link(temp, path); err != nil && !errors.Is(err, fs.ErrExist) {
		if _, err := os.Lstat(path); err == nil {
			return nil
		}
		if err := os.Rename(temp, path); err != nil {
			return err
		}
	}
	return storage.SyncFolder(filepath.Dir(path))
}
