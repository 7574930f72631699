package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/cli/line"
	"standoff/p2p/journal"
)

// robotLine answers what standoff asks a program, until the game is over, and gives what it told.
func robotLine(t *testing.T, in io.Writer, out io.Reader) string {
	var told strings.Builder
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for n := 0; lines.Scan(); {
		told.WriteString(lines.Text() + "\n")
		var a line.Ask
		if !strings.HasPrefix(lines.Text(), `{"type":"ask"`) || json.Unmarshal(lines.Bytes(), &a) != nil || len(a.Choices) == 0 {
			continue
		}
		b, err := json.Marshal(map[string]int{"choice": a.Choices[n%len(a.Choices)].Choice})
		require.NoError(t, err)
		n++
		io.WriteString(in, string(b)+"\n") // a program that has ended asks nothing more
	}
	return told.String()
}

// lostGame plays until the second turn and kills a seat, whose data folder is then that of a person.
func lostGame(t *testing.T, ctx context.Context, program string, options map[string]string) (*demonstration, *seatProcess) {
	d := newDemonstration(t, program, options)
	require.NoError(t, d.start(ctx, 4))
	t.Cleanup(d.close)
	var err error
	d.roster, err = d.gather(ctx)
	require.NoError(t, err)
	require.NoError(t, d.sit())
	for begun := false; !begun; {
		h, err := d.next(ctx, "the second turn")
		require.NoError(t, err)
		begun = strings.HasPrefix(h.Log, "turn 2: ")
	}
	victim := d.seats[2]
	require.NoError(t, victim.kill())
	require.NoError(t, os.Mkdir(journals(victim.folder), 0o700)) // as a person has it
	require.NoError(t, os.Rename(filepath.Join(victim.folder, "tables"), filepath.Join(journals(victim.folder), "tables")))
	return d, victim
}

// Whoever has the key of a seat and nothing else comes back to its game: another player says where it sits, the seat
// is taken out at its wish, and it returns with fresh keys. It is blamed for nothing, for it never says anything twice.
func TestResumeWithTheKeyAlone(t *testing.T) {
	t.Parallel()
	for name, damaged := range map[string]float64{"the journal is gone": gone, "it is damaged": 0.6, "nor does it say who sits at the table": 0} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for range 5 {
				if backByTheKey(t, damaged) {
					return
				}
			}
			require.Fail(t, "five games that were over before the seat could come back")
		})
	}
}

const gone = -1

// backByTheKey plays one such game; false when it was over before the seat was back. With a journal that is damaged so far
// into it the person types what the hint says, and where the others are lies beside that journal.
func backByTheKey(t *testing.T, damaged float64) bool {
	program, err := exec.LookPath("standoff")
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	d, victim := lostGame(t, ctx, program, map[string]string{"waits": "0s", "grace": "300s", "clock": "none"})
	at := d.seats[0].hello.Address
	if damaged != gone {
		list, err := journal.Unfinished(journals(victim.folder))
		require.NoError(t, err)
		require.Len(t, list, 1)
		damage(t, filepath.Join(list[0].Dir, "journal"), damaged)
		code, _, errs := run("resume", "--no-mdns", "--data", victim.folder)
		require.Equal(t, Failure, code)
		_, at, _ = strings.Cut(strings.TrimSpace(errs), "standoff resume --lost ")
		require.Equal(t, list[0].Table.String(), at)
	} else {
		require.NoError(t, os.RemoveAll(journals(victim.folder)))
	}
	cmd := exec.CommandContext(ctx, program, "resume", "--lost", at, "--no-mdns", "--json", "--data", victim.folder)
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	require.NoError(t, cmd.Start())
	told := make(chan string, 1)
	go func() { told <- robotLine(t, in, out) }()
	for !d.over() {
		h, err := d.next(ctx, "the end")
		require.NoError(t, err)
		if h.End != nil {
			h.from.end = h.End
		}
	}
	said := <-told
	require.NoError(t, cmd.Wait(), "%s\n%s", errs.String(), said)
	require.Contains(t, said, "has the key of Cilka at demo, table ")
	require.Contains(t, said, "result: finished")
	file, err := os.ReadFile(d.file(0))
	require.NoError(t, err)
	kept, err := filepath.Glob(filepath.Join(victim.folder, "transcripts", "*.standoff"))
	require.NoError(t, err)
	require.Len(t, kept, 1)
	own, err := os.ReadFile(kept[0])
	require.NoError(t, err)
	require.True(t, bytes.Equal(file, own))
	v := judge(file)
	require.Nil(t, v.problem)
	require.Empty(t, v.Faults)
	require.NotEmpty(t, v.Moves)
	require.Equal(t, "Cilka", v.Moves[0].Nick)
	require.Contains(t, v.Moves[0].Reason, "lost")
	if len(v.Moves) == 1 {
		return false
	}
	require.Len(t, v.Moves, 2)
	require.True(t, v.Moves[1].Back)
	return true
}

// Where the table waits for everybody this cannot be, and a person is told so.
func TestResumeWithTheKeyAloneWhereNobodyCanBeTakenOut(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("standoff")
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	d, victim := lostGame(t, ctx, program, map[string]string{"waits": "0s", "clock": "none", "tolerate": "0"})
	require.NoError(t, os.RemoveAll(journals(victim.folder)))
	code, _, errs := run("resume", "--lost", d.seats[0].hello.Address, "--no-mdns", "--data", victim.folder)
	require.Equal(t, Failure, code)
	require.Contains(t, errs, "the table demo cannot go on without any seat")
	code, _, errs = run("resume", "--lost", "saloon", "--peer", d.seats[0].hello.Address, "--no-mdns", "--data", victim.folder)
	require.Equal(t, Failure, code)
	require.Contains(t, errs, "standoff: hint: name one: demo (")
}
