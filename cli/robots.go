package cli

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"standoff/cli/i18n"
	"standoff/p2p/journal"
	"standoff/p2p/lobby"
	"standoff/p2p/node"
	"standoff/p2p/table"
)

// robots are the bots that sit on this machine beside one player, each a process of its own. The folder of a bot is
// there as long as its game is: with it the bot takes its seat again when its owner does.
type robots struct {
	all  []*robotProcess
	lost chan error // one of them has ended with a problem
}

type robotProcess struct {
	nick string
	dir  string // identity and journals
	cmd  *exec.Cmd
	in   io.WriteCloser
	errs tail
}

// robotNicks are the names of bots.
var robotNicks = []string{"Boris", "Cilka", "Dimitris", "Eva", "Ferenc", "Gita", "Hana", "Ivo", "Jana"}

// others are names for bots beside somebody's.
func others(nick string) []string {
	var out []string
	for _, n := range robotNicks {
		if plain(n) != plain(nick) {
			out = append(out, n)
		}
	}
	return out
}

// robotsFolder is where the bots' folders lie.
func robotsFolder(data string) string { return filepath.Join(data, "bots") }

// robotsOf are the folders of the bots that have a journal of a table.
func robotsOf(data string, id table.Hash) (dirs []string) {
	all, _ := os.ReadDir(robotsFolder(data)) // there need be none
	for _, d := range all {
		dir := filepath.Join(robotsFolder(data), d.Name())
		if _, err := os.Stat(journal.Folder(dir, id)); err == nil {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// sweepRobots removes the folders that bots have left which were killed before their game began: nothing was written in
// them for a day, and there is no journal.
func sweepRobots(data string) {
	all, _ := os.ReadDir(robotsFolder(data)) // there need be none
	for _, d := range all {
		dir := filepath.Join(robotsFolder(data), d.Name())
		_, journals := os.Stat(filepath.Dir(journal.Folder(dir, table.Hash{})))
		i, err := d.Info()
		if err == nil && errors.Is(journals, fs.ErrNotExist) && time.Since(i.ModTime()) > robotsKept {
			os.RemoveAll(dir)
		}
	}
}

// robotsKept is how old the folder of a bot is when no process can be about to use it any more.
const robotsKept = 24 * time.Hour

// seatRobots starts n bots on this machine and lets them sit down at the table of owner.
func seatRobots(data string, n int, owner lobby.Player, o robotOrder) (*robots, error) {
	r := &robots{lost: make(chan error, n)}
	if err := os.MkdirAll(robotsFolder(data), 0o700); err != nil {
		return r, problem(i18n.DataUnwritable, i18n.With{"why": err, "dir": data})
	}
	sweepRobots(data)
	nicks := others(owner.Nick)
	for i := range n {
		dir, err := os.MkdirTemp(robotsFolder(data), "")
		if err != nil {
			return r, problem(i18n.DataUnwritable, i18n.With{"why": err, "dir": data})
		}
		err = r.start(dir, func(p *robotProcess, bot node.Key) robotOrder {
			o := o
			p.nick, o.Nick = nicks[i], nicks[i]
			o.Vouch = lobby.Vouch(owner.Suite, owner.Identity, lobby.RoomOf(owner.Identity.Key()), bot)
			return o
		})
		if err != nil {
			return r, err
		}
	}
	return r, nil
}

// wakeRobots starts the bots of the folders again, to go on with a game.
func wakeRobots(dirs []string, game *table.Roster, o robotOrder) (*robots, error) {
	r := &robots{lost: make(chan error, len(dirs))}
	o.Roster = game.Raw
	for _, dir := range dirs {
		err := r.start(dir, func(p *robotProcess, bot node.Key) robotOrder {
			if seat := game.SeatOf(bot[:]); seat >= 0 {
				p.nick = game.Joins[seat].Nick
			}
			return o
		})
		if err != nil {
			return r, err
		}
	}
	return r, nil
}

// start starts the process of a bot; order is what it is told when it has told its key.
func (r *robots) start(dir string, order func(p *robotProcess, bot node.Key) robotOrder) error {
	program, err := os.Executable()
	if err != nil {
		return problem(i18n.NoProgram, why(err))
	}
	p := &robotProcess{dir: dir, cmd: exec.Command(program, "bot", dir)}
	p.cmd.Stderr = &p.errs
	var out io.Reader
	if p.in, out, err = startChild(p.cmd); err != nil {
		return problem(i18n.NoBotProcess, i18n.With{"why": err, "n": len(r.all) + 1})
	}
	r.all = append(r.all, p)
	go r.follow(p, out, order)
	return nil
}

// orders are what all bots of this evening are told.
func (e *evening) orders(set *settings) robotOrder {
	return robotOrder{Owner: e.host.Addresses()[0].String(), Network: e.network, Roam: !e.alone, Discover: !e.alone && set.mdns}
}

// dismiss ends the bots of this evening. In a game that nobody else plays they stop where they are.
func (e *evening) dismiss() { e.bots.close(!e.paused) }

// follow reads what a bot tells until it ends.
func (r *robots) follow(p *robotProcess, out io.Reader, order func(p *robotProcess, bot node.Key) robotOrder) {
	var end error = problem(i18n.BotEnded, nil)
	for d := json.NewDecoder(out); ; {
		var m robotReport
		if d.Decode(&m) != nil {
			break
		}
		switch {
		case len(m.Key) == len(node.Key{}):
			if err := p.tell(order(p, node.Key(m.Key))); err != nil {
				end = err
			}
		case m.Problem != "":
			end = errors.New(m.Problem)
		}
	}
	r.lost <- problem(i18n.BotGone, i18n.With{"seat": p.nick, "n": p.cmd.Process.Pid, "why": end, "last": p.errs.String()})
}

func (p *robotProcess) tell(order any) error {
	b, err := json.Marshal(order)
	if err == nil {
		_, err = p.in.Write(append(b, '\n'))
	}
	return err
}

// close ends the bots: they leave the table, or they stop where they are. What belongs to games that are over goes.
func (r *robots) close(leave bool) {
	for _, p := range r.all {
		if leave {
			p.tell(robotWish{Leave: true})
		}
		p.in.Close()
	}
	for _, p := range r.all {
		late := time.AfterFunc(closeLimit, func() { p.cmd.Process.Kill() })
		p.cmd.Wait()
		late.Stop()
		if list, err := journal.Unfinished(p.dir); err == nil && len(list) == 0 {
			os.RemoveAll(p.dir)
		}
	}
}
