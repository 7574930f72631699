package cli

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

// calledAs is the variable that tells the program under test by which path it was started.
const calledAs = "STANDOFF_TEST_CALLED_AS"

func TestMain(m *testing.M) {
	testscript.Main(waiting{m}, map[string]func(){
		"standoff": func() {
			if name, ok := os.LookupEnv(calledAs); ok { // testscript has taken the path away
				os.Args[0] = name
			}
			os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
		},
	})
}

// waiting runs the tests four at a time: most of what they do is to wait for processes.
type waiting struct{ m *testing.M }

func (w waiting) Run() int {
	flag.Parse()
	flag.Set("test.parallel", strconv.Itoa(max(4, runtime.GOMAXPROCS(0))))
	return w.m.Run()
}

// The commands and their errors, one script each.
func TestScripts(t *testing.T) {
	golden, err := filepath.Abs(filepath.Join("..", "p2p", "table", "testdata"))
	require.NoError(t, err)
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(e *testscript.Env) error {
			e.Setenv("STANDOFF_DATA", filepath.Join(e.WorkDir, "data"))
			e.Setenv("GOLDEN", golden)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"code": exitCode,
			"flip": flipByte,
			"cut":  cutFile,
		},
	})
}

// exitCode runs the command line in this process and checks its exit code: code 2 demo --players 9. What it writes goes
// to the files out and err.
func exitCode(ts *testscript.TestScript, _ bool, args []string) {
	var out, errs bytes.Buffer
	words := make([]string, len(args[1:]))
	for i, a := range args[1:] {
		if words[i] = a; strings.Contains(a, "/") || strings.HasSuffix(a, ".standoff") {
			words[i] = ts.MkAbs(a)
		}
	}
	got := Main(words, strings.NewReader(""), &out, &errs)
	ts.Check(os.WriteFile(ts.MkAbs("out"), out.Bytes(), 0o644))
	ts.Check(os.WriteFile(ts.MkAbs("err"), errs.Bytes(), 0o644))
	if want := args[0]; want != "?" && want != string(rune('0'+got)) {
		ts.Fatalf("exit code %d, want %s\n%s%s", got, want, out.String(), errs.String())
	}
	if lines := strings.Count(errs.String(), "\n"); got != OK && (lines < 1 || lines > 2 || !strings.HasPrefix(errs.String(), "standoff: error: ")) {
		ts.Fatalf("an error is one line and a hint is one line:\n%s", errs.String())
	}
}

// flipByte copies a file and changes the byte in the middle of the copy: flip FROM TO.
func flipByte(ts *testscript.TestScript, _ bool, args []string) {
	b := []byte(ts.ReadFile(args[0]))
	b[len(b)/2] ^= 1
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), b, 0o644))
}

// cutFile copies the first half of a file: cut FROM TO.
func cutFile(ts *testscript.TestScript, _ bool, args []string) {
	b := []byte(ts.ReadFile(args[0]))
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), b[:len(b)/2], 0o644))
}

// run runs a command line in this process.
func run(args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = Main(args, strings.NewReader(""), &o, &e)
	return code, o.String(), e.String()
}

func TestEveryCommandHasHelpWithoutAFullStop(t *testing.T) {
	s := &shell{out: &sink{w: &bytes.Buffer{}}}
	for _, c := range s.root().Commands() {
		require.NotEmpty(t, c.Short, c.Name())
		require.False(t, strings.HasSuffix(c.Short, "."), c.Name())
		require.Equal(t, strings.ToLower(c.Short[:1]), c.Short[:1], c.Name())
		code, out, _ := run(c.Name(), "--help")
		require.Equal(t, OK, code)
		require.Contains(t, out, "Usage:")
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			require.NotEmpty(t, f.Usage, "%s --%s", c.Name(), f.Name)
			require.NotContains(t, f.Usage, "{", "%s --%s", c.Name(), f.Name)
		})
	}
}

func TestEveryCommandRefusesAnUnknownFlag(t *testing.T) {
	s := &shell{out: &sink{w: &bytes.Buffer{}}}
	for _, c := range s.root().Commands() {
		if c.Name() == "help" || c.Name() == "completion" {
			continue
		}
		code, _, errs := run(c.Name(), "--no-such-flag")
		require.Equal(t, Usage, code, c.Name())
		require.Contains(t, errs, "standoff: error: unknown flag: --no-such-flag\n")
		require.Contains(t, errs, "standoff: hint: run \"standoff "+c.Name()+" --help\"")
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestOutputThatCannotBeWrittenIsAnError(t *testing.T) {
	var errs bytes.Buffer
	require.Equal(t, Failure, Main([]string{"version"}, strings.NewReader(""), full{}, &errs))
	require.Contains(t, errs.String(), "standoff: error: write the output")
	require.Contains(t, errs.String(), "standoff: hint: ")
}
