package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"standoff/cli/i18n"
)

func (s *shell) man() *cobra.Command {
	return &cobra.Command{
		Use:  "man",
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			s.say("%s", strings.TrimSpace(manual(c.Root())))
			return nil
		},
	}
}

// roff makes a text harmless for roff: no line begins with a dot or a quote, backslashes stand for themselves, dashes
// can be copied.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}

// manual is the page of all commands.
func manual(root *cobra.Command) string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	say(`.TH STANDOFF 1 "" "standoff %s" "Games"`, roff(root.Version))
	say(".SH NAME\nstandoff \\- %s", roff(root.Short))
	say(".SH SYNOPSIS\n.B standoff\n[\\fICOMMAND\\fR] [\\fIFLAG\\fR...]")
	say(".SH DESCRIPTION\n%s", roff(root.Long))
	say(".SH COMMANDS")
	for _, c := range root.Commands() {
		if c.Hidden {
			continue
		}
		say(".TP\n.B %s\n%s", roff("standoff "+c.Use), roff(c.Short))
		if c.Long != "" {
			say(".IP\n%s", roff(c.Long))
		}
		flags(&b, c.LocalNonPersistentFlags(), ".IP\n")
		if c.Example != "" {
			say(".IP\n.nf\n%s\n.fi", roff(c.Example))
		}
	}
	say(".SH OPTIONS\nThese go with every command.")
	flags(&b, root.PersistentFlags(), ".TP\n")
	say(".SH SETTINGS\nA flag comes before the environment, the environment before the file, the file before the default.")
	for _, row := range settingTable {
		say(".TP\n.B %s\n%s, %s", row.name, roff(row.env), roff(i18n.English.Report.Settings[row.name]))
	}
	say(".SH EXIT STATUS\n0 it worked, 1 it did not, 2 the command line was wrong, 3 somebody cheated or a transcript was altered")
	return b.String()
}

func flags(b *strings.Builder, set *pflag.FlagSet, begin string) {
	set.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		if value != "" {
			value = " " + value
		}
		fmt.Fprintf(b, "%s.B %s\n%s\n", begin, roff("--"+f.Name+value), roff(usage))
	})
}
