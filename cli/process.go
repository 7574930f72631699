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
	"slices"
	"strings"
	"sync"
	"time"
)

// Limits in time on the processes of a demonstration.
const (
	quietLimit = time.Minute     // without a sign of life of any seat
	closeLimit = 4 * time.Second // for the seats to end by themselves
)

// seatProcess is one child.
type seatProcess struct {
	nick  string
	cmd   *exec.Cmd
	in    io.WriteCloser
	errs  tail
	hello helloReport
	end   *endReport
}

// heard is a report of a seat, or the end of what it has to say.
type heard struct {
	from *seatProcess
	report
	gone bool
}

// start starts the processes and waits for their hello. Seat k of the table is the k-th in the order of the keys.
func (d *demonstration) start(ctx context.Context, players int) error {
	program, err := os.Executable()
	if err != nil {
		return problem(fmt.Errorf("find this program: %w", err), "start it by its path")
	}
	for range players {
		p := &seatProcess{cmd: exec.Command(program, "seat")}
		p.cmd.Stderr = &p.errs
		if p.in, err = p.cmd.StdinPipe(); err != nil {
			return err
		}
		out, err := p.cmd.StdoutPipe()
		if err != nil {
			return err
		}
		if err := p.cmd.Start(); err != nil {
			return problem(fmt.Errorf("start a process: %w", err), "see whether the machine allows %d more processes, or choose fewer --players", players)
		}
		d.seats = append(d.seats, p)
		go d.listen(p, out)
	}
	err = d.collect(ctx, "a sign of life", func(h heard) bool {
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
		d.say("seat %d: %s, process %d, %s", i, p.nick, p.hello.Process, p.hello.Address)
	}
	return nil
}

// listen passes on what a seat reports, until it is gone.
func (d *demonstration) listen(p *seatProcess, out io.Reader) {
	for r := json.NewDecoder(out); ; {
		h := heard{from: p}
		if r.Decode(&h.report) != nil {
			d.heard <- heard{from: p, gone: true}
			return
		}
		d.heard <- h
	}
}

// next is the next report; a seat that has a problem, or is gone, is an error, as is silence.
func (d *demonstration) next(ctx context.Context, what string) (heard, error) {
	quiet := time.NewTimer(quietLimit)
	defer quiet.Stop()
	select {
	case h := <-d.heard:
		who := fmt.Sprintf("process %d", h.from.cmd.Process.Pid)
		if h.from.nick != "" {
			who = h.from.nick + ", " + who
		}
		switch {
		case h.Problem != "":
			return h, problem(fmt.Errorf("%s: %s", who, h.Problem), "%s", h.Hint)
		case h.gone:
			h.from.cmd.Wait()
			return h, problem(fmt.Errorf("%s has ended before the game did (%v)", who, h.from.cmd.ProcessState),
				"what it said last: %s", h.from.errs.String())
		}
		return h, nil
	case <-quiet.C:
		return heard{}, problem(fmt.Errorf("nothing has happened for %v while waiting for %s", quietLimit, what),
			"see whether this machine is overloaded, and try with fewer --players")
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return heard{}, problem(fmt.Errorf("the game is not over after %v", demoLimit), "see whether this machine is overloaded, and try with fewer --players")
		}
		return heard{}, problem(errors.New("interrupted"), "the game is void; start again with the same command")
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
		return problem(fmt.Errorf("%s, process %d, does not listen: %w", p.nick, p.cmd.Process.Pid, err),
			"what it said last: %s", p.errs.String())
	}
	return nil
}

// close lets the seats go, and ends those that do not go by themselves.
func (d *demonstration) close() {
	for _, p := range d.seats {
		p.tell(order{Bye: true}) // one that is gone does not mind
		p.in.Close()
	}
	go func() {
		for range d.heard {
		}
	}()
	var all sync.WaitGroup
	for _, p := range d.seats {
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
