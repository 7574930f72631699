package node_test

import (
	"context"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"standoff/p2p/node"
)

func TestIdentityIsMadeOnceAndKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "data")
	first, err := node.LoadOrCreate(dir)
	require.NoError(t, err)
	again, err := node.LoadOrCreate(dir)
	require.NoError(t, err)
	require.Equal(t, first.Key(), again.Key())

	info, err := os.Stat(dir)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
	info, err = os.Stat(filepath.Join(dir, "identity"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, files, 1, "nothing temporary stays")

	other, err := node.Throwaway()
	require.NoError(t, err)
	require.NotEqual(t, first.Key(), other.Key())
}

func TestProgramsThatStartTogetherGetOneIdentity(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	var wg sync.WaitGroup
	got := make([]node.Key, 8)
	for i := range got {
		wg.Go(func() {
			id, err := node.LoadOrCreate(dir)
			if err == nil {
				got[i] = id.Key()
			}
		})
	}
	wg.Wait()
	for _, key := range got {
		require.Equal(t, got[0], key)
		require.NotZero(t, key)
	}
}

func TestAnUnsafeOrDamagedIdentityIsRefusedWithTheRemedy(t *testing.T) {
	for _, c := range []struct {
		name, want string
		spoil      func(dir, file string) error
	}{
		{"readable by the group", "chmod 600", func(_, f string) error { return os.Chmod(f, 0o640) }},
		{"readable by the world", "chmod 600", func(_, f string) error { return os.Chmod(f, 0o604) }},
		{"folder writable by others", "chmod 700", func(d, _ string) error { return os.Chmod(d, 0o777) }},
		{"cut off", "damaged", func(_, f string) error { return os.Truncate(f, 60) }},
		{"empty", "damaged", func(_, f string) error { return os.Truncate(f, 0) }},
		{"not a key", "damaged", func(_, f string) error {
			return os.WriteFile(f, []byte("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"), 0o600)
		}},
		{"too long", "too long", func(_, f string) error { return os.Truncate(f, 1<<20) }},
		{"a folder", "plain file", func(_, f string) error {
			if err := os.Remove(f); err != nil {
				return err
			}
			return os.Mkdir(f, 0o700)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "data")
			_, err := node.LoadOrCreate(dir)
			require.NoError(t, err)
			file := filepath.Join(dir, "identity")
			require.NoError(t, c.spoil(dir, file))
			before, _ := os.ReadFile(file)
			_, err = node.LoadOrCreate(dir)
			require.ErrorContains(t, err, c.want)
			after, _ := os.ReadFile(file)
			require.Equal(t, before, after, "a refused file is left alone")
		})
	}
}

func TestADataFolderThatIsAFileIsAnError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "data")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err := node.LoadOrCreate(file)
	require.ErrorContains(t, err, "data folder")
}

func TestAddressesAreLocalNumbersWithAKey(t *testing.T) {
	t.Parallel()
	id, err := node.Throwaway()
	require.NoError(t, err)
	host, err := node.New(context.Background(), node.Config{Identity: id})
	require.NoError(t, err)
	defer host.Close()
	good := host.Addresses()[0].String()
	require.True(t, strings.HasPrefix(good, "/ip4/127.0.0.1/tcp/"))
	a, err := node.ParseAddress(good)
	require.NoError(t, err)
	require.Equal(t, id.Key(), a.Key())
	require.Equal(t, good, a.String())

	peer := good[strings.Index(good, "/p2p/"):]
	for _, ok := range []string{"/ip4/192.168.1.20/tcp/4001", "/ip4/10.1.2.3/tcp/1", "/ip4/172.31.0.1/tcp/1", "/ip4/169.254.3.4/tcp/1", "/ip6/fd00::1/tcp/1", "/ip6/::1/tcp/1"} {
		_, err := node.ParseAddress(ok + peer)
		require.NoError(t, err, ok)
	}
	for _, c := range []struct{ address, want string }{
		{"192.168.1.20:4001", "who"},
		{"[fd00::1]:4001", "who"},
		{"/dns4/example.com/tcp/4001" + peer, "names are not looked up"},
		{"/dns/example.com/tcp/4001" + peer, "names are not looked up"},
		{"/dnsaddr/example.com" + peer, "names are not looked up"},
		{"/ip4/8.8.8.8/tcp/4001" + peer, "not an address of a local network"},
		{"/ip4/100.64.0.9/tcp/4001" + peer, "not an address of a local network"},
		{"/ip4/0.0.0.0/tcp/4001" + peer, "not an address of a local network"},
		{"/ip6/2001:db8::1/tcp/4001" + peer, "not an address of a local network"},
		{"/ip4/192.168.1.20/udp/4001/quic-v1" + peer, "no other transport"},
		{"/ip4/192.168.1.20/tcp/4001/ws" + peer, "no other transport"},
		{"/ip4/192.168.1.20/tcp/4001" + peer + "/p2p-circuit" + peer, "no other transport"},
		{"/ip4/192.168.1.20/tcp/4001", "/p2p/ID is missing"},
		{"/ip4/192.168.1.20/tcp/4001/p2p/QmYyQSo1c1Ym7orWxLYvCrM2EmxFTANf8wXmmE7DWjhx5N", "peer id"},
		{"hello", "must look like"},
		{"", "must look like"},
	} {
		_, err := node.ParseAddress(c.address)
		require.ErrorContains(t, err, c.want, c.address)
	}
}

func TestAHostListensOnlyOnFreePortsOfTheLocalNetwork(t *testing.T) {
	t.Parallel()
	id, err := node.Throwaway()
	require.NoError(t, err)
	_, err = node.New(context.Background(), node.Config{})
	require.ErrorContains(t, err, "identity")
	for _, c := range []struct{ at, want string }{
		{"0.0.0.0:0", "local network"}, {"[::]:0", "local network"}, {"8.8.8.8:0", "local network"},
		{"10.255.254.253:0", "no such address"},
	} {
		_, err := node.New(context.Background(), node.Config{Identity: id, Listen: []netip.AddrPort{netip.MustParseAddrPort(c.at)}})
		require.ErrorContains(t, err, c.want, c.at)
	}
	taken, err := net.Listen("tcp4", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	_, err = node.New(context.Background(), node.Config{Identity: id, Listen: []netip.AddrPort{netip.MustParseAddrPort(taken.Addr().String())}})
	require.ErrorIs(t, err, node.ErrPortInUse)

	// Nor do two hosts of this program share a port.
	one, err := node.New(context.Background(), node.Config{Identity: id})
	require.NoError(t, err)
	defer one.Close()
	at := strings.TrimPrefix(one.Addresses()[0].String(), "/ip4/127.0.0.1/tcp/")
	at = "127.0.0.1:" + at[:strings.Index(at, "/")]
	other, err := node.Throwaway()
	require.NoError(t, err)
	_, err = node.New(context.Background(), node.Config{Identity: other, Listen: []netip.AddrPort{netip.MustParseAddrPort(at)}})
	require.ErrorIs(t, err, node.ErrPortInUse)
}

func TestOneProgramAtATimePlaysUnderAnIdentity(t *testing.T) {
	dir := t.TempDir()
	lock, err := node.LockIdentity(dir)
	require.NoError(t, err)
	_, err = node.LockIdentity(dir)
	require.ErrorIs(t, err, node.ErrIdentityInUse)
	require.NoError(t, lock.Close())
	lock, err = node.LockIdentity(dir)
	require.NoError(t, err)
	require.NoError(t, lock.Close())
	_, err = node.LockIdentity(filepath.Join(dir, "none"))
	require.Error(t, err)
}
