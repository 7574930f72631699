package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"standoff/cli/i18n"
	"standoff/engine/boxes"
)

// shell is what a command has of the world.
type shell struct {
	in  io.Reader
	out *sink
	err io.Writer

	text   *i18n.Catalogue // nil: English
	inGame bool            // the rules are asked in a game, where a command is typed without the program
}

// words is the catalogue in force.
func (s *shell) words() *i18n.Catalogue {
	if s.text == nil {
		return &i18n.English
	}
	return s.text
}

// sink remembers the first error of writing, so that a full disk or a closed pipe is not taken for success.
type sink struct {
	w   io.Writer
	err error
}

func (s *sink) Write(b []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.w.Write(b)
	s.err = err
	return n, err
}

// say writes one line of output.
func (s *shell) say(format string, args ...any) { fmt.Fprintf(s.out, format+"\n", args...) }

// put writes one line of the catalogue.
func (s *shell) put(template string, with i18n.With) {
	s.say("%s", follow(s.words().Put(template, with)))
}

// texts are the words of what is printed.
func (s *shell) texts() *i18n.ReportTexts { return &s.words().Report }

// commands is the table of commands, in the order in which help lists them.
var commands = []func(*shell) *cobra.Command{
	(*shell).play,
	(*shell).hosting,
	(*shell).joining,
	(*shell).resume,
	(*shell).list,
	(*shell).watching,
	(*shell).demo,
	(*shell).verify,
	(*shell).show,
	(*shell).cards,
	(*shell).rules,
	(*shell).sim,
	(*shell).doctor,
	(*shell).config,
	(*shell).man,
	(*shell).version,
	(*shell).seat,
	(*shell).robot,
}

// Main runs the command line and returns the exit code. It uses nothing but its arguments, the environment and the
// files and processes that a command is about, so that tests can call it.
func Main(args []string, in io.Reader, out, errs io.Writer) int {
	ctx, stop := untilSignal()
	defer stop()
	s := &shell{in: in, out: &sink{w: out}, err: errs}
	if data, set := os.LookupEnv("STANDOFF_DATA"); set {
		defer os.Setenv("STANDOFF_DATA", data)
	} else {
		defer os.Unsetenv("STANDOFF_DATA")
	}
	root := s.root()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if s.out.err != nil && err == nil {
		err = problem(i18n.NotWritten, why(s.out.err))
	}
	return s.report(err)
}

// untilSignal is a context that ends with the first interrupt, or when the terminal or the machine ends. The second one
// ends the program at once, as if nobody had listened.
func untilSignal() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		select {
		case <-signals:
		case <-ctx.Done():
		}
		signal.Stop(signals) // before anybody can say so
		cancel()
	}()
	return ctx, cancel
}

func (s *shell) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "standoff",
		Args:          noCommand,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(c *cobra.Command, _ []string) error { return s.alone(c) },
	}
	globalFlags(root)
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error {
		if dir, err := c.Flags().GetString("data"); err == nil && dir != "" {
			return os.Setenv("STANDOFF_DATA", dir) // for all that asks for the folder, and for child processes
		}
		if lang, err := c.Flags().GetString("lang"); err == nil && c.Flags().Changed("lang") {
			text, err := language(lang)
			s.text = text
			return err
		}
		return nil
	}
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return s.badFlag(c, err)
	})
	root.Version = s.build()
	root.SetVersionTemplate(strings.Join(s.versions(), "\n") + "\n")
	root.SetHelpCommand(&cobra.Command{
		Use: "help [COMMAND]",
		RunE: func(c *cobra.Command, args []string) error {
			found, rest, err := root.Find(args)
			if err != nil || found == root && len(rest) > 0 {
				return noCommand(root, args)
			}
			found.InitDefaultHelpFlag() // as with --help
			return found.Help()
		},
	})
	help := root.HelpFunc()
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		if lang, err := c.Flags().GetString("lang"); err == nil && c.Flags().Changed("lang") {
			if text, err := language(lang); err == nil {
				s.text = text
				s.explain(root)
			}
		}
		var text strings.Builder
		c.SetOut(&text)
		help(c, args)
		c.SetOut(nil)
		fmt.Fprint(s.out, follow(text.String()))
	})
	for _, make := range commands {
		root.AddCommand(make(s))
	}
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			c.Args = noShell
			c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
		}
	}
	s.explain(root)
	return root
}

// explain gives the commands their pages of the manual, and the flags what they do.
func (s *shell) explain(c *cobra.Command) {
	text := s.words()
	page := text.Manual[c.Name()]
	c.Short, c.Long, c.Example = page.Short, page.Long, page.Example
	with := i18n.With{"boxes": strings.Join(boxes.Names()[1:], ", ")}
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if usage := text.Flag(c.Name(), f.Name); usage != "" {
			f.Usage = text.Put(usage, with)
		}
	})
	for _, sub := range c.Commands() {
		if c.Name() != "completion" { // cobra explains the shells
			s.explain(sub)
		}
	}
}

// noShell refuses words after "standoff completion" that are no shell.
func noShell(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, known := range c.Commands() {
		names = append(names, known.Name())
	}
	return misuse(i18n.NoShell, i18n.With{"what": quoted(args[0]), "list": strings.Join(names, ", ")})
}

// badFlag says in plain words what is wrong with a flag.
func (s *shell) badFlag(c *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	if !errors.As(err, &invalid) {
		return misuse(i18n.BadFlag, i18n.With{"why": err, "command": c.CommandPath()})
	}
	f := invalid.GetFlag()
	w := s.texts()
	what := map[string]string{"int": w.WholeNumber, "uint16": w.PortNumber, "uint64": w.Natural, "bool": w.Boolean}[f.Value.Type()]
	if what == "" {
		what = w.OtherValue
	}
	return misuse(i18n.BadFlagValue, i18n.With{"flag": f.Name, "help": f.Usage, "kind": what, "what": quoted(invalid.GetValue())})
}

// noCommand refuses words after "standoff" that are no command.
func noCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, known := range c.Root().Commands() {
		if !known.Hidden {
			names = append(names, known.Name())
		}
	}
	if near := nearest(args[0], names); len(near) > 0 {
		return misuse(i18n.NoCommandNear, i18n.With{"what": quoted(args[0]), "near": near[0]})
	}
	return misuse(i18n.NoCommand, i18n.With{"what": quoted(args[0])})
}

// noArgs is for commands that take flags only.
func noArgs(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return misuse(i18n.NoArgument, i18n.With{"command": c.CommandPath(), "what": quoted(args[0])})
	}
	return nil
}

// oneFile is for commands that read one transcript.
func oneFile(c *cobra.Command, args []string) error {
	switch len(args) {
	case 1:
		return nil
	case 0:
		return misuse(i18n.FileNeeded, i18n.With{"command": c.CommandPath()})
	}
	return misuse(i18n.OneFile, i18n.With{"command": c.CommandPath(), "n": len(args)})
}
