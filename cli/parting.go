package cli

import (
	"errors"

	"standoff/cli/i18n"
	"standoff/p2p/table"
)

// How an evening ends before its time: what has become of the seat, and how to come back to it.

// interrupted is the error of an interrupt, or of the end of the terminal or the machine, in or before a game; end is
// nil where this seat has not begun to play.
func (e *evening) interrupted(end *table.End) error {
	w := e.words()
	hint := e.either(w.EndedLeft, w.EndedOut)
	switch {
	case end == nil:
		hint = e.seatGone()
	case end.Result == table.Finished:
		hint = w.EndedOver
	case end.Result == table.Void:
		hint = w.EndedVoid
	case e.paused: // as said before
		return nil
	}
	return worded(w.Interrupted, hint)
}

// either chooses between the words for a seat that can be played again by who has left it, and for one that is out of
// the game: who comes back to that can look on.
func (e *evening) either(plays, out string) string {
	if e.seatOut {
		return out
	}
	return plays
}

// seatGone says what becomes of the seat when the program ends before the game.
func (e *evening) seatGone() string {
	w := e.words()
	switch {
	case e.table == nil: // a seat that is taken again
		return w.EndedResume
	case e.table.View().Roster != nil:
		return w.EndedEarly
	case e.alone:
		return w.EndedPlay
	case e.opener:
		return w.EndedHost
	}
	return w.EndedGuest
}

// inputEnded is the error of an input that ends at the table before the game.
func (e *evening) inputEnded() error {
	w := e.words()
	return worded(w.NoInput, e.seatGone()+"; "+w.KeepOpen)
}

// leaving is what is said at once to whoever interrupts a game.
func (e *evening) leaving() string {
	if e.amongBots() {
		return e.words().Stopping
	}
	return e.words().Leaving
}

// stuck is the error of a game that cannot go on here; where the error below says what to do about it, that is it.
func (e *evening) stuck(err error) error {
	if p := (*Problem)(nil); errors.As(err, &p) {
		return p
	}
	return problem(i18n.GameStuck, why(err))
}
