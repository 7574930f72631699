package cli

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"standoff/cli/i18n"
	"standoff/engine"
	"standoff/engine/bot"
	"standoff/p2p/journal"
	"standoff/p2p/node"
	"standoff/p2p/peer"
	"standoff/p2p/table"
)

// order is what the demonstration tells a seat: one JSON object a line, with one field set.
type order struct {
	Open  *openOrder `json:"open,omitempty"`
	Join  *joinOrder `json:"join,omitempty"`
	Close *[][]byte  `json:"close,omitempty"` // the joins of all seats: make the roster
	Sit   *sitOrder  `json:"sit,omitempty"`
	Bye   bool       `json:"bye,omitempty"` // everybody has the end
}

type openOrder struct {
	Nick  string      `json:"nick"`
	Offer table.Offer `json:"offer"`
}

type joinOrder struct {
	Nick  string `json:"nick"`
	Offer []byte `json:"offer"`
}

type sitOrder struct {
	Roster []byte   `json:"roster"`
	Peers  []string `json:"peers"`  // where the others are; of a seat that is taken again the journal knows it
	File   string   `json:"file"`   // where the transcript goes
	Tell   bool     `json:"tell"`   // tell what happens, line by line
	Resume bool     `json:"resume"` // there is a journal
	Rounds bool     `json:"rounds"` // tell every round, and how a return goes
}

// report is what a seat answers: one JSON object a line, with one field set.
type report struct {
	Hello   *helloReport `json:"hello,omitempty"`
	Offer   []byte       `json:"offer,omitempty"`
	Join    []byte       `json:"join,omitempty"`
	Roster  []byte       `json:"roster,omitempty"`
	Log     string       `json:"log,omitempty"`
	News    *happening   `json:"news,omitempty"`
	Stands  string       `json:"stands,omitempty"`  // where the table stands still, and for whom it waits
	Round   uint32       `json:"round,omitempty"`   // that has opened; of a seat that is back, when the game goes on there
	Journal uint32       `json:"journal,omitempty"` // the round to which the journal of a seat that comes back leads
	End     *endReport   `json:"end,omitempty"`
	Problem string       `json:"problem,omitempty"`
	Hint    string       `json:"hint,omitempty"` // with Problem
}

type helloReport struct {
	Process int    `json:"process"`
	Key     []byte `json:"key"`
	Address string `json:"address"`
}

type endReport struct {
	Result string   `json:"result"`
	Reason string   `json:"reason,omitempty"`
	Bytes  int      `json:"bytes"`
	Sum    [32]byte `json:"sum"` // SHA-256 of the transcript
}

// lastWish is how long a seat has to come to an end after its parent has gone.
const lastWish = 5 * time.Second

// seat is the hidden command of one process of the demonstration: a peer with a bot on its seat, told what to do on
// standard input. It ends when its standard input does, so that it never outlives its parent; of an interrupt at
// the keyboard, which reaches all processes, the parent makes an orderly end.
func (s *shell) seat() *cobra.Command {
	return &cobra.Command{
		Use:    "seat",
		Hidden: true,
		Args:   noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			signal.Ignore(os.Interrupt)
			ctx, cancel := context.WithCancel(context.WithoutCancel(cmd.Context()))
			defer cancel()
			w := &seated{out: json.NewEncoder(s.out)}
			err := w.serve(ctx, cancel, s.in)
			if err != nil {
				hint := ""
				if p := (*Problem)(nil); errors.As(err, &p) {
					_, hint = p.Words(s.words())
				}
				w.out.Encode(report{Problem: oneLine(err.Error()), Hint: hint})
			}
			return err
		},
	}
}

// seated is one seat of the demonstration at work.
type seated struct {
	out   *json.Encoder
	suite table.Suite
	data  string // folder of identity and journal
	id    node.Identity
	host  *node.Host
	offer []byte

	begun bool
	round uint32 // told last
}

// serve carries out the orders one by one.
func (w *seated) serve(ctx context.Context, cancel context.CancelFunc, in io.Reader) error {
	var err error
	if w.data, err = dataFolder(); err != nil {
		return err
	}
	if w.id, err = node.LoadOrCreate(w.data); err != nil {
		return err
	}
	lock, err := node.LockIdentity(w.data)
	if err != nil {
		return err
	}
	defer lock.Close()
	w.suite = table.NewRistretto(rand.Reader)
	if w.host, err = hostAt(ctx, w.data, node.Config{Identity: w.id}); err != nil {
		return problem(i18n.NoLoopback, why(err))
	}
	defer w.host.Close()
	key := w.id.Key()
	w.out.Encode(report{Hello: &helloReport{Process: os.Getpid(), Key: key[:], Address: w.host.Addresses()[0].String()}})

	orders := make(chan order)
	go func() {
		defer func() {
			close(orders)
			cancel()
			time.AfterFunc(lastWish, func() { os.Exit(Failure) })
		}()
		for d := json.NewDecoder(in); ; {
			var o order
			if d.Decode(&o) != nil || o.Bye {
				return
			}
			select {
			case orders <- o:
			case <-ctx.Done():
				return
			}
		}
	}()
	for o := range orders {
		r, err := w.obey(ctx, o)
		if err != nil {
			return err
		}
		w.out.Encode(r)
	}
	return nil
}

func (w *seated) obey(ctx context.Context, o order) (r report, err error) {
	switch {
	case o.Open != nil:
		r.Offer, err = table.SignOffer(w.suite, o.Open.Offer, w.id.Secret(), rand.Reader)
		if err == nil {
			w.offer = r.Offer
			r.Join, err = w.join(joinOrder{o.Open.Nick, r.Offer})
		}
	case o.Join != nil:
		r.Join, err = w.join(*o.Join)
	case o.Close != nil:
		r.Roster, err = table.SignRoster(w.suite, w.offer, *o.Close, w.id.Secret())
	case o.Sit != nil:
		r.End, err = w.play(ctx, *o.Sit)
	default:
		err = problem(i18n.EmptyOrder, nil)
	}
	return r, err
}

func (w *seated) join(o joinOrder) ([]byte, error) {
	_, id, err := table.ReadOffer(w.suite, o.Offer)
	if err != nil {
		return nil, err
	}
	return table.SignJoin(w.suite, id, o.Nick, true, w.id.Secret(), rand.Reader)
}

// play plays the game and writes the transcript.
func (w *seated) play(ctx context.Context, o sitOrder) (*endReport, error) {
	roster, err := table.ReadRoster(w.suite, o.Roster)
	if err != nil {
		return nil, err
	}
	w.host.Admit(func(k node.Key) bool { return roster.SeatOf(k[:]) >= 0 })
	if err := w.meet(o, roster.Table); err != nil {
		return nil, err
	}
	var seed [8]byte
	if _, err := rand.Read(seed[:]); err != nil {
		return nil, err
	}
	b := bot.New(binary.LittleEndian.Uint64(seed[:]))
	teller := &teller{}
	stands := ""
	c := peer.Config{
		Table:  table.Config{Roster: o.Roster, Rules: compile, Identity: w.id.Secret(), Rand: rand.Reader, Suite: w.suite},
		Host:   w.host,
		Data:   w.data,
		Decide: func(v engine.View) (engine.Action, bool) { return b.Act(v, v.Legal()), true },
		Show: func(t *table.Table, r table.Ready) {
			watch(b, t, r)
			for _, f := range slices.Concat(r.Faults, r.Strays) {
				w.out.Encode(report{Log: caught(&i18n.English, filepath.Dir(o.File), t, f)})
			}
			if o.Rounds {
				w.count(t, o.Resume)
			}
			if where := standing(t); where != stands {
				stands = where
				w.out.Encode(report{Stands: where})
			}
			if o.Tell {
				for _, line := range teller.lines(t, r) {
					w.out.Encode(report{Log: line})
				}
				if h := teller.happened(t, r); h != nil {
					w.out.Encode(report{News: h})
				}
			}
		},
	}
	c.Keep = func(_ *table.End, transcript []byte) error {
		if err := os.WriteFile(o.File, transcript, 0o644); err != nil {
			return problem(i18n.SeatUnwritten, why(err))
		}
		return nil
	}
	c.Alone = func([]node.Missing) {
		w.out.Encode(report{Stands: i18n.English.Report.NobodyAnswers})
	}
	var end *table.End
	var transcript []byte
	if o.Resume {
		end, transcript, err = peer.Resume(ctx, c, roster.Table)
	} else {
		end, transcript, err = peer.Run(ctx, c)
	}
	if errors.Is(err, journal.ErrEnded) { // it was killed when all was done
		if transcript, err = os.ReadFile(o.File); err == nil {
			return &endReport{Result: judge(transcript).Result, Bytes: len(transcript), Sum: sha256.Sum256(transcript)}, nil
		}
	}
	if err != nil {
		return nil, err
	}
	return &endReport{Result: end.Result.String(), Reason: end.Reason, Bytes: len(transcript), Sum: sha256.Sum256(transcript)}, nil
}

// meet goes where the others are, or were when the journal was written.
func (w *seated) meet(o sitOrder, id table.Hash) error {
	var at []node.Address
	for _, p := range o.Peers {
		a, err := node.ParseAddress(p)
		if err != nil {
			return err
		}
		at = append(at, a)
	}
	if o.Resume {
		at = append(at, peer.PeersOf(w.data, id)...)
	}
	for _, a := range at {
		if err := w.host.Meet(a); err != nil {
			return err
		}
	}
	return nil
}

// watch shows a bot what all see, and lets it say whether it would come in between the actions of others.
func watch(b *bot.Bot, t *table.Table, r table.Ready) {
	var events []engine.Event
	for _, n := range r.News {
		if n.Kind == table.NewsHappened {
			events = append(events, n.Event)
		}
	}
	b.Watch(events)
	if v, ok := t.View(); ok && len(events) > 0 && v.Seat >= 0 {
		t.ComeIn(v.State().Over == engine.NotOver && b.ComesIn(v))
	}
}

// teller makes lines of the news of a running table.
type teller struct {
	log   *i18n.Log
	waits []int // for whom the table waits
}

// waitsFor is how long the table of a demonstration stands still before it is told for whom it waits: longer than a
// removal takes.
const waitsFor = 5 * time.Second

func (x *teller) lines(t *table.Table, r table.Ready) []string {
	if x.log == nil {
		x.log = &i18n.Log{Text: &i18n.English}
		for _, j := range t.Roster().Joins {
			x.log.Players = append(x.log.Players, j.Nick)
		}
	}
	if v, ok := t.View(); ok && x.log.Rules == nil {
		x.log.Rules, x.log.Options = v.Rules(), v.State().Options
		x.log.Names = around(t.Roster(), t.SeatAt)
	}
	var out []string
	for _, n := range r.News {
		if line := x.log.News(n); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// around lists the nicks in the order of the places around the table.
func around(r *table.Roster, seatAt func(engine.Seat) int) []string {
	names := make([]string, len(r.Joins))
	for p := range names {
		names[p] = r.Joins[seatAt(engine.Seat(p))].Nick
	}
	return names
}
