package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"standoff/cli/i18n"
	"standoff/p2p/journal"
	"standoff/p2p/node"
	"standoff/p2p/table"
)

// The end of a game and of an evening: who is missing, the transcript, the way out.

// unreached tells a seat that has come back whom it does not reach.
func (e *evening) unreached(r *table.Roster, missing []node.Missing) {
	for _, m := range missing {
		nick := m.Peer.Short()
		if seat := r.SeatOf(m.Peer[:]); seat >= 0 {
			nick = r.Joins[seat].Nick
		}
		e.tell("unreached", nick, e.words().Unreached, i18n.With{"seat": nick, "why": oneLine(m.Why)})
	}
	e.tell("nobody", "", e.words().Nobody, nil)
}

// barred tells a seat that was taken out why it is not let in again.
func (e *evening) barred(bar table.Bar, round, until uint32) {
	w := e.words()
	with := i18n.With{"n": round, "m": until, "most": table.MaxReturns}
	switch bar {
	case table.BarWait:
		e.tell("barred-wait", "", w.BarredWait, with)
	case table.BarReturns:
		e.tell("barred", "", w.BarredReturns, with)
	case table.BarFault:
		e.tell("barred", "", w.BarredFault, with)
	case table.BarNeeded:
		e.tell("barred", "", w.BarredNeeded, with)
	}
}

// end says how a game ended and where its transcript is.
func (e *evening) end(end *table.End, r *table.Roster) {
	w := e.words()
	if e.paused {
		e.tell("left", "", w.Paused, i18n.With{"id": e.game})
		return
	}
	e.tell("result", "", w.Result, i18n.With{"result": end.Result})
	switch {
	case end.Result == table.Incomplete:
		e.tell("left", "", e.either(w.YouLeft, w.YouLeftOut), nil)
	case end.Result != table.Void:
	case end.Left >= 0:
		e.tell("void", r.Joins[end.Left].Nick, w.VoidLeft, i18n.With{"seat": r.Joins[end.Left].Nick})
	default:
		e.tell("void", "", w.VoidFault, i18n.With{"why": named(end.Reason, r)})
	}
	e.transcript()
}

// transcript says where the transcript is.
func (e *evening) transcript() {
	w := e.words()
	e.tell("transcript", "", w.Transcript, i18n.With{"file": e.file})
	e.tell("transcript", "", w.Read, nil)
}

// over keeps the transcript of a game, if it is over: one that has stopped has none yet.
func (e *evening) over(end *table.End, transcript []byte, r *table.Roster) error {
	if e.paused = e.amongBots() && end.Result == table.Incomplete; e.paused {
		return nil
	}
	return e.store(transcript, r)
}

// store keeps a transcript, or at least a copy of it elsewhere.
func (e *evening) store(transcript []byte, r *table.Roster) error {
	name := fmt.Sprintf("%s-%s.standoff", time.Now().Format("2006-01-02-150405"), r.Table)
	e.file = filepath.Join(e.keep, name)
	err := os.MkdirAll(e.keep, 0o755)
	if err == nil {
		err = os.WriteFile(e.file, transcript, 0o644)
	}
	if err != nil {
		e.tell("elsewhere", "", e.words().Elsewhere, i18n.With{"why": err})
		e.file = filepath.Join(os.TempDir(), name)
		if err := os.WriteFile(e.file, transcript, 0o600); err != nil {
			e.file = ""
			return problem(i18n.TranscriptLost, why(err))
		}
	}
	return nil
}

// stayFor is how long the program stays for players who do not have the end of the game yet.
const stayFor = 10 * time.Second

// depart leaves the network and gives the identity back. Of games that are over, and served, the journals go.
func (e *evening) depart() {
	if e.host != nil {
		if !e.alone && !e.late.Wait(100*time.Millisecond) { // the bots of this machine have gone with it
			e.tell("stays", "", e.words().Stays, i18n.With{"n": int(stayFor / time.Second)})
			e.late.Wait(stayFor)
		}
		e.host.Close()
	}
	if e.data != "" {
		journal.Sweep(e.data)
	}
	if e.lock != nil {
		e.lock.Close()
	}
}
