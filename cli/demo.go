package cli

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"standoff/cli/i18n"
	"standoff/p2p/table"
)

func (s *shell) demo() *cobra.Command {
	var c choosing
	var out string
	var k strikes
	cmd := &cobra.Command{
		Use:  "demo",
		Args: noArgs,
	}
	c.flags(cmd, 5)
	cmd.Flags().StringVar(&out, "out", "", "")
	cmd.Flags().IntVar(&k.kill, "kill", 0, "")
	cmd.Flags().BoolVar(&k.atOnce, "at-once", false, "")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if out == "" && cmd.Flags().Changed("out") {
			return misuse(i18n.NoFolderNamed, nil)
		}
		rules, choices, err := c.choose()
		if err != nil {
			return err
		}
		if err := k.plan(c.players, &choices); err != nil {
			return err
		}
		c.unless("waits", "0s", &choices) // nobody is fooled by the waiting of bots
		if k.kill > 0 {                   // who watches does not want to wait for the dead to think
			c.unless("grace", "2s", &choices)
			c.unless("clock", "none", &choices)
		}
		k.grace = choices.Table["grace"]
		ctx, cancel := context.WithTimeout(cmd.Context(), demoLimit)
		defer cancel()
		d := &demonstration{shell: s, sets: c.names(), list: choices.List(rules), all: out != "", rounds: k.kill > 0, strikes: k}
		d.keep, d.folder, err = prepare(out)
		if err != nil {
			return err
		}
		defer d.tidy()
		s.put(s.texts().Peers, i18n.With{"n": c.players})
		s.put(s.texts().RulesPreset, i18n.With{"sets": strings.Join(d.sets, " + "), "preset": c.preset, "options": s.changed(rules, d.list)})
		return d.run(ctx, c.players)
	}
	return cmd
}

// unless sets an option of the table that the person has not set.
func (c *choosing) unless(name, value string, choices *table.Choices) {
	if !slices.ContainsFunc(c.options, func(o string) bool { return strings.HasPrefix(o, name+"=") }) {
		choices.Table[name] = value
	}
}

// demoLimit is the time that a demonstration has.
const demoLimit = 10 * time.Minute

// demoNicks are the players of a demonstration, by seat.
var demoNicks = []string{"Ana", "Boris", "Cilka", "Dimitris", "Eva", "Ferenc", "Gita", "Hana"}

// demonstration is one run of the command.
type demonstration struct {
	*shell
	strikes
	sets    []string    // the boxes
	list    [][2]string // the options of the table
	keep    string      // where the transcripts are to lie, made and writable
	all     bool        // keep every seat's
	kept    string      // the first that was kept
	folder  string      // for what only the run needs
	roster  []byte
	seats   []*seatProcess
	rounds  bool   // the seats tell every round
	program string // that the seats run; this one
	heard   chan heard
}

// prepare makes the folder for the transcripts and one for the run, and tries whether the first may be written,
// before anything starts.
func prepare(out string) (keep, folder string, err error) {
	keep = out
	if out == "" {
		data, err := dataFolder()
		if err != nil {
			return "", "", problem(i18n.OutNowhere, why(err))
		}
		keep = filepath.Join(data, "transcripts")
	}
	if err := tryFolder(keep); err != nil {
		return "", "", problem(i18n.OutUnwritable, why(err))
	}
	if folder, err = os.MkdirTemp("", "standoff-demo-"); err != nil {
		return "", "", problem(i18n.NoTemporary, why(err))
	}
	return keep, folder, nil
}

func (d *demonstration) tidy() { os.RemoveAll(d.folder) }

// run plays the game and judges it.
func (d *demonstration) run(ctx context.Context, players int) error {
	d.heard = make(chan heard, 64)
	defer d.close()
	if err := d.start(ctx, players); err != nil {
		return err
	}
	var err error
	if d.roster, err = d.gather(ctx); err != nil {
		return err
	}
	if err := d.sit(); err != nil {
		return err
	}
	if err := d.follow(ctx); err != nil {
		return err
	}
	if err := d.judge(); err != nil {
		return err
	}
	return d.struck()
}

// gather lets seat 0 open the offer, the others join it, and seat 0 close the roster.
func (d *demonstration) gather(ctx context.Context) ([]byte, error) {
	var offer, roster []byte
	var joins [][]byte
	open := d.seats[0]
	err := open.tell(order{Open: &openOrder{Nick: open.nick, Offer: table.Offer{
		Name: "demo", Rules: table.RulesVersion, Sets: d.sets, Options: d.list, Seats: uint8(len(d.seats)),
	}}})
	for offer == nil && err == nil {
		var h heard
		if h, err = d.next(ctx, d.texts().Offer); h.Offer != nil {
			offer, joins = h.Offer, append(joins, h.Join)
		}
	}
	for _, p := range d.seats[1:] {
		if err == nil {
			err = p.tell(order{Join: &joinOrder{Nick: p.nick, Offer: offer}})
		}
	}
	for len(joins) < len(d.seats) && err == nil {
		var h heard
		if h, err = d.next(ctx, d.texts().Joins); h.Join != nil {
			joins = append(joins, h.Join)
		}
	}
	if err == nil {
		err = open.tell(order{Close: &joins})
	}
	for roster == nil && err == nil {
		var h heard
		if h, err = d.next(ctx, d.texts().TheRoster); h.Roster != nil {
			roster = h.Roster
		}
	}
	return roster, err
}

// sit tells everybody the roster and the addresses.
func (d *demonstration) sit() error {
	var peers []string
	for _, p := range d.seats {
		peers = append(peers, p.hello.Address)
	}
	for i, p := range d.seats {
		others := slices.Delete(slices.Clone(peers), i, i+1)
		o := &sitOrder{Roster: d.roster, Peers: others, File: d.file(i), Tell: i == 0, Rounds: d.rounds}
		if err := p.tell(order{Sit: o}); err != nil {
			return err
		}
	}
	return nil
}

// file is where seat i writes its transcript during the run.
func (d *demonstration) file(i int) string {
	return filepath.Join(d.folder, fmt.Sprintf("seat-%d.standoff", i))
}

// follow prints what seat 0 tells until all that are alive have the end, and strikes when it is time to.
func (d *demonstration) follow(ctx context.Context) error {
	for !d.over() {
		h, err := d.next(ctx, d.texts().NextMove)
		switch {
		case err != nil:
		case h.Log != "":
			d.say("%s", h.Log)
		case h.News != nil:
			err = d.strike(*h.News)
		case h.Hello != nil: // it was started again
			i := slices.Index(d.seats, h.from)
			h.from.hello = *h.Hello
			err = h.from.tell(order{Sit: &sitOrder{Roster: d.roster, File: d.file(i), Resume: true, Rounds: d.rounds}})
		case h.Round > 0 && d.atOnce && h.from == d.seats[d.victims[0]]: // it was never taken out, and goes on
			d.returned()
		case h.End != nil:
			h.from.end = h.End
		}
		if err != nil {
			return err
		}
	}
	for _, p := range d.seats {
		if p.end != nil && p.end.Result != table.Finished.String() {
			return problem(i18n.DemoUnfinished, i18n.With{"seat": p.nick, "result": p.end.Result, "why": p.end.Reason})
		}
	}
	return nil
}

// over reports whether all that are alive have the end.
func (d *demonstration) over() bool {
	return !slices.ContainsFunc(d.seats, func(p *seatProcess) bool { return p.end == nil && !p.dead })
}

// finished are the seats that have the end.
func (d *demonstration) finished() []int {
	var list []int
	for i, p := range d.seats {
		if p.end != nil {
			list = append(list, i)
		}
	}
	return list
}

// judge compares the transcripts, keeps what is to be kept, and verifies one.
func (d *demonstration) judge() error {
	var first []byte
	for _, i := range d.finished() {
		p := d.seats[i]
		file, err := os.ReadFile(d.file(i))
		if err != nil {
			return problem(i18n.DemoFileGone, i18n.With{"seat": p.nick, "why": err, "dir": d.folder})
		}
		if sha256.Sum256(file) != p.end.Sum {
			return problem(i18n.DemoFileOther, i18n.With{"seat": p.nick, "dir": d.folder})
		}
		if first == nil {
			first = file
		}
		if !bytes.Equal(file, first) {
			return cheated(i18n.DemoDiffers, i18n.With{"seat": d.seats[d.finished()[0]].nick, "other": p.nick})
		}
	}
	d.say("")
	d.put(d.texts().Transcripts, i18n.With{"n": len(d.finished()), "bytes": len(first)})
	v := judge(first)
	if err := d.store(first, v); err != nil {
		return err
	}
	d.verdict(v)
	if v.problem != nil {
		return v.problem
	}
	d.put(d.texts().LiesIn, i18n.With{"file": d.kept})
	d.put(d.texts().ReadIt, nil)
	return nil
}

// store puts the transcripts where they are to lie: every seat's, or one in the data folder.
func (d *demonstration) store(file []byte, v *verdict) error {
	names := []string{fmt.Sprintf("%s-%s.standoff", time.Now().Format("2006-01-02-150405"), v.table)}
	if d.all {
		names = nil
		for _, i := range d.finished() {
			names = append(names, fmt.Sprintf("seat-%d.standoff", i))
		}
		for i := range demoNicks { // of an earlier run with others
			if name := fmt.Sprintf("seat-%d.standoff", i); !slices.Contains(names, name) {
				os.Remove(filepath.Join(d.keep, name))
			}
		}
	}
	for _, name := range names {
		path := filepath.Join(d.keep, name)
		if err := os.WriteFile(path, file, 0o644); err != nil {
			return problem(i18n.OutFull, why(err))
		}
	}
	d.kept = filepath.Join(d.keep, names[0])
	return nil
}
