package lobby_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"standoff/p2p/lobby"
	"standoff/p2p/node"
)

func TestANameIsTrustedAtFirstSightAndThenHeldToItsKey(t *testing.T) {
	dir := t.TempDir()
	boris, stranger := identity(t).Key(), identity(t).Key()
	k, err := lobby.LoadKnown(dir)
	require.NoError(t, err)
	a, _ := k.Judge("Boris", boris)
	require.Equal(t, lobby.Stranger, a)
	require.NoError(t, k.Note("Boris", boris))
	require.NoError(t, k.Note("boris", stranger), "a known name keeps its key")

	k, err = lobby.LoadKnown(dir)
	require.NoError(t, err)
	a, _ = k.Judge("Boris", boris)
	require.Equal(t, lobby.Friend, a)
	a, other := k.Judge("BORIS", stranger)
	require.Equal(t, lobby.Differs, a)
	require.Equal(t, boris, other)
	require.NoError(t, k.Accept("Boris", stranger))
	k, err = lobby.LoadKnown(dir)
	require.NoError(t, err)
	a, _ = k.Judge("Boris", stranger)
	require.Equal(t, lobby.Friend, a)

	info, err := os.Stat(filepath.Join(dir, "known_players"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 1)
}

func TestADamagedListOfPlayersIsNamed(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "known_players"), []byte(identity(t).Key().String()+" Ana\nrubbish\n"), 0o600))
	_, err := lobby.LoadKnown(dir)
	require.ErrorContains(t, err, "line 2")
}

func TestAKeyThatDiffersFromAKnownNicksIsTold(t *testing.T) {
	known, err := lobby.LoadKnown("")
	require.NoError(t, err)
	former := identity(t).Key()
	require.NoError(t, known.Note("Boris", former))

	ana, boris := player(t, "Ana"), player(t, "Boris")
	home := hostOf(t, ana, nil)
	l, err := lobby.Enter(home)
	require.NoError(t, err)
	opened, err := lobby.Open(l, lobby.OpenConfig{Player: ana, Offer: rules(t), Known: known})
	require.NoError(t, err)
	_, err = lobby.Sit(t.Context(), hostOf(t, boris, nil, home.Addresses()...), home.Key(), boris, nil)
	require.NoError(t, err)
	n := reads(t, opened, lobby.NewsDiffers)
	require.Equal(t, "Boris", n.Seat.Nick)
	require.Equal(t, former, n.Other)
	v := opened.View()
	require.Equal(t, lobby.Differs, v.Seat(node.Key(boris.Identity.Key())).Known)
	require.Equal(t, lobby.Stranger, v.Seat(ana.Identity.Key()).Known)
}
