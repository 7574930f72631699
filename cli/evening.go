package cli

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"time"

	"standoff/cli/i18n"
	"standoff/cli/line"
	"standoff/engine"
	"standoff/engine/boxes"
	"standoff/p2p/lobby"
	"standoff/p2p/node"
	"standoff/p2p/peer"
	"standoff/p2p/table"
)

// evening is one person at one table: getting ready, playing, another game, and so on until somebody leaves.
type evening struct {
	*shell
	text  *i18n.Catalogue
	out   *line.Writer
	lines <-chan string
	json  bool

	data    string // folder for journals; "": keep none
	keep    string // folder for transcripts
	host    *node.Host
	me      lobby.Player
	table   *lobby.Table
	opener  bool
	auto    bool // get ready without asking, as soon as all seats are taken
	bots    *robots
	former  *table.Former
	asked   bool // the question whether to get ready has been shown
	offered bool // there is an offer to get ready for
}

// newEvening prepares for a table; lines of input come from the shell.
func (s *shell) newEvening(text *i18n.Catalogue, asJSON bool) *evening {
	width := 0
	if !asJSON {
		width = screenWidth(s.out.w)
	}
	return &evening{shell: s, text: text, json: asJSON, out: line.NewWriter(s.out, width, !asJSON && isScreen(s.in)), lines: readLines(s.in)}
}

// maxLine bounds a line of input.
const maxLine = 64 << 10

// readLines reads lines until there are no more. The reader cannot be stopped, so there is one for the whole program.
func readLines(in io.Reader) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		r := bufio.NewScanner(in)
		r.Buffer(nil, maxLine)
		for r.Scan() {
			lines <- strings.ToValidUTF8(r.Text(), "")
		}
	}()
	return lines
}

func (e *evening) words() *i18n.LobbyTexts { return &e.text.Lobby }

// tell writes one line of the lobby, for a program as an object.
func (e *evening) tell(kind, nick, template string, w i18n.With) {
	text := e.text.Put(template, w)
	if e.json {
		b, err := json.Marshal(struct {
			Type string `json:"type"`
			Kind string `json:"kind"`
			line.Note
		}{"lobby", kind, line.Note{Nick: nick, Text: text}})
		if err == nil {
			e.out.Lines(strings.Replace(string(b), `"type":"",`, "", 1))
		}
		return
	}
	e.out.Lines(text)
}

// run is the evening.
func (e *evening) run(ctx context.Context) error {
	defer e.table.Leave()
	e.tell("mode", "", e.words().Mode, nil)
	for {
		roster, err := e.gather(ctx)
		if err != nil || roster == nil {
			return err
		}
		left, err := e.play(ctx, roster)
		if err != nil || left {
			return err
		}
		again, err := e.another(ctx)
		if err != nil || !again {
			e.tell("goodbye", "", e.words().NoAgain, nil)
			return err
		}
	}
}

var errInterrupted = errors.New("interrupted")

// gather shows the table until its game begins; nil when the person has left.
func (e *evening) gather(ctx context.Context) ([]byte, error) {
	for {
		var lost <-chan error
		if e.bots != nil {
			lost = e.bots.lost
		}
		select {
		case n, ok := <-e.table.News():
			if !ok {
				return nil, problem(errors.New("the table is closed"), "run \"standoff list\" for other tables, or open one with \"standoff host\"")
			}
			if n.Kind == lobby.NewsClosed && e.former != nil { // after a game that is no failure
				e.tell("closed", "", e.words().Closed, i18n.With{"why": e.text.Why(n.Reason)})
				return nil, nil
			}
			if n.Kind == lobby.NewsClosed {
				return nil, e.closed(n.Reason)
			}
			e.news(n)
			if n.Kind == lobby.NewsBegun {
				return e.table.View().Roster, nil
			}
			e.getReady()
		case input, ok := <-e.lines:
			if !ok {
				return nil, problem(errors.New("the input has ended before the game began"), "keep the input open, or play with --json from a program")
			}
			e.out.Entered()
			if e.enter(input) {
				return nil, nil
			}
			e.getReady()
		case err := <-lost:
			return nil, err
		case <-ctx.Done():
			return nil, problem(errInterrupted, "the seat is free again")
		}
	}
}

func (e *evening) closed(r lobby.Reason) error {
	return problem(errors.New(e.text.Put(e.words().Closed, i18n.With{"why": e.text.Why(r)})), "%s", e.text.Advice(r))
}

// getReady asks whether the person is ready, once for each offer; or does it for one who plays with bots.
func (e *evening) getReady() {
	v := e.table.View()
	me := v.Seat(v.Me)
	if me == nil || me.Ready || v.Phase == lobby.Begun || !e.offered {
		return
	}
	if e.auto {
		if v.Free() == 0 {
			e.table.Ready(true)
		}
		return
	}
	if !e.asked {
		e.asked = true
		if f := v.Offer.Former; f != nil && e.former != nil && !reflect.DeepEqual(f, e.former) {
			e.tell("differs", "", e.words().FormerDiffers, nil)
		}
		e.tell("ask", "", e.words().AskReady, nil)
	}
	e.out.Prompt()
}

// seatText is somebody with what to know of them.
func (e *evening) seatText(s lobby.Seat) (string, i18n.With) {
	w, v := e.words(), e.table.View()
	with := i18n.With{"seat": s.Nick, "key": s.Key.Short(), "owner": ""}
	switch {
	case s.Key == v.Me:
		return w.You, with
	case s.Bot && s.Owner == v.Me:
		return w.SatBotHere, with
	case s.Bot && s.Owner != (node.Key{}):
		with["owner"] = s.Owner.Short()
		if o := v.Seat(s.Owner); o != nil {
			with["owner"] = o.Nick
		}
		return w.SatBotOf, with
	case s.Bot:
		return w.SatBot, with
	}
	return w.Sat, with
}

// news tells what happened at the table.
func (e *evening) news(n lobby.News) {
	w := e.words()
	with := i18n.With{"seat": n.Seat.Nick, "why": e.text.Why(n.Reason), "key": n.Seat.Key.Short(), "other": n.Other.Short()}
	switch n.Kind {
	case lobby.NewsSat:
		text, with := e.seatText(n.Seat)
		e.tell("sat", n.Seat.Nick, text, with)
	case lobby.NewsGone:
		e.tell("gone", n.Seat.Nick, w.Gone, with)
	case lobby.NewsAway:
		e.tell("away", n.Seat.Nick, w.Away, with)
	case lobby.NewsBack:
		e.tell("back", n.Seat.Nick, w.Back, with)
	case lobby.NewsReady:
		if !n.Seat.Bot {
			e.tell("ready", n.Seat.Nick, w.Ready, with)
		}
	case lobby.NewsNotReady:
		if n.Seat.Bot {
			return
		}
		e.tell("not-ready", n.Seat.Nick, w.NotReady, with)
	case lobby.NewsOffer:
		e.asked, e.offered = false, true
		e.offer()
	case lobby.NewsCounting:
		if v := e.table.View(); v.Left > 0 {
			e.tell("counting", "", w.Counting, i18n.With{"n": int((v.Left + time.Second - 1) / time.Second)})
		}
	case lobby.NewsStopped:
		if n.Seat.Nick != "" {
			e.tell("stopped", n.Seat.Nick, w.StoppedBy, with)
		} else {
			e.tell("stopped", "", w.Stopped, with)
		}
	case lobby.NewsBegun:
		e.tell("begun", "", w.Begun, with)
	case lobby.NewsTold:
		e.tell("tell", n.Seat.Nick, e.text.Prompts.Tell, i18n.With{"seat": n.Seat.Nick, "text": n.Text})
	case lobby.NewsDiffers:
		e.tell("differs", n.Seat.Nick, w.Differs, with)
	}
}

// offer shows what is offered.
func (e *evening) offer() {
	w, v := e.words(), e.table.View()
	e.tell("table", "", w.Table, i18n.With{"name": v.Offer.Name, "seats": int(v.Offer.Seats)})
	e.tell("rules", "", w.Rules, i18n.With{"sets": strings.Join(v.Offer.Sets, " + ")})
	all := true
	for _, o := range e.differing(v.Offer) {
		all = false
		e.tell("option", "", w.Option, i18n.With{"name": o[0], "value": o[1]})
	}
	if all {
		e.tell("option", "", w.NoOptions, nil)
	}
	m, tolerate := int(v.Offer.Seats), 1
	for _, o := range v.Offer.Options {
		if o[0] == "tolerate" && len(o[1]) == 1 {
			tolerate = int(o[1][0] - '0')
		}
	}
	if q := table.Quorum(m, tolerate); q < m {
		e.tell("tolerance", "", w.Tolerance, i18n.With{"d": m - q, "m": m, "q": q})
	} else {
		e.tell("tolerance", "", w.NoTolerance, i18n.With{"m": m})
	}
	e.tell("explain", "", w.Explain, nil)
}

// differing lists the options that are not at their defaults.
func (e *evening) differing(o table.Offer) [][2]string {
	rules, err := compile(o.Sets)
	if err != nil {
		return o.Options
	}
	return notDefault(rules, o.Options)
}

func notDefault(rules *engine.Rules, list [][2]string) [][2]string {
	standard := table.DefaultChoices()
	var diff [][2]string
	for i, p := range standard.List(rules) {
		if i < len(list) && list[i] != p {
			diff = append(diff, list[i])
		}
	}
	return diff
}

// enter takes a line of input before the game; true when the person leaves.
func (e *evening) enter(input string) bool {
	w := e.words()
	if e.json {
		input = e.fromJSON(input)
	}
	word, rest, _ := strings.Cut(strings.TrimSpace(input), " ")
	rest = strings.TrimSpace(rest)
	var err error
	switch strings.ToLower(word) {
	case "", "ready", "yes", "y":
		err = e.table.Ready(true)
		if err == nil {
			e.tell("note", "", w.AskWait, nil)
		}
	case "wait", "stop", "no", "unready":
		err = e.table.Ready(false)
		e.asked = false
	case "leave", "quit", "exit":
		return true
	case "tell", "say":
		err = e.table.Tell(rest)
	case "seats", "who", "s":
		e.seats()
	case "options", "rules":
		e.options()
	case "option", "set":
		err = e.change(rest)
	case "help", "?":
		for _, l := range w.Help {
			e.tell("help", "", l, nil)
		}
	default:
		e.tell("error", "", w.Unknown, i18n.With{"what": input})
	}
	if err != nil {
		e.tell("error", "", e.text.Prompts.Refused, i18n.With{"reason": err})
	}
	return false
}

// fromJSON makes a line of a program's order: {"ready":true}, {"ready":false}, {"tell":"…"}, {"leave":true}.
func (e *evening) fromJSON(input string) string {
	var o struct {
		Ready *bool  `json:"ready"`
		Tell  string `json:"tell"`
		Leave bool   `json:"leave"`
	}
	if json.Unmarshal([]byte(input), &o) != nil {
		return input
	}
	switch {
	case o.Leave:
		return "leave"
	case o.Tell != "":
		return "tell " + o.Tell
	case o.Ready != nil && *o.Ready:
		return "ready"
	case o.Ready != nil:
		return "wait"
	}
	return input
}

func (e *evening) seats() {
	v := e.table.View()
	e.tell("seats", "", e.words().Seats, i18n.With{"taken": len(v.Seats), "seats": int(v.Offer.Seats)})
	for _, s := range v.Seats {
		text, with := e.seatText(s)
		if s.Ready {
			text += ", ready"
		}
		e.tell("seat", s.Nick, text, with)
	}
}

// options shows every option with its value.
func (e *evening) options() {
	v := e.table.View()
	for _, o := range v.Offer.Options {
		e.tell("option", "", e.words().Option, i18n.With{"name": o[0], "value": o[1]})
	}
}

// change proposes another value for an option.
func (e *evening) change(what string) error {
	name, value, ok := strings.Cut(what, "=")
	v := e.table.View()
	switch {
	case !e.opener:
		return errors.New(e.words().NotHost)
	case !ok:
		return errors.New(e.words().BadOption)
	}
	rules, err := compile(v.Offer.Sets)
	if err != nil {
		return err
	}
	c, err := table.ReadChoices(rules, v.Offer.Options)
	if err == nil {
		err = c.Set(rules, strings.TrimSpace(name), strings.TrimSpace(value))
	}
	if err != nil {
		return err
	}
	o := v.Offer
	o.Options = c.List(rules)
	return e.table.Offer(o, notDefault(rules, o.Options))
}

// play plays one game; left when the person leaves with it.
func (e *evening) play(ctx context.Context, roster []byte) (left bool, err error) {
	r, err := table.ReadRoster(e.me.Suite, roster)
	if err != nil {
		return false, err
	}
	front := line.NewFront(line.Config{Text: e.text, Out: e.out, JSON: e.json, Rules: e.rulesOf, Tell: e.table.Tell}, &r)
	gone, done := context.WithCancel(ctx)
	var all sync.WaitGroup
	all.Go(func() { front.Feed(gone, e.lines) })
	all.Go(func() { e.listen(gone, front) })
	c := peer.Config{
		Table: table.Config{Roster: roster, Rules: compile, Identity: e.me.Identity.Secret(), Rand: rand.Reader, Suite: e.me.Suite},
		Host:  e.host, Data: e.data,
	}
	front.Fit(&c)
	var last *table.Table
	show := c.Show
	c.Show = func(t *table.Table, r table.Ready) {
		last = t
		show(t, r)
	}
	end, transcript, err := peer.Run(ctx, c)
	done()
	all.Wait()
	if err != nil {
		return false, problem(fmt.Errorf("the game cannot go on here: %w", err), "the others may go on; the journal in the data folder remembers where it stood")
	}
	if last != nil {
		e.former = last.Former()
	}
	if err := e.end(end, transcript, &r); err != nil {
		return false, err
	}
	switch {
	case ctx.Err() != nil:
		return true, problem(errInterrupted, "you have left the table; the transcript is kept")
	case front.Left():
		return true, nil
	}
	return end.Result != table.Finished && e.auto, nil
}

// listen passes on what is said at the table during a game.
func (e *evening) listen(ctx context.Context, front *line.Front) {
	for {
		select {
		case n, ok := <-e.table.News():
			if !ok {
				return
			}
			if n.Kind == lobby.NewsTold {
				front.Said(ctx, n.Seat.Key, n.Seat.Nick, n.Text)
			}
		case <-ctx.Done():
			return
		}
	}
}

// end says how a game ended and keeps its transcript.
func (e *evening) end(end *table.End, transcript []byte, r *table.Roster) error {
	w := e.words()
	e.tell("result", "", w.Result, i18n.With{"result": end.Result})
	switch {
	case end.Result != table.Void:
	case end.Left >= 0:
		e.tell("void", r.Joins[end.Left].Nick, w.VoidLeft, i18n.With{"seat": r.Joins[end.Left].Nick})
	default:
		e.tell("void", "", w.VoidFault, i18n.With{"why": end.Reason})
	}
	if err := os.MkdirAll(e.keep, 0o755); err != nil {
		return problem(fmt.Errorf("folder for the transcripts: %w", err), "choose a folder that you may write with --data DIR")
	}
	file := filepath.Join(e.keep, fmt.Sprintf("%s-%s.standoff", time.Now().Format("2006-01-02-150405"), r.Table))
	if err := os.WriteFile(file, transcript, 0o644); err != nil {
		return problem(err, "see whether the disk has room, or choose another folder with --data DIR")
	}
	e.tell("transcript", "", w.Transcript, i18n.With{"file": file})
	e.tell("transcript", "", w.Read, i18n.With{"file": file})
	return nil
}

// another settles whether there is another game at this table.
func (e *evening) another(ctx context.Context) (bool, error) {
	w := e.words()
	if !e.opener {
		if err := e.table.Again(); err != nil {
			return false, nil
		}
		e.offered = false
		e.tell("ask", "", w.AskOffer, nil)
		return true, nil
	}
	e.tell("ask", "", w.AskAgain, nil)
	e.out.Prompt()
	for {
		select {
		case input, ok := <-e.lines:
			if !ok {
				return false, nil
			}
			e.out.Entered()
			if e.json {
				input = e.fromJSON(input)
			}
			switch strings.ToLower(strings.TrimSpace(input)) {
			case "", "yes", "y", "ready":
				v := e.table.View()
				o := v.Offer
				o.Former = e.former
				e.tell("again", "", w.Again, nil)
				return true, e.table.Offer(o, e.differing(o))
			case "no", "n", "leave", "quit", "exit", "wait":
				return false, nil
			}
			e.tell("ask", "", w.AskAgain, nil)
			e.out.Prompt()
		case n, ok := <-e.table.News():
			if !ok {
				return false, nil
			}
			if n.Kind == lobby.NewsTold || n.Kind == lobby.NewsGone {
				e.news(n)
				e.out.Prompt()
			}
		case <-ctx.Done():
			return false, nil
		}
	}
}

// rulesOf looks something up in the rules, for the command of that name in a game.
func (e *evening) rulesOf(what string) []string {
	rules, err := compile(boxes.Names())
	if err != nil {
		return []string{err.Error()}
	}
	var b strings.Builder
	asked := &shell{out: &sink{w: &b}, err: io.Discard}
	if err := asked.lookUp(rules, what); err != nil {
		return []string{err.Error()}
	}
	return strings.Split(strings.TrimSpace(b.String()), "\n")
}
