package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"standoff/cli/i18n"
	"standoff/cli/line"
	"standoff/p2p/journal"
	"standoff/p2p/table"
)

// sitting is one run of the program by a person who answers with the defaults.
type sitting struct {
	said  []string // the objects that came out
	errs  string
	code  int
	waits bool // no question is answered
}

// has reports whether something came out.
func (s *sitting) has(what string) bool {
	for _, l := range s.said {
		if strings.Contains(l, what) {
			return true
		}
	}
	return false
}

// sitBy runs the program in a data folder until it ends, or is killed when stop says so of an object that came out.
func sitBy(t *testing.T, data string, stop func(s *sitting, object string) bool, args ...string) *sitting {
	cmd := exec.Command("standoff", append(args, "--json", "--no-mdns")...)
	cmd.Env = append(os.Environ(), "STANDOFF_DATA="+data, "STANDOFF_CONFIG="+filepath.Join(data, "config"))
	var errs strings.Builder
	cmd.Stderr = &errs
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	late := time.AfterFunc(3*time.Minute, func() { cmd.Process.Kill() })
	s := &sitting{}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		s.said = append(s.said, lines.Text())
		var a line.Ask
		switch {
		case stop != nil && stop(s, lines.Text()):
			cmd.Process.Kill()
		case !s.waits && json.Unmarshal(lines.Bytes(), &a) == nil && a.Type == "ask" && len(a.Choices) > 0:
			fmt.Fprintf(in, "{\"choice\":%d}\n", max(1, a.Default))
		}
	}
	cmd.Wait()
	s.errs, s.code = errs.String(), cmd.ProcessState.ExitCode()
	require.True(t, late.Stop(), "it takes too long:\n%s\n%s", strings.Join(s.said, "\n"), s.errs)
	return s
}

// asks stops at the n-th question.
func asks(n int) func(*sitting, string) bool {
	return func(_ *sitting, object string) bool {
		if strings.HasPrefix(object, `{"type":"ask"`) {
			n--
		}
		return n == 0
	}
}

// returned stops when a seat is let in again.
func returned(_ *sitting, object string) bool { return strings.Contains(object, `"kind":"returned"`) }

// returnedFirst stops then too, and answers nothing before: the game cannot be over too soon.
func returnedFirst(s *sitting, object string) bool {
	s.waits = true
	return returned(s, object)
}

// againstBots is a data folder with a game against bots that was killed in the middle, its id and the folder of its
// journal.
func againstBots(t *testing.T, args ...string) (data, id, folder string) {
	for range 5 {
		data = dataWithBots(t)
		sitBy(t, data, asks(3), append([]string{"play", "--option", "clock=none"}, args...)...)
		list, err := journal.Unfinished(journals(data))
		require.NoError(t, err)
		if len(list) == 1 {
			return data, list[0].Table.String(), list[0].Dir
		}
	}
	require.Fail(t, "five games in which nothing was asked three times")
	return "", "", ""
}

// openedAgainstBots is the data folder of such a game, and the journal of the person, which another program has.
func openedAgainstBots(t *testing.T) (data string, e journal.Entry, j *journal.Journal) {
	data, _, _ = againstBots(t, "--bots", "3")
	list, err := journal.Unfinished(journals(data))
	require.NoError(t, err)
	j, _, err = journal.Open(journals(data), list[0].Table)
	require.NoError(t, err)
	return data, list[0], j
}

// flaws are what may befall the journal of a person, by its folder.
var flaws = []struct {
	name string
	do   func(t *testing.T, dir string)
	why  string
}{
	{"a byte changed in the middle", func(t *testing.T, dir string) { damage(t, filepath.Join(dir, "journal"), 0.5) }, "damaged"},
	{"its beginning changed", func(t *testing.T, dir string) { damage(t, filepath.Join(dir, "journal"), 0) }, "damaged"},
	{"empty", func(t *testing.T, dir string) { require.NoError(t, os.Truncate(filepath.Join(dir, "journal"), 0)) }, "damaged"},
	{"missing", func(t *testing.T, dir string) { require.NoError(t, os.Remove(filepath.Join(dir, "journal"))) }, "there is no journal of this table"},
	{"without its secrets", func(t *testing.T, dir string) { require.NoError(t, os.Remove(filepath.Join(dir, "secret"))) }, "secrets are lost"},
	{"gone with its folder", func(t *testing.T, dir string) { require.NoError(t, os.RemoveAll(dir)) }, "there is no journal of this table"},
}

// damage changes the byte that lies so far into a file.
func damage(t *testing.T, path string, part float64) {
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	b[int(part*float64(len(b)))] ^= 0x55
	require.NoError(t, os.WriteFile(path, b, 0o600))
}

// Whatever has become of the own journal of a game against bots, the error names the command that leads back, and that
// command does: the bots of this machine are started, take the seat out and let it in again. What was left of the journal
// is still there.
func TestAGameAgainstBotsIsComeBackToWithoutAJournal(t *testing.T) {
	t.Parallel()
	for i, f := range flaws {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			data, id, folder := againstBots(t, "--bots", "3")
			f.do(t, folder)
			before, there := os.ReadFile(filepath.Join(folder, "peers"))

			s := sitBy(t, data, nil, "resume")
			require.Equal(t, Failure, s.code, s.errs)
			require.Empty(t, s.said, "nothing is said of a game that cannot be gone on with")
			require.Contains(t, s.errs, f.why)
			require.Contains(t, s.errs, "standoff resume --lost "+id)

			args := []string{"resume", "--lost"}
			if i%2 == 1 {
				args = append(args, id)
			}
			s = sitBy(t, data, returned, args...)
			require.True(t, s.has("asks to be taken out"), s.errs)
			require.True(t, s.has(`"kind":"returned"`), "%v\n%s", s.said, s.errs)
			if there == nil {
				kept, err := os.ReadFile(filepath.Join(folder+".damaged-1", "peers"))
				require.NoError(t, err, "what was there is put aside")
				require.Equal(t, before, kept)
			}
			if i > 0 {
				return
			}
			s = sitBy(t, data, nil, "resume") // from the new journal
			require.Equal(t, OK, s.code, s.errs)
			files, err := filepath.Glob(filepath.Join(data, "transcripts", "*.standoff"))
			require.NoError(t, err)
			require.Len(t, files, 1)
			file, err := os.ReadFile(files[0])
			require.NoError(t, err)
			v := judge(file)
			require.Nil(t, v.problem)
			require.Equal(t, "finished", v.Result)
			require.Empty(t, v.Faults)
			require.Len(t, v.Moves, 2)
			require.Equal(t, table.Lost.String(), v.Moves[0].Reason)
		})
	}
}

// A bot whose journal is damaged comes back too, without being asked for.
func TestABotComesBackWithoutItsJournal(t *testing.T) {
	t.Parallel()
	data, _, _ := againstBots(t, "--bots", "3")
	list, err := journal.Unfinished(journals(data))
	require.NoError(t, err)
	bots := robotsOf(data, list[0].Table)
	require.Len(t, bots, 3)
	damage(t, filepath.Join(journal.Folder(bots[1], list[0].Table), "journal"), 0.5)
	s := sitBy(t, data, returnedFirst, "resume")
	require.True(t, s.has(`"kind":"returned"`), "%v\n%s", s.said, s.errs)
}

// With too few journals left the game may stand still for good, and the person is told so.
func TestTooFewJournalsOfAGameAgainstBots(t *testing.T) {
	t.Parallel()
	data, _, _ := againstBots(t, "--bots", "3")
	list, err := journal.Unfinished(journals(data))
	require.NoError(t, err)
	for _, b := range robotsOf(data, list[0].Table)[:2] {
		damage(t, filepath.Join(journal.Folder(b, list[0].Table), "journal"), 0.5)
	}
	s := sitBy(t, data, func(_ *sitting, object string) bool { return strings.Contains(object, `"kind":"short"`) }, "resume")
	require.True(t, s.has("of the 4 seats only 2 have a journal that can be used"), "%v\n%s", s.said, s.errs)
}

// A game whose end the person has is over, whatever its bots were in the middle of when they were killed.
func TestAGameThatIsOverIsNotLost(t *testing.T) {
	t.Parallel()
	data, _, j := openedAgainstBots(t)
	require.NoError(t, j.End("finished"))
	require.NoError(t, j.Close())
	require.NoError(t, journal.Sweep(journals(data)))
	s := sitBy(t, data, nil, "resume")
	require.Equal(t, Failure, s.code)
	require.Contains(t, s.errs, "there is no unfinished game in ")
}

// Where the table waits for everybody the game is lost, and the person is told that, what could still help, and nothing
// else; the bots stay where they are, so that it does help.
func TestAGameAgainstBotsThatIsLost(t *testing.T) {
	t.Parallel()
	data, id, folder := againstBots(t, "--bots", "3", "--option", "tolerate=0")
	whole, err := os.ReadFile(filepath.Join(folder, "journal"))
	require.NoError(t, err)
	damage(t, filepath.Join(folder, "journal"), 0.5)
	for _, args := range [][]string{{"resume"}, {"resume", "--lost"}, {"resume", "--lost", id}} {
		s := sitBy(t, data, nil, args...)
		require.Equal(t, Failure, s.code)
		require.Empty(t, s.said)
		require.Contains(t, s.errs, "so it is lost")
		require.Contains(t, s.errs, "put back the folder "+folder)
		require.DirExists(t, folder, "nothing is put aside for nothing")
	}
	require.NoError(t, os.WriteFile(filepath.Join(folder, "journal"), whole, 0o600))
	s := sitBy(t, data, asks(2), "resume", id)
	require.True(t, s.has(`{"type":"ask"`), "%v\n%s", s.said, s.errs)
}

// A journal that another program has, or that one may not read, is neither lost nor damaged, and nothing is said before
// that is known.
func TestAJournalThatCannotBeHad(t *testing.T) {
	t.Parallel()
	data, e, j := openedAgainstBots(t)
	s := sitBy(t, data, nil, "resume")
	require.Equal(t, Failure, s.code)
	require.Empty(t, s.said)
	require.Contains(t, s.errs, "another program plays at this table")
	require.Contains(t, s.errs, "standoff: hint: end the other standoff first")
	require.NoError(t, j.Close())

	if os.Getuid() == 0 {
		t.Log("the system administrator may read everything: only the words are tried")
		g := &unfinishedGame{Entry: e}
		_, advice := g.hindered(fmt.Errorf("journal: %w", os.ErrPermission)).(*Problem).Words(&i18n.English)
		require.Contains(t, advice, "see whether you may read and write "+e.Dir)
		return
	}
	require.NoError(t, os.Chmod(filepath.Join(e.Dir, "journal"), 0))
	for _, args := range [][]string{{"resume"}, {"resume", "--lost"}} {
		s = sitBy(t, data, nil, args...)
		require.Equal(t, Failure, s.code)
		require.Empty(t, s.said)
		require.Contains(t, s.errs, "permission denied")
		require.Contains(t, s.errs, "see whether you may read and write "+e.Dir)
	}
	require.NoDirExists(t, e.Dir+".damaged-1")
}
