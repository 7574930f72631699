package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCommandsAreWrittenAsTheProgramIsCalled(t *testing.T) {
	for path, want := range map[string]string{
		"standoff": "standoff", "./standoff": "./standoff", "/opt/bin/standoff": "/opt/bin/standoff",
		"/tmp/go-build12/b001/exe/standoff": "go run ./cmd/standoff", "/tmp/go-build12/b100/cli.test": "standoff",
	} {
		require.Equal(t, want, calledBy(path), path)
	}
	for text, want := range map[string]string{
		"read it: standoff show x":             "read it: ./x/standoff show x",
		"a standoff transcript":                "a standoff transcript",
		`run "standoff --help"`:                `run "./x/standoff --help"`,
		"go run ./cmd/standoff play":           "go run ./cmd/standoff play",
		"  standoff [command]":                 "  ./x/standoff [command]",
		"standoff play; standoff host":         "./x/standoff play; ./x/standoff host",
		"standoff: error: no command":          "standoff: error: no command",
		"standoff playing":                     "standoff playing",
		"standoff plays the western card game": "standoff plays the western card game",
	} {
		require.Equal(t, want, followAs("./x/standoff", text))
	}
	require.Equal(t, `"/a b/standoff"`, calledBy("/a b/standoff"))
}

// Whoever has started the program by its path can type what help, errors and hints print.
func TestHelpErrorsAndHintsNameTheProgramAsItWasStarted(t *testing.T) {
	const program = "./bin/standoff"
	start := func(args ...string) *exec.Cmd {
		cmd := exec.Command("standoff", args...)
		data := t.TempDir()
		cmd.Env = append(os.Environ(), calledAs+"="+program, "STANDOFF_DATA="+data, "STANDOFF_CONFIG="+filepath.Join(data, "config"))
		return cmd
	}
	plain := regexp.MustCompile(`(^|[^\w/.-])standoff( [a-z]| \[)`)
	says := func(args ...string) string {
		out, _ := start(args...).CombinedOutput() // some of them are meant to fail
		require.NotRegexp(t, plain, string(out), args)
		return string(out)
	}
	s := &shell{out: &sink{}}
	for _, c := range s.root().Commands() {
		text := says("help", c.Name())
		require.Equal(t, text, says(c.Name(), "--help"))
		require.Contains(t, text, program+" "+c.Name())
	}
	require.Contains(t, says("--help"), program+" play  ")
	require.Contains(t, says("plya"), `did you mean "`+program+` play"?`)
	require.Contains(t, says("join"), program+" join needs the name of a table")
	require.Contains(t, says("verify"), program+" verify needs the file of a transcript")
	require.Contains(t, says("play", "--nonsense"), `run "`+program+` play --help"`)
	require.NotContains(t, says("host", "--option", "x=y"), program+" "+program)

	// The manual page is of the program where it is installed.
	out, err := start("man").Output()
	require.NoError(t, err)
	require.Contains(t, string(out), "standoff play")
	require.NotContains(t, strings.ReplaceAll(string(out), `\-`, "-"), program)
}
