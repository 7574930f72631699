package cli

import (
	"context"
	"errors"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"standoff/p2p/node"
)

// portFile has the port of the program that listened last from a data folder.
const portFile = "port"

// hostAt starts a host that listens at the port of last time, where none is asked for and that one is free. So the
// address that others have of somebody still holds when the program starts again, even if all of them do at once and
// nobody is left to say where they are now.
func hostAt(ctx context.Context, data string, c node.Config) (*node.Host, error) {
	path := filepath.Join(data, portFile)
	if c.Roam != nil && c.Roam.Port != 0 {
		return node.New(ctx, c)
	}
	b, _ := os.ReadFile(path) // what cannot be read is no port
	last, _ := strconv.ParseUint(strings.TrimSpace(string(b)), 10, 16)
	again := c
	if c.Roam != nil {
		again.Roam = &node.Roam{Port: uint16(last), Interfaces: c.Roam.Interfaces}
	} else {
		again.Listen = []netip.AddrPort{netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), uint16(last))}
	}
	host, err := node.New(ctx, again)
	if last != 0 && errors.Is(err, node.ErrPortInUse) {
		host, err = node.New(ctx, c)
	}
	if err != nil {
		return nil, err
	}
	if at := host.Addresses(); len(at) > 0 {
		if port := strconv.Itoa(int(at[0].Place().Port())); port != strings.TrimSpace(string(b)) {
			os.WriteFile(path, []byte(port+"\n"), 0o600) // without it the next start listens elsewhere, as the first did
		}
	}
	return host, nil
}
