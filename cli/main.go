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
)

// The exit codes of every command.
const (
	OK      = 0
	Failure = 1
	Usage   = 2 // the command line was wrong
	Cheated = 3 // somebody cheated, or a transcript was altered
)

// Problem is an error with what the user can do about it.
type Problem struct {
	Code int // exit code
	Err  error
	Hint string // "" where there is nothing to advise
}

func (p *Problem) Error() string { return p.Err.Error() }
func (p *Problem) Unwrap() error { return p.Err }

// problem makes a failure with a hint.
func problem(err error, hint string, args ...any) *Problem {
	return &Problem{Code: Failure, Err: err, Hint: fmt.Sprintf(hint, args...)}
}

// misuse makes an error of the command line with a hint.
func misuse(hint string, format string, args ...any) *Problem {
	return &Problem{Code: Usage, Err: fmt.Errorf(format, args...), Hint: hint}
}

// shell is what a command has of the world.
type shell struct {
	in  io.Reader
	out *sink
	err io.Writer
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
		err = problem(fmt.Errorf("write the output: %w", s.out.err), "look for a full disk or a closed pipe where the output goes")
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

// report prints an error and its hint, and returns the exit code.
func (s *shell) report(err error) int {
	if err == nil {
		return OK
	}
	p := &Problem{Code: Failure, Err: err}
	errors.As(err, &p)
	fmt.Fprintf(s.err, "standoff: error: %s\n", follow(oneLine(err.Error())))
	if p.Hint != "" {
		fmt.Fprintf(s.err, "standoff: hint: %s\n", follow(p.Hint))
	}
	return p.Code
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func (s *shell) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "standoff",
		Short: "the western card game BANG! between peers, dealt by nobody, verified by everybody",
		Long: "Standoff plays the western card game BANG! on one local network, with no server and no dealer: all peers\n" +
			"shuffle together, every move is checked by everybody, and the transcript of a game can be verified by anyone.",
		Example: "  standoff play                     play against bots on this machine\n" +
			"  standoff host                     open a table on this network; the others run: standoff join NAME\n" +
			"  standoff demo                     watch a whole game of bots, one process each\n" +
			"  standoff verify game.standoff     check every signature, proof and rule of a game\n" +
			"  standoff rules barrel             what a card does, and how doubts are settled",
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
			_, err := language(lang)
			return err
		}
		return nil
	}
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return badFlag(c, err)
	})
	root.Version = build()
	root.SetVersionTemplate(strings.Join(versions(), "\n") + "\n")
	root.SetHelpCommand(&cobra.Command{
		Use:   "help [COMMAND]",
		Short: "explain a command",
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
		var text strings.Builder
		c.SetOut(&text)
		help(c, args)
		c.SetOut(nil)
		fmt.Fprint(s.out, follow(text.String()))
	})
	for _, make := range commands {
		root.AddCommand(make(s))
	}
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			c.Short = "write the completion script of a shell"
			c.Long = "Writes a script with which a shell completes commands and flags; the help of each shell says where it goes."
			c.Args = noShell
			c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
		}
	}
	return root
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
	return misuse("choose one of "+strings.Join(names, ", "), "there is no completion for the shell %q", args[0])
}

// badFlag says in plain words what is wrong with a flag.
func badFlag(c *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	if !errors.As(err, &invalid) {
		return misuse(fmt.Sprintf("run \"%s --help\" for the flags there are", c.CommandPath()), "%w", err)
	}
	f := invalid.GetFlag()
	what := map[string]string{"int": "a whole number", "uint16": "a number from 0 to 65535", "uint64": "a whole number from 0 on", "bool": "true or false"}[f.Value.Type()]
	if what == "" {
		what = "another value"
	}
	return misuse(fmt.Sprintf("--%s: %s", f.Name, f.Usage), "--%s takes %s, not %q", f.Name, what, invalid.GetValue())
}

// noCommand refuses words after "standoff" that are no command.
func noCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := "run \"standoff --help\" for the commands there are"
	var names []string
	for _, known := range c.Root().Commands() {
		if !known.Hidden {
			names = append(names, known.Name())
		}
	}
	if near := nearest(args[0], names); len(near) > 0 {
		hint = fmt.Sprintf("did you mean \"standoff %s\"? %s", near[0], hint)
	}
	return misuse(hint, "there is no command %q", args[0])
}

// noArgs is for commands that take flags only.
func noArgs(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return misuse(fmt.Sprintf("run \"%s --help\" for what it takes", c.CommandPath()), "%s takes no argument, but got %q", c.CommandPath(), args[0])
	}
	return nil
}

// oneFile is for commands that read one transcript.
func oneFile(c *cobra.Command, args []string) error {
	switch len(args) {
	case 1:
		return nil
	case 0:
		return misuse(fmt.Sprintf("run \"%s FILE\" with a transcript, a file whose name ends in .standoff", c.CommandPath()), "%s needs the file of a transcript", c.CommandPath())
	}
	return misuse("give one file at a time", "%s takes one file, but got %d", c.CommandPath(), len(args))
}
