package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"standoff/cli/i18n"
	"standoff/p2p/table"
)

func (s *shell) version() *cobra.Command {
	return &cobra.Command{
		Use:  "version",
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			for _, line := range s.versions() {
				s.say("%s", line)
			}
			return nil
		},
	}
}

// versions are those of the program, its protocol, its rules and its tools.
func (s *shell) versions() []string {
	put, w := s.words().Put, s.texts()
	return []string{
		put(w.Version, i18n.With{"version": s.build()}),
		put(w.Protocol, i18n.With{"n": int(table.Version)}),
		put(w.RulesVersion, i18n.With{"version": table.RulesVersion}),
		fmt.Sprintf("%s %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH),
	}
}

// build is the version that the Go tool has stamped into the program: a tag, or a revision.
func (s *shell) build() string {
	w := s.texts()
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return w.Unversioned
	}
	version, revision, dirty := info.Main.Version, "", false
	for _, v := range info.Settings {
		switch {
		case v.Key == "vcs.revision" && len(v.Value) >= 12:
			revision = v.Value[:12]
		case v.Key == "vcs.modified" && v.Value == "true":
			dirty = true
		}
	}
	switch {
	case version != "" && version != "(devel)":
		return version
	case revision == "":
		return w.Development
	}
	version = s.words().Put(w.Revision, i18n.With{"revision": revision})
	if dirty {
		version = s.words().Put(w.Changed, i18n.With{"version": version})
	}
	return version
}
