package cli

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"time"

	"standoff/cli/i18n"
	"standoff/p2p/lobby"
	"standoff/p2p/node"
	"standoff/p2p/table"
)

// The table before its game: who sits there, what is offered, who is ready.

// getReady asks whether the person is ready, once for each offer; or does it for one who plays with bots.
func (e *evening) getReady() {
	v := e.table.View()
	me := v.Seat(v.Me)
	if me == nil || me.Ready || v.Phase == lobby.Begun || !e.offered {
		return
	}
	if e.alone {
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
		e.unheard = append(e.unheard, n.Seat.Key)
		e.tell("away", n.Seat.Nick, w.Away, with)
	case lobby.NewsBack:
		if i := slices.Index(e.unheard, n.Seat.Key); i >= 0 {
			e.unheard = slices.Delete(e.unheard, i, i+1)
			e.tell("back", n.Seat.Nick, w.Back, with)
		}
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
		if !e.alone {
			e.tell("begun", "", w.Begun, with)
			break
		}
		if _, ok := table.Spectators(e.table.View().Offer.Options); ok {
			e.tell("watch", "", e.text.Watch.Invite, i18n.With{"address": e.host.Addresses()[0]})
		}
		e.tell("begun", "", w.BegunBots, with)
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
	if diff := e.differing(v.Offer); diff != nil {
		e.choices(v.Offer.Sets, diff)
	} else {
		e.tell("option", "", w.NoOptions, nil)
	}
	if !e.amongBots() {
		e.tolerance(v.Offer)
	}
	e.tell("explain", "", w.Explain, nil)
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
	switch word = strings.ToLower(word); word {
	case "tell", "say", "option", "set", "kick", "let", "rules":
	default:
		if rest != "" { // no other takes more
			e.tell("error", "", e.text.Prompts.NothingMore, i18n.With{"command": word, "what": rest})
			return false
		}
	}
	switch word {
	case "", "ready", "yes", "y":
		switch err = e.table.Ready(true); {
		case err != nil:
		case e.alone && !e.json:
			e.tell("note", "", w.NotNeeded, nil)
		default:
			e.tell("note", "", w.AskWait, nil)
		}
	case "wait", "stop", "no", "unready":
		err = e.table.Ready(false)
		e.asked = false
	case "leave", "quit", "exit":
		return true
	case "tell", "say":
		if rest == "" {
			err = errors.New(e.text.Prompts.NothingToTell)
		} else if err = e.table.Tell(rest); err == nil && !e.json {
			e.tell("tell", e.me.Nick, e.text.Prompts.Tell, i18n.With{"seat": e.me.Nick, "text": rest})
		}
	case "seats", "who", "s":
		e.seats()
	case "options":
		e.options()
	case "rules":
		for _, l := range e.rulesOf(rest) {
			e.tell("rules", "", "{what}", i18n.With{"what": l})
		}
	case "option", "set":
		err = e.change(rest)
	case "kick":
		err = e.kick(rest)
	case "let":
		err = e.letIn(rest)
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

// fromJSON makes a line of a program's order: {"ready":true}, {"ready":false}, {"tell":"…"}, {"kick":"nick"},
// {"let":"nick"}, {"leave":true}.
func (e *evening) fromJSON(input string) string {
	var o struct {
		Ready *bool  `json:"ready"`
		Tell  string `json:"tell"`
		Kick  string `json:"kick"`
		Let   string `json:"let"`
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
	case o.Kick != "":
		return "kick " + o.Kick
	case o.Let != "":
		return "let " + o.Let
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
			text += e.words().AndReady
		}
		e.tell("seat", s.Nick, text, with)
	}
	for _, s := range v.Kicked {
		e.tell("kicked", s.Nick, e.words().Kicked, i18n.With{"seat": s.Nick})
	}
}

// options shows every option with its value.
func (e *evening) options() {
	v := e.table.View()
	e.choices(v.Offer.Sets, v.Offer.Options)
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
