package cli

import (
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
	require.True(t, command.MatchString("read it: standoff show x"))
	require.False(t, command.MatchString("a standoff transcript"))
}
