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
	hint := w.EndedLeft
	switch {
	case end == nil:
		hint = e.seatGone()
	case end.Result == table.Finished:
		hint = w.EndedOver
	case end.Result == table.Void:
		hint = w.EndedVoid
	case !e.resumable():
		hint = w.EndedBots
	}
	return worded(w.Interrupted, hint)
}

// resumable reports whether a game can be gone on with by "standoff resume": whether there is a journal of it.
func (e *evening) resumable() bool { return e.data != "" }

// seatGone says what becomes of the seat when the program ends before the game.
func (e *evening) seatGone() string {
	w := e.words()
	switch {
	case e.table == nil: // a seat that is taken again
		return w.EndedResume
	case e.table.View().Roster != nil && e.resumable():
		return w.EndedEarly
	case e.auto:
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

// left is the template for who has left a game that may go on.
func (e *evening) left() string {
	if e.resumable() {
		return e.words().YouLeft
	}
	return e.words().LeftBots
}

// stuck is the error of a game that cannot go on here; where the error below says what to do about it, that is it.
func (e *evening) stuck(err error) error {
	switch p := (*Problem)(nil); {
	case errors.As(err, &p):
		return p
	case e.resumable():
		return problem(i18n.GameStuck, why(err))
	}
	return problem(i18n.GameStuckHere, why(err))
}
