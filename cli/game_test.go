package cli

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fxamacker/cbor/v2"
	"github.com/stretchr/testify/require"

	"standoff/cli/i18n"
	"standoff/engine"
	"standoff/engine/bot"
	"standoff/p2p/table"
)

// hall is a table whose players sit in one process and whose network loses nothing.
type hall struct {
	t      *testing.T
	keys   []ed25519.PrivateKey // by seat
	tables []*table.Table
	bots   []*bot.Bot
}

func sitDown(t *testing.T, players int, options ...string) *hall {
	t.Helper()
	suite := table.NewRistretto(rand.Reader)
	rules, err := compile([]string{"base"})
	require.NoError(t, err)
	choices := table.DefaultChoices()
	for _, o := range options {
		name, value, _ := strings.Cut(o, "=")
		choices.Table[name] = value
	}
	var keys []ed25519.PrivateKey
	for range players {
		_, k, err := ed25519.GenerateKey(rand.Reader)
		require.NoError(t, err)
		keys = append(keys, k)
	}
	offer, err := table.SignOffer(suite, table.Offer{Name: "hall", Rules: table.RulesVersion, Sets: []string{"base"}, Options: choices.List(rules), Seats: uint8(players)}, keys[0], rand.Reader)
	require.NoError(t, err)
	_, id, err := table.ReadOffer(suite, offer)
	require.NoError(t, err)
	var joins [][]byte
	for i, k := range keys {
		j, err := table.SignJoin(suite, id, demoNicks[i], true, k, rand.Reader)
		require.NoError(t, err)
		joins = append(joins, j)
	}
	raw, err := table.SignRoster(suite, offer, joins, keys[0])
	require.NoError(t, err)
	roster, err := table.ReadRoster(suite, raw)
	require.NoError(t, err)
	h := &hall{t: t, keys: make([]ed25519.PrivateKey, players)}
	for _, k := range keys {
		h.keys[roster.SeatOf(k.Public().(ed25519.PublicKey))] = k
	}
	for i, k := range h.keys {
		tbl, err := table.New(table.Config{Roster: raw, Rules: compile, Identity: k, Rand: rand.Reader})
		require.NoError(t, err)
		h.tables, h.bots = append(h.tables, tbl), append(h.bots, bot.New(uint64(i)))
	}
	for _, tbl := range h.tables {
		require.NoError(t, tbl.Start())
	}
	return h
}

// play goes on until so many decisions have been taken and one more is asked of a seat, whose number it returns; -1
// when everybody has the end.
func (h *hall) play(decisions int) int {
	for {
		quiet, asked := true, -1
		for i, tbl := range h.tables {
			r := tbl.Ready()
			watch(h.bots[i], tbl, r)
			for _, p := range r.Send {
				quiet = false
				for j, other := range h.tables {
					if j != i {
						other.Receive(p)
					}
				}
			}
			if r.Ask && !h.waiting() {
				if asked = i; decisions > 0 {
					decisions--
					quiet = false
					v, ok := tbl.View()
					require.True(h.t, ok)
					require.NoError(h.t, tbl.Act(h.bots[i].Act(v, v.Legal())))
				}
			}
		}
		if quiet {
			return asked
		}
	}
}

// waiting reports whether some table lags behind another.
func (h *hall) waiting() bool {
	first, _ := h.tables[0].Round()
	for _, tbl := range h.tables[1:] {
		if r, _ := tbl.Round(); r != first {
			return true
		}
	}
	return false
}

func (h *hall) nick(seat int) string { return h.tables[0].Roster().Joins[seat].Nick }

// file puts a transcript into a file.
func (h *hall) file(b []byte) string {
	path := filepath.Join(h.t.TempDir(), "game.standoff")
	require.NoError(h.t, os.WriteFile(path, b, 0o644))
	return path
}

// forge is a message for the open round in which the seat decides to do a, signed as it should be, whether or not the
// rules allow it. It is put together from the description of the protocol, not by the program's own code.
func (h *hall) forge(seat int, a engine.Action) []byte {
	return h.forgeFor(h.tables[seat].Roster().Table, seat, a)
}

// forgeFor is such a message for any table.
func (h *hall) forgeFor(id table.Hash, seat int, a engine.Action) []byte {
	mode, err := cbor.CoreDetEncOptions().EncMode()
	require.NoError(h.t, err)
	list := func(v ...any) cbor.RawMessage {
		b, err := mode.Marshal(v)
		require.NoError(h.t, err)
		return b
	}
	round, head := h.tables[seat].Round()
	act := list(false, a.Verb, a.As, a.Card.Slot, a.With.Slot, a.To, a.At, a.N, nil, nil)
	text := list(table.Version, table.KindSay, id, round, seat, head, list(table.RoundAct, act, [][]byte{}))
	return append(ed25519.Sign(h.keys[seat], append([]byte("standoff/table/1"), text...)), text...)
}

// frame puts a message behind a transcript.
func frame(transcript, message []byte) []byte {
	return append(binary.BigEndian.AppendUint32(bytes.Clone(transcript), uint32(len(message))), message...)
}

func verifyJSON(t *testing.T, path string, code int) verdict {
	t.Helper()
	got, out, errs := run("verify", "--json", path)
	require.Equal(t, code, got, errs)
	var v verdict
	require.NoError(t, json.Unmarshal([]byte(out), &v))
	keys := map[string]any{}
	require.NoError(t, json.Unmarshal([]byte(out), &keys))
	for _, k := range []string{"result", "players", "sets", "options", "rounds", "proofs", "checked", "winners", "faults", "removals"} {
		require.Contains(t, keys, k)
		require.NotNil(t, keys[k], k)
	}
	require.Len(t, keys, 10)
	return v
}

func TestVerifyOfAFinishedGame(t *testing.T) {
	h := sitDown(t, 4)
	require.Equal(t, -1, h.play(1<<20))
	path := h.file(h.tables[0].Transcript())
	v := verifyJSON(t, path, OK)
	require.Equal(t, "finished", v.Result)
	require.Equal(t, []string{"base"}, v.Sets)
	require.Equal(t, "eager", v.Options["reshuffle"])
	require.Greater(t, v.Rounds, 20)
	require.Greater(t, v.Proofs, 20)
	require.NotEmpty(t, v.Winners)
	require.Empty(t, v.Faults)
	places := map[int]bool{}
	for i, p := range v.Players {
		require.Equal(t, i, p.Seat)
		require.Equal(t, h.nick(i), p.Nick)
		require.NotEmpty(t, p.Role)
		require.NotEmpty(t, p.Character)
		require.False(t, p.Left)
		places[p.Place] = true
	}
	require.Len(t, places, 4)

	// A person reads the numbers of the seats around the table, from 1, as in play.
	code, out, _ := run("verify", path)
	require.Equal(t, OK, code)
	seats := regexp.MustCompile(`(?m)^(\w+) \(bot\): .*, seat (\d), key `).FindAllStringSubmatch(out, -1)
	require.Len(t, seats, 4)
	around := ""
	for i, m := range seats {
		require.Equal(t, strconv.Itoa(i+1), m[2])
		p := v.Players[slices.IndexFunc(v.Players, func(p playerVerdict) bool { return p.Nick == m[1] })]
		require.Equal(t, i, p.Place)
		around += fmt.Sprintf(", %d %s", i+1, m[1])
	}
	code, out, _ = run("show", path)
	require.Equal(t, OK, code)
	require.Contains(t, out, "\naround the table: "+around[2:]+"\n")
	for _, w := range v.Winners {
		require.Contains(t, out, "\n"+w+": wins as ")
	}
	for _, p := range v.Players {
		if p.Role != "Sheriff" {
			require.Contains(t, out, "\n"+p.Nick+": role "+p.Role+", secret\n")
		}
	}
	require.False(t, strings.ContainsFunc(out, func(r rune) bool { return r >= 0x2500 && r < 0x2580 }), "no box characters")
	require.NotContains(t, out, "holds a card", "with all keys shown, every hand can be told")
}

func TestVerifyOfAGameThatSomebodyLeft(t *testing.T) {
	h := sitDown(t, 4, "tolerate=0")
	require.GreaterOrEqual(t, h.play(3), 0)
	h.tables[2].Leave()
	h.play(0)
	path := h.file(h.tables[1].Transcript())
	v := verifyJSON(t, path, OK)
	require.Equal(t, "void", v.Result)
	require.True(t, v.Players[2].Left)
	require.Empty(t, v.Winners)
	code, out, errs := run("verify", path)
	require.Equal(t, OK, code)
	require.Contains(t, out, "\nvoid: "+h.nick(2)+" left before the end\n")
	require.Empty(t, errs)
	code, out, _ = run("show", path)
	require.Equal(t, OK, code)
	require.Contains(t, out, "result: void")
	require.NotContains(t, out, "secret", "no keys were shown")
}

// Of a seat that is away it is told whether it still plays, and never that it has not decided in time.
func TestTheLogTellsAbsenceFromLackOfTime(t *testing.T) {
	t.Parallel()
	for away, want := range map[string]string{"defaults": ": away, plays by default from now on", "out": ": away, and out of the game"} {
		h := sitDown(t, 5, "away="+away)
		require.GreaterOrEqual(t, h.play(3), 0)
		h.tables[2].Leave()
		require.Equal(t, -1, h.play(1<<20))
		code, out, _ := run("show", h.file(h.tables[1].Transcript()))
		require.Equal(t, OK, code)
		require.Contains(t, out, "\n"+h.nick(2)+want+"\n")
		require.Equal(t, 1, strings.Count(out, ": away, "), "once")
		require.NotContains(t, out, "in time", away)
		if away == "out" {
			require.Contains(t, out, "\n"+h.nick(2)+": eliminated\n")
		}
	}
}

// Where the table allows it the others finish without whoever has left.
func TestVerifyOfAGameThatWentOnWithoutSomebody(t *testing.T) {
	t.Parallel()
	h := sitDown(t, 5)
	require.GreaterOrEqual(t, h.play(3), 0)
	h.tables[2].Leave()
	require.Equal(t, -1, h.play(1<<20))
	path := h.file(h.tables[1].Transcript())
	v := verifyJSON(t, path, OK)
	require.Equal(t, "finished", v.Result)
	require.Len(t, v.Moves, 1)
	require.Equal(t, 2, v.Moves[0].Seat)
	require.False(t, v.Players[2].Left, "the game is not void")
	for _, command := range []string{"verify", "show"} {
		code, out, _ := run(command, path)
		require.Equal(t, OK, code)
		require.Regexp(t, fmt.Sprintf(`(?m)^left: %s \(seat %d\), from round \d+ \(away\)$`, h.nick(2), v.Players[2].Place+1), out)
		require.Regexp(t, `(?m)^result: finished$`, out)
	}
}

func TestVerifyOfAnUnfinishedGame(t *testing.T) {
	h := sitDown(t, 4)
	require.GreaterOrEqual(t, h.play(5), 0)
	path := h.file(h.tables[0].Transcript())
	v := verifyJSON(t, path, Failure)
	require.Equal(t, "incomplete", v.Result)
	code, _, errs := run("verify", path)
	require.Equal(t, Failure, code)
	require.Regexp(t, `^standoff: error: the transcript is incomplete after round \d+\nstandoff: hint: .+\n$`, errs)
}

// Moves against the rules, signed as they should be: the seat, the round and the rule's reason are named.
func TestVerifyNamesWhoBrokeTheRules(t *testing.T) {
	h := sitDown(t, 4)
	seat := h.play(0)
	require.GreaterOrEqual(t, seat, 0)
	round, _ := h.tables[seat].Round()
	other := (seat + 1) % 4
	whole := h.tables[other].Transcript()
	for name, c := range map[string]struct {
		a      engine.Action
		reason string
	}{
		"an answer when nothing is asked": {engine.Action{Verb: engine.Answer, To: engine.None}, "that cannot be done now"},
		"another's turn is not skipped":   {engine.Action{Verb: engine.Flip, To: engine.None}, "that is no answer here"},
		"a card that is not there":        {engine.Action{Verb: engine.Play, Card: engine.Card{Slot: 9999}, To: engine.None}, "the card is not in play any more"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "game.standoff")
			require.NoError(t, os.WriteFile(path, frame(whole, h.forge(seat, c.a)), 0o644))
			v := verifyJSON(t, path, Cheated)
			require.Equal(t, "cheated", v.Result)
			require.Len(t, v.Faults, 1)
			f := v.Faults[0]
			require.Equal(t, seat, f.Seat)
			require.Equal(t, h.nick(seat), f.Nick)
			require.Equal(t, int(round), f.Round)
			require.Equal(t, table.FaultIllegal.String(), f.Kind)
			require.Contains(t, f.Reason, c.reason)
			require.NotContains(t, f.Reason, "seat", "the number would be a place, not a seat")
			code, _, errs := run("verify", path)
			require.Equal(t, Cheated, code)
			require.Contains(t, errs, "standoff: error: somebody cheated: illegal action: round ")
			require.Contains(t, errs, h.nick(seat))
		})
	}
	t.Run("a legal one is no fault", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "game.standoff")
		v, ok := h.tables[seat].View()
		require.True(t, ok)
		i := slices.IndexFunc(v.Legal(), func(a engine.Action) bool { return a.Card.Slot == 0 && a.With.Slot == 0 })
		require.GreaterOrEqual(t, i, 0)
		require.NoError(t, os.WriteFile(path, frame(whole, h.forge(seat, v.Legal()[i])), 0o644))
		require.Empty(t, verifyJSON(t, path, Failure).Faults)
	})
}

// Every changed byte is found, and it is said where.
func TestVerifyFindsEveryChangedByte(t *testing.T) {
	h := sitDown(t, 4, "tolerate=0") // so that the game ends when somebody leaves
	require.GreaterOrEqual(t, h.play(4), 0)
	h.tables[0].Leave()
	h.play(0)
	whole := h.tables[0].Transcript()
	require.Nil(t, judge(whole).problem)
	for i := range 60 {
		sum := sha256.Sum256([]byte{byte(i)})
		at := int(binary.BigEndian.Uint32(sum[:])) % len(whole)
		b := bytes.Clone(whole)
		b[at] ^= 1 << (sum[4] % 8)
		v := judge(b)
		require.NotNil(t, v.problem, "byte %d", at)
		require.Regexp(t, `round|roster|byte|begin`, v.problem.Error(), "byte %d", at)
		_, advice := v.problem.Words(&i18n.English)
		require.NotEmpty(t, advice)
	}
}
