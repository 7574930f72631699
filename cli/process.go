package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"standoff/cli/i18n"
)

// Limits in time on the processes of a demonstration.
const (
	quietLimit = time.Minute     // without a sign of life of any seat
	closeLimit = 4 * time.Second // for the seats to end by themselves
)

// seatProcess is one child.
type seatProcess struct {
	nick   string
	folder string // identity and journal
	cmd    *exec.Cmd
	in     io.WriteCloser
	errs   tail
	hello  helloReport
	stands string // where its table stands still
	end    *endReport
	life   int  // how often it was killed
	dead   bool // now
}

// heard is a report of a seat, or the end of what it has to say.
type heard struct {
	from *seatProcess
	report
	life int // of the process that said it
	gone bool
}

// start starts the processes and waits for their hello. Seat k of the table is the k-th in the order of the keys.
func (d *demonstration) start(ctx context.Context, players int) error {
	for i := range players {
		p := &seatProcess{folder: filepath.Join(d.folder, fmt.Sprintf("data-%d", i))}
		if err := d.spawn(p); err != nil {
			return err
		}
		d.seats = append(d.seats, p)
	}
	err := d.collect(ctx, d.texts().Sign, func(h heard) bool {
		if h.Hello != nil {
			h.from.hello = *h.Hello
		}
		return h.Hello != nil
	})
	if err != nil {
		return err
	}
	slices.SortFunc(d.seats, func(a, b *seatProcess) int { return bytes.Compare(a.hello.Key, b.hello.Key) })
	for i, p := range d.seats {
		p.nick = demoNicks[i]
		d.put(d.texts().Peer, i18n.With{"seat": p.nick, "n": p.hello.Process, "address": p.hello.Address})
	}
	return nil
}

// spawn starts the process of a seat, for the first time or again.
func (d *demonstration) spawn(p *seatProcess) error {
	var err error
	if d.program == "" {
		if d.program, err = os.Executable(); err != nil {
			return problem(i18n.NoProgram, why(err))
		}
	}
	p.cmd = exec.Command(d.program, "seat", "--data", p.folder)
	p.cmd.Stderr = &p.errs
	var out io.Reader
	if p.in, out, err = startChild(p.cmd); err != nil {
		return problem(i18n.NoProcess, why(err))
	}
	p.dead = false
	go d.listen(p, p.life, out)
	return nil
}

// startChild starts a process that is told what to do on its input and reports on its output.
func startChild(cmd *exec.Cmd) (in io.WriteCloser, out io.Reader, err error) {
	if in, err = cmd.StdinPipe(); err != nil {
		return nil, nil, err
	}
	if out, err = cmd.StdoutPipe(); err != nil {
		return nil, nil, err
	}
	return in, out, cmd.Start()
}

// kill ends the process of a seat as a power cut would.
func (p *seatProcess) kill() error {
	if err := p.cmd.Process.Kill(); err != nil {
		return problem(i18n.KillFailed, i18n.With{"n": p.cmd.Process.Pid, "why": err})
	}
	p.life, p.dead = p.life+1, true
	p.cmd.Wait()
	return nil
}

// listen passes on what a seat reports, until it is gone.
func (d *demonstration) listen(p *seatProcess, life int, out io.Reader) {
	for r := json.NewDecoder(out); ; {
		h := heard{from: p, life: life}
		h.gone = r.Decode(&h.report) != nil
		d.heard <- h
		if h.gone {
			return
		}
	}
}

// next is the next report; a seat that has a problem, or is gone, is an error, as is silence.
func (d *demonstration) next(ctx context.Context, what string) (heard, error) {
	quiet := time.NewTimer(quietLimit)
	defer quiet.Stop()
	select {
	case h := <-d.heard:
		if h.life != h.from.life {
			return heard{from: h.from}, nil // of one that was killed meanwhile
		}
		h.from.stands = h.Stands // anything else that it tells is a move
		who := d.words().Put(d.texts().Process, i18n.With{"n": h.from.cmd.Process.Pid})
		if h.from.nick != "" {
			who = d.words().Put(d.texts().WhoProcess, i18n.With{"seat": h.from.nick, "n": h.from.cmd.Process.Pid})
		}
		switch {
		case h.Problem != "":
			return h, problem(i18n.SeatProblem, i18n.With{"who": who, "why": h.Problem, "advice": h.Hint})
		case h.gone:
			h.from.cmd.Wait()
			return h, problem(i18n.SeatGone, i18n.With{"who": who, "why": h.from.cmd.ProcessState, "last": h.from.errs.String()})
		}
		return h, nil
	case <-quiet.C:
		return heard{}, problem(i18n.Quiet, i18n.With{"time": quietLimit, "what": what, "where": d.where()})
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return heard{}, problem(i18n.TooLong, i18n.With{"time": demoLimit})
		}
		return heard{}, problem(i18n.DemoStopped, nil)
	}
}

// collect waits until every seat has sent a report that take accepts.
func (d *demonstration) collect(ctx context.Context, what string, take func(heard) bool) error {
	waiting := map[*seatProcess]bool{}
	for _, p := range d.seats {
		waiting[p] = true
	}
	for len(waiting) > 0 {
		h, err := d.next(ctx, what)
		if err != nil {
			return err
		}
		if take(h) {
			delete(waiting, h.from)
		}
	}
	return nil
}

func (p *seatProcess) tell(o order) error {
	b, err := json.Marshal(o)
	if err != nil {
		return err
	}
	if _, err = p.in.Write(append(b, '\n')); err != nil {
		return problem(i18n.SeatDeaf, i18n.With{"seat": p.nick, "n": p.cmd.Process.Pid, "why": err, "last": p.errs.String()})
	}
	return nil
}

// close lets the seats go, and ends those that do not go by themselves.
func (d *demonstration) close() {
	for _, p := range d.seats {
		if !p.dead {
			p.tell(order{Bye: true}) // one that is gone does not mind
			p.in.Close()
		}
	}
	go func() {
		for range d.heard {
		}
	}()
	var all sync.WaitGroup
	for _, p := range d.seats {
		if p.dead {
			continue
		}
		all.Go(func() {
			late := time.AfterFunc(closeLimit, func() { p.cmd.Process.Kill() })
			p.cmd.Wait()
			late.Stop()
		})
	}
	all.Wait()
}

// tail keeps the end of what a process writes to its standard error.
type tail struct {
	mu  sync.Mutex
	end []byte
}

const maxTail = 4 << 10

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.end = append(t.end, b...)
	t.end = t.end[max(0, len(t.end)-maxTail):]
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.end) == 0 {
		return "nothing"
	}
	return strings.TrimSpace(string(t.end))
}
