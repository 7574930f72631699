package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"standoff/p2p/table"
)

func (s *shell) version() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "show the version of the program, of its protocol and of its rules",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			for _, line := range versions() {
				s.say("%s", line)
			}
			return nil
		},
	}
}

// versions are those of the program, its protocol, its rules and its tools.
func versions() []string {
	return []string{
		"standoff " + build(),
		fmt.Sprintf("protocol %d", table.Version),
		"rules " + table.RulesVersion,
		fmt.Sprintf("%s %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH),
	}
}

// build is the version that the Go tool has stamped into the program: a tag, or a revision.
func build() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	version, revision, dirty := info.Main.Version, "", ""
	for _, v := range info.Settings {
		switch {
		case v.Key == "vcs.revision" && len(v.Value) >= 12:
			revision = v.Value[:12]
		case v.Key == "vcs.modified" && v.Value == "true":
			dirty = ", changed since"
		}
	}
	switch {
	case version != "" && version != "(devel)":
		return version
	case revision != "":
		return "development, revision " + revision + dirty
	}
	return "development"
}
