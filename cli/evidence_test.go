package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"standoff/cli/i18n"
	"standoff/engine"
	"standoff/p2p/table"
)

// caughtRedHanded plays until a seat is asked, and has it do what the rules forbid. It gives an honest table, the fault
// that this has found, and the transcript that ends with what the cheater said.
func caughtRedHanded(t *testing.T) (h *hall, honest *table.Table, f table.Fault, transcript []byte) {
	h = sitDown(t, 4)
	seat := h.play(3)
	require.GreaterOrEqual(t, seat, 0)
	honest = h.tables[(seat+1)%4]
	forged := h.forge(seat, engine.Action{Verb: engine.Flip, To: engine.None})
	transcript = frame(honest.Transcript(), forged)
	require.NoError(t, honest.Receive(table.Bundle(forged)[0]))
	faults := honest.Ready().Faults
	require.Len(t, faults, 1)
	require.Equal(t, seat, faults[0].Seat)
	return h, honest, faults[0], transcript
}

func TestVerifyEvidence(t *testing.T) {
	h, honest, f, transcript := caughtRedHanded(t)
	dir := t.TempDir()
	path, err := keepEvidence(dir, f, honest.Evidence(f))
	require.NoError(t, err)
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	judge := func(t *testing.T, file []byte, code int) (c confirmation, text, errs string) {
		path := filepath.Join(t.TempDir(), "x.evidence")
		require.NoError(t, os.WriteFile(path, file, 0o644))
		got, text, errs := run("verify", "--evidence", path)
		require.Equal(t, code, got, errs)
		got, out, _ := run("verify", "--json", path, "--evidence")
		require.Equal(t, code, got)
		keys := map[string]any{}
		require.NoError(t, json.Unmarshal([]byte(out), &keys))
		require.Len(t, keys, 8)
		for _, k := range []string{"result", "table", "seat", "nick", "key", "round", "kind", "reason"} {
			require.Contains(t, keys, k)
		}
		require.NoError(t, json.Unmarshal([]byte(out), &c))
		return c, text, errs
	}
	t.Run("it holds", func(t *testing.T) {
		c, text, errs := judge(t, whole, OK)
		require.Empty(t, errs)
		key := honest.Roster().Joins[f.Seat].Key
		require.Equal(t, confirmation{Result: "proved", Table: f.Table.String(), Seat: f.Seat, Nick: h.nick(f.Seat), Key: c.Key,
			Round: int(f.Round), Kind: "illegal action", Reason: c.Reason}, c)
		require.Equal(t, f.Reason, c.Reason)
		require.True(t, strings.HasPrefix(text, "table: "+f.Table.String()+"\nproved: "+h.nick(f.Seat)+" (key "), text)
		require.Contains(t, text, "fault: illegal action: "+c.Reason)
		require.Len(t, c.Key, 2*len(key))
		require.NotEmpty(t, c.Reason)
	})
	t.Run("an honest seat is not convicted by it", func(t *testing.T) {
		other := f
		other.Seat = (f.Seat + 2) % 4
		c, text, errs := judge(t, honest.Evidence(other), Cheated)
		require.Equal(t, "unproven", c.Result)
		require.Equal(t, other.Seat, c.Seat)
		require.Empty(t, text)
		require.Contains(t, errs, "a false accusation: it proves nothing against seat ")
	})
	t.Run("altered", func(t *testing.T) {
		b := bytes.Clone(whole)
		b[len(b)/2] ^= 1 // in the game before
		c, _, errs := judge(t, b, Cheated)
		require.Equal(t, "altered", c.Result)
		require.Contains(t, errs, "the game in the file was altered: ")
	})
	t.Run("cut off, or no evidence at all", func(t *testing.T) {
		for _, b := range [][]byte{whole[:len(whole)/2], {}, transcript} {
			c, _, errs := judge(t, b, Failure)
			require.Equal(t, "unreadable", c.Result)
			require.Contains(t, errs, "hint: ")
		}
		for _, command := range []string{"verify", "show"} {
			code, _, errs := run(command, path)
			require.Equal(t, Failure, code, "evidence is no transcript")
			require.Regexp(t, `evidence of a fault, and no transcript\n.*hint: run "\S+ verify --evidence FILE"`, errs)
		}
		_, _, errs := judge(t, transcript, Failure)
		require.Regexp(t, `a transcript, and no evidence of a fault\n.*hint: run "\S+ verify FILE"`, errs)
	})
	t.Run("taken out of a transcript", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "game.standoff")
		require.NoError(t, os.WriteFile(file, transcript, 0o644))
		out := filepath.Join(t.TempDir(), "new", "faults")
		code, text, _ := run("verify", "--export", out, file)
		require.Equal(t, Cheated, code)
		same := filepath.Join(out, evidenceName(f))
		require.Contains(t, text, "evidence: "+same+"\n")
		got, err := os.ReadFile(same)
		require.NoError(t, err)
		require.Equal(t, whole, got)
		require.NoError(t, os.WriteFile(file, honest.Transcript()[:len(transcript)/2], 0o644))
		code, text, _ = run("verify", "--export", out, file)
		require.Equal(t, Failure, code)
		require.Contains(t, text, "evidence: none")
	})
	t.Run("misuse", func(t *testing.T) {
		for _, args := range [][]string{{"--evidence"}, {"--export", "", path}, {"--evidence", "--export", dir, path}} {
			code, _, errs := run(append([]string{"verify"}, args...)...)
			require.Equal(t, Usage, code, args)
			require.Contains(t, errs, "hint: ")
		}
	})
}

// Whoever plays keeps the evidence beside the transcripts and is told where it lies; a full disk does not end the game.
func TestAPlayerKeepsEvidence(t *testing.T) {
	h, honest, f, _ := caughtRedHanded(t)
	dir := filepath.Join(t.TempDir(), "transcripts")
	var out bytes.Buffer
	s := &shell{in: strings.NewReader(""), out: &sink{w: &out}, err: &out}
	e := s.newEvening(&i18n.English, false)
	e.keep = dir
	e.caught(honest, table.Ready{Faults: []table.Fault{f}})
	path := filepath.Join(dir, evidenceName(f))
	require.Contains(t, strings.Join(strings.Fields(out.String()), " "), h.nick(f.Seat)+" has cheated in round ")
	require.Contains(t, strings.Join(strings.Fields(out.String()), ""), "standoffverify--evidence"+path)
	code, _, _ := run("verify", "--evidence", path)
	require.Equal(t, OK, code)
	out.Reset()
	e.keep = filepath.Join(path, "no folder")
	e.caught(honest, table.Ready{Faults: []table.Fault{f}})
	require.Contains(t, strings.Join(strings.Fields(out.String()), " "), "the evidence cannot be written")
}

// What has no place at the table accuses nobody: a player is told that, the file says the same, and the game goes on.
func TestAPlayerKeepsStrays(t *testing.T) {
	h := sitDown(t, 4)
	seat := h.play(3)
	require.GreaterOrEqual(t, seat, 0)
	honest := h.tables[(seat+1)%4]
	unsigned := bytes.Clone(h.forge(seat, engine.Action{Verb: engine.Flip, To: engine.None}))
	unsigned[5] ^= 1
	foreign := h.forgeFor(table.Hash{1}, seat, engine.Action{Verb: engine.Flip, To: engine.None})
	for _, raw := range [][]byte{unsigned, foreign} {
		require.Error(t, honest.Receive(table.Bundle(raw)[0]))
	}
	r := honest.Ready()
	require.Empty(t, r.Faults)
	require.Len(t, r.Strays, 2)
	require.Nil(t, r.End)

	dir := filepath.Join(t.TempDir(), "transcripts")
	var out bytes.Buffer
	s := &shell{in: strings.NewReader(""), out: &sink{w: &out}, err: &out}
	e := s.newEvening(&i18n.English, false)
	e.keep = dir
	e.caught(honest, r)
	said := strings.Join(strings.Fields(out.String()), " ")
	require.Equal(t, 2, strings.Count(said, "nobody is accused"), said)
	signed := "key of this table: " + h.nick(seat) + " (key "
	for i, want := range []string{"signed with no key of this table", signed} {
		path := filepath.Join(dir, evidenceName(r.Strays[i]))
		require.Contains(t, strings.ReplaceAll(said, " ", ""), "standoffverify--evidence"+path)
		code, text, errs := run("verify", "--evidence", path)
		require.Equal(t, OK, code, errs)
		require.Contains(t, text, "table: "+r.Strays[i].Table.String()+"\nstray: nobody is accused")
		require.Contains(t, text, want)
		require.Contains(t, text, "fault: "+r.Strays[i].Kind.String()+": "+named(r.Strays[i].Reason, honest.Roster()))
		require.NotRegexp(t, `in the name of seat \d`, text, "a person knows nicks")
		code, text, _ = run("verify", "--evidence", "--json", path)
		require.Equal(t, OK, code)
		var c confirmation
		require.NoError(t, json.Unmarshal([]byte(text), &c))
		require.Equal(t, "stray", c.Result)
		require.Equal(t, -1, c.Seat)
		require.Equal(t, i == 1, c.Nick == h.nick(seat))
		whole, err := os.ReadFile(path)
		require.NoError(t, err)
		whole[len(whole)-1] ^= 1
		require.NoError(t, os.WriteFile(path, whole, 0o600))
		code, _, errs = run("verify", "--evidence", path)
		require.NotEqual(t, OK, code, errs)
	}
	out.Reset()
	e.keep = filepath.Join(dir, evidenceName(r.Strays[0]), "no folder")
	e.caught(honest, r)
	require.Contains(t, strings.Join(strings.Fields(out.String()), " "), "cannot be written")
}
