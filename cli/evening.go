package cli

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"strings"
	"sync"

	"standoff/cli/i18n"
	"standoff/cli/line"
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
	lock    *node.Lock // of the identity, where it is the person's own
	network *[32]byte  // of a private table
	me      lobby.Player
	table   *lobby.Table
	talk    *lobby.Table // where the players talk: table, or that of a game one has come back to
	opener  bool
	bots    *robots
	alone   bool       // on this machine only, with bots: as soon as all seats are taken the game begins
	paused  bool       // a game against bots alone has stopped before its end
	bereft  error      // a bot has ended during the game
	game    table.Hash // the table of the game that runs, or ran last
	former  *table.Former
	asked   bool         // the question whether to get ready has been shown
	offered bool         // there is an offer to get ready for
	unread  []lobby.News // of the table, from the time of the game
	unheard []node.Key   // of whom it has been told that they are not heard
	late    peer.Late    // games that go on being served here
	file    string       // of the last transcript
	seatOut bool         // the seat that has been left is out of the game
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
	if kind != "tell" {
		text = follow(text)
	}
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

// writable tries the folder of the transcripts before the person sits down.
func (e *evening) writable() error {
	if err := tryFolder(e.keep); err != nil {
		return problem(i18n.FolderUnwritable, why(err))
	}
	return nil
}

// run is the evening.
func (e *evening) run(ctx context.Context) error {
	defer e.table.Leave()
	e.talk = e.table
	if e.alone {
		e.tell("starts", "", e.words().StartsAlone, nil)
	} else {
		e.tell("starts", "", e.words().Starts, nil)
	}
	e.tell("mode", "", e.words().Mode, nil)
	for {
		roster, err := e.gather(ctx)
		if err != nil || roster == nil {
			return err
		}
		left, err := e.play(ctx, roster, peer.Run)
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

// gather shows the table until its game begins; nil when the person has left.
func (e *evening) gather(ctx context.Context) ([]byte, error) {
	for {
		if e.bereft != nil {
			return nil, e.bereft
		}
		if len(e.unread) > 0 {
			n := e.unread[0]
			e.unread = e.unread[1:]
			if roster, over, err := e.heed(n); over {
				return roster, err
			}
			continue
		}
		var lost <-chan error
		if e.bots != nil {
			lost = e.bots.lost
		}
		select {
		case n, ok := <-e.table.News():
			if !ok {
				return nil, problem(i18n.TableClosed, nil)
			}
			if roster, over, err := e.heed(n); over {
				return roster, err
			}
		case input, ok := <-e.lines:
			if !ok {
				return nil, e.inputEnded()
			}
			e.out.Entered()
			if e.enter(input) {
				return nil, nil
			}
			e.getReady()
		case err := <-lost:
			return nil, err
		case <-ctx.Done():
			return nil, e.interrupted(nil)
		}
	}
}

// heed tells a news of the table; over when the game begins or the table is closed.
func (e *evening) heed(n lobby.News) (roster []byte, over bool, err error) {
	switch {
	case n.Kind == lobby.NewsClosed && e.former != nil: // after a game that is no failure
		e.tell("closed", "", e.words().ClosedBy(n.Reason), i18n.With{"why": e.text.Why(n.Reason)})
		return nil, true, nil
	case n.Kind == lobby.NewsClosed:
		return nil, true, e.closed(n.Reason)
	}
	e.news(n)
	if n.Kind == lobby.NewsBegun {
		return e.table.View().Roster, true, nil
	}
	e.getReady()
	return nil, false, nil
}

func (e *evening) closed(r lobby.Reason) error {
	return worded(e.text.Put(e.words().ClosedBy(r), i18n.With{"why": e.text.Why(r)}), e.text.Advice(r))
}

// play plays one game from its beginning, or from where run takes it up; left when the person leaves with it.
func (e *evening) play(ctx context.Context, roster []byte, run func(context.Context, peer.Config) (*table.End, []byte, error)) (left bool, err error) {
	r, err := table.ReadRoster(e.me.Suite, roster)
	if err != nil {
		return false, err
	}
	lc := line.Config{Text: e.text, Out: e.out, JSON: e.json, Rules: e.rulesOf, Bots: e.amongBots(), Table: e.optionLines(&r.Offer)}
	if e.talk != nil {
		lc.Tell = e.talk.Tell
	}
	e.game, e.paused = r.Table, e.amongBots() // until it is over
	front := line.NewFront(lc, &r)
	gone, done := context.WithCancel(ctx)
	var all sync.WaitGroup
	all.Go(func() { front.Feed(gone, e.lines) })
	if e.talk != nil {
		all.Go(func() { e.listen(gone, front) })
	}
	if e.bots != nil {
		all.Go(func() { e.mourn(gone) })
	}
	c := peer.Config{
		Table: table.Config{Roster: roster, Rules: compile, Identity: e.me.Identity.Secret(), Rand: rand.Reader, Suite: e.me.Suite},
		Host:  e.host, Data: e.data, Network: e.network, Trouble: e.trouble, Late: &e.late,
		Alone: func(missing []node.Missing) { e.unreached(&r, missing) }, Quiet: e.amongBots(), Barred: e.barred,
		Keep: func(end *table.End, file []byte) error { return e.over(end, file, &r) },
	}
	front.Fit(&c)
	show := c.Show
	c.Show = func(t *table.Table, r table.Ready) {
		e.caught(t, r)
		show(t, r)
		if r.End != nil {
			e.former = t.Former()
		}
	}
	said := context.AfterFunc(ctx, func() {
		front.Quiet()
		e.out.Hush()
		e.tell("leaving", "", e.leaving(), nil)
	})
	end, _, err := run(ctx, c)
	said()
	done()
	all.Wait()
	e.seatOut = front.Out()
	if err != nil && ctx.Err() != nil && end == nil {
		return true, e.interrupted(nil)
	}
	if err != nil && e.file == "" && end != nil {
		return false, err // its transcript is lost
	}
	if err != nil {
		return false, e.stuck(err)
	}
	e.end(end, &r)
	switch {
	case ctx.Err() != nil:
		return true, e.interrupted(end)
	case front.Left():
		return true, nil
	}
	return end.Result != table.Finished && e.alone, nil
}

// caught keeps the evidence against those who have cheated, and what strays have come in, beside the transcripts, and says
// where it lies.
func (e *evening) caught(t *table.Table, r table.Ready) {
	for _, f := range r.Faults {
		e.tell("caught", t.Roster().Joins[f.Seat].Nick, "{what}", i18n.With{"what": caught(e.text, e.keep, t, f)})
	}
	for _, f := range r.Strays {
		e.tell("stray", "", "{what}", i18n.With{"what": caught(e.text, e.keep, t, f)})
	}
}

// trouble tells that the journal cannot be written, so that this seat is silent, and that it can be again.
func (e *evening) trouble(err error) {
	if err != nil {
		e.tell("trouble", "", e.words().Trouble, i18n.With{"why": err})
	} else {
		e.tell("trouble-over", "", e.words().TroubleOver, nil)
	}
}

// listen passes on what is said at the table during a game, and keeps everything else for after it: the next offer may
// come before this peer has finished.
func (e *evening) listen(ctx context.Context, front *line.Front) {
	for {
		select {
		case n, ok := <-e.talk.News():
			if !ok {
				return
			}
			if n.Kind == lobby.NewsTold {
				front.Said(ctx, n.Seat.Key, n.Seat.Nick, n.Text)
			} else {
				e.keepUnread(n)
			}
		case <-ctx.Done():
			return
		}
	}
}

// keepUnread keeps a news of the table for after the game, but for who was not heard and who was again: the game itself
// tells for whom it waits, and after it that is long past.
func (e *evening) keepUnread(n lobby.News) {
	if n.Kind != lobby.NewsAway && n.Kind != lobby.NewsBack {
		e.unread = append(e.unread, n)
	}
}

// mourn tells of bots that end while a game goes on. The players go on without them where the table may; another game
// there is not.
func (e *evening) mourn(ctx context.Context) {
	for {
		select {
		case err := <-e.bots.lost:
			e.bereft = err
			e.tell("bot-gone", "", e.words().BotGone, i18n.With{"why": err})
		case <-ctx.Done():
			return
		}
	}
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
