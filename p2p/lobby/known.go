package lobby

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"standoff/p2p/node"
)

// An Acquaintance says whether a name goes with the key it went with before.
type Acquaintance uint8

const (
	Stranger Acquaintance = iota // never met under this name
	Friend                       // the same name and key as before
	Differs                      // another key under a known name: somebody else, or the same player on a new machine
)

// Known are the players met before, a name and a key each. The first meeting is trusted; from then on a name with
// another key is told. All methods may be called from any goroutine. The file is known_players in the data folder, a line "KEY NICK" each.
type Known struct {
	path string

	mu      sync.Mutex
	players map[string]acquainted // by folded nick
}

type acquainted struct {
	nick string
	key  node.Key
}

const (
	knownFile = "known_players"
	maxKnown  = 4096
)

// LoadKnown reads the players known in the data folder dir. Without a folder nothing is remembered.
func LoadKnown(dir string) (*Known, error) {
	k := &Known{players: map[string]acquainted{}}
	if dir == "" {
		return k, nil
	}
	k.path = filepath.Join(dir, knownFile)
	f, err := os.Open(k.path)
	if errors.Is(err, fs.ErrNotExist) {
		return k, nil
	}
	if err != nil {
		return nil, fmt.Errorf("known players: %w", err)
	}
	defer f.Close()
	lines := bufio.NewScanner(io.LimitReader(f, maxKnown*128))
	for n := 1; lines.Scan(); n++ {
		hex, nick, _ := strings.Cut(lines.Text(), " ")
		key, err := node.ParseKey(hex)
		if err == nil {
			err = CheckNick(nick)
		}
		if err != nil {
			return nil, fmt.Errorf("known players: %s line %d: %w: mend or remove the line", k.path, n, err)
		}
		k.players[fold(nick)] = acquainted{nick, key}
	}
	return k, lines.Err()
}

func fold(nick string) string { return strings.ToLower(nick) }

// Judge says whether nick goes with key; other is the key it went with before.
func (k *Known) Judge(nick string, key node.Key) (a Acquaintance, other node.Key) {
	k.mu.Lock()
	defer k.mu.Unlock()
	p, ok := k.players[fold(nick)]
	switch {
	case !ok:
		return Stranger, other
	case p.key == key:
		return Friend, key
	}
	return Differs, p.key
}

// Note remembers a player who has no name here yet. A known name keeps its key.
func (k *Known) Note(nick string, key node.Key) error {
	if a, _ := k.Judge(nick, key); a != Stranger {
		return nil
	}
	return k.Accept(nick, key)
}

// Accept lets a name go with this key from now on: the person says that it is the same player.
func (k *Known) Accept(nick string, key node.Key) error {
	if err := CheckNick(nick); err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, ok := k.players[fold(nick)]; !ok && len(k.players) >= maxKnown {
		return errors.New("known players: the list is full")
	}
	k.players[fold(nick)] = acquainted{nick, key}
	return k.save()
}

// save writes the file anew; it is whole at every moment.
func (k *Known) save() (err error) {
	if k.path == "" {
		return nil
	}
	var text strings.Builder
	var order []string
	for f := range k.players {
		order = append(order, f)
	}
	slices.Sort(order)
	for _, f := range order {
		fmt.Fprintf(&text, "%s %s\n", k.players[f].key, k.players[f].nick)
	}
	temp, err := os.CreateTemp(filepath.Dir(k.path), knownFile+".new-") // mode 0600
	if err != nil {
		return fmt.Errorf("known players: %w", err)
	}
	defer os.Remove(temp.Name())
	_, err = temp.WriteString(text.String())
	if err = errors.Join(err, temp.Sync(), temp.Close()); err == nil {
		err = os.Rename(temp.Name(), k.path)
	}
	if err != nil {
		return fmt.Errorf("known players: %w", err)
	}
	return nil
}
