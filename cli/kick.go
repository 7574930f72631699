package cli

import (
	"errors"
	"strings"

	"standoff/cli/i18n"
	"standoff/p2p/lobby"
)

// kick takes somebody off the own table before a game; the key stays away until it is let in again.
func (e *evening) kick(nick string) error {
	w, v := e.words(), e.table.View()
	s, err := e.guest(nick, v.Seats, w.KickWhom)
	switch {
	case err != nil:
		return err
	case s.Key == v.Me:
		return errors.New(w.KickSelf)
	case s.Bot && s.Owner == v.Me:
		return errors.New(e.text.Put(w.KickBot, i18n.With{"seat": s.Nick}))
	case v.Phase == lobby.Begun:
		return errors.New(w.KickLate)
	}
	if err := e.table.Kick(s.Key); err != nil {
		return err
	}
	e.tell("kicked", s.Nick, w.Kicked, i18n.With{"seat": s.Nick})
	return nil
}

// letIn lets somebody who was kicked sit down again.
func (e *evening) letIn(nick string) error {
	w := e.words()
	s, err := e.guest(nick, e.table.View().Kicked, w.LetWhom)
	if err != nil {
		return err
	}
	if err := e.table.Let(s.Key); err != nil {
		return err
	}
	e.tell("let", s.Nick, w.LetIn, i18n.With{"seat": s.Nick})
	return nil
}

// guest finds somebody among seats by the nick, for whoever has opened the table. Of several kicked under one nick it
// is the last.
func (e *evening) guest(nick string, seats []lobby.Seat, whom string) (found lobby.Seat, err error) {
	switch {
	case !e.opener:
		return found, errors.New(e.words().NotHost)
	case nick == "":
		return found, errors.New(whom)
	}
	for _, s := range seats {
		if strings.EqualFold(s.Nick, nick) {
			found, err = s, nil
		}
	}
	if found.Nick == "" {
		err = errors.New(e.text.Put(e.words().NoSuchNick, i18n.With{"what": nick}))
	}
	return found, err
}
