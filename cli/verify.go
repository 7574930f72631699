package cli

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"standoff/cli/i18n"
	"standoff/engine"
	"standoff/p2p/table"
)

func (s *shell) verify() *cobra.Command {
	var asJSON, evidence bool
	var export string
	cmd := &cobra.Command{
		Use:  "verify FILE",
		Args: oneFile,
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "")
	cmd.Flags().BoolVar(&evidence, "evidence", false, "")
	cmd.Flags().StringVar(&export, "export", "", "")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case evidence && cmd.Flags().Changed("export"):
			return misuse(i18n.EvidenceExport, nil)
		case export == "" && cmd.Flags().Changed("export"):
			return misuse(i18n.ExportNowhere, nil)
		}
		file, err := readTranscript(args[0])
		if err != nil {
			return err
		}
		if evidence {
			return s.evidence(file, asJSON)
		}
		v := judge(file)
		if asJSON {
			if err := s.json(v); err != nil {
				return err
			}
		} else {
			s.verdict(v)
		}
		if export != "" {
			if err := s.export(file, export, asJSON); err != nil {
				return err
			}
		}
		if v.problem != nil {
			return v.problem
		}
		return nil
	}
	return cmd
}

// verdict is what can be said of a transcript, as JSON too.
type verdict struct {
	Result  string            `json:"result"` // finished, void, incomplete, cheated, altered, unreadable
	Players []playerVerdict   `json:"players"`
	Sets    []string          `json:"sets"`
	Options map[string]string `json:"options"`
	Rounds  int               `json:"rounds"`
	Proofs  int               `json:"proofs"`
	Checked bool              `json:"checked"` // all of it was: false where it is altered or unreadable
	Winners []string          `json:"winners"`
	Faults  []faultVerdict    `json:"faults"`
	Moves   []moveVerdict     `json:"removals"` // who was taken out of the game, and who came back

	table   string // the beginning of its id
	name    string
	list    [][2]string
	outcome engine.Outcome
	rules   *engine.Rules
	roster  *table.Roster
	keys    [][]byte // shown for the audit
	problem *Problem // nil: the game is valid
}

type playerVerdict struct {
	Seat      int    `json:"seat"`
	Nick      string `json:"nick"`
	Key       string `json:"key"`
	Bot       bool   `json:"bot"`
	Place     int    `json:"place"` // around the table, -1 before places were drawn
	Role      string `json:"role"`  // "" when it was never shown
	Character string `json:"character"`
	Left      bool   `json:"left"` // left the game, which is void for that
}

// moveVerdict is a seat that was taken out by all others, or let in again.
type moveVerdict struct {
	Round  int    `json:"round"`
	Seat   int    `json:"seat"`
	Nick   string `json:"nick"`
	Back   bool   `json:"returned"`
	Reason string `json:"reason"` // of a removal: silence, left, lost its journal, or what is proved

	who person
}

// Say puts the verdict into words.
func (m moveVerdict) Say(text *i18n.Catalogue) string {
	template := text.Report.Removed
	switch {
	case m.Back:
		template = text.Report.Returned
	case m.Reason == table.Left.String():
		template = text.Report.Left
	}
	return text.Put(template, i18n.With{"who": m.who.Say(text), "n": m.Round, "why": m.Reason})
}

type faultVerdict struct {
	Seat   int    `json:"seat"` // -1: it cannot be told whose message it is
	Nick   string `json:"nick"`
	Round  int    `json:"round"` // -1: before the first
	Kind   string `json:"kind"`
	Reason string `json:"reason"`

	who person
	why string // with nicks instead of numbers
}

// judge verifies a transcript.
func judge(file []byte) *verdict {
	v := &verdict{Players: []playerVerdict{}, Sets: []string{}, Options: map[string]string{}, Winners: []string{}, Faults: []faultVerdict{}, Moves: []moveVerdict{}}
	r, err := table.Open(file, compile)
	if err == nil {
		_, roster := r.Progress()
		v.seat(roster)
		for more := true; more && err == nil; {
			more, err = r.Round()
		}
	}
	var rep *table.Report
	if err == nil {
		rep, err = r.Report()
	}
	if r != nil {
		v.places(r)
	}
	switch {
	case err == nil:
		v.accept(rep)
		v.keys = r.Keys()
	case r != nil:
		v.Rounds, _ = r.Progress()
		v.reject(err)
	default:
		v.reject(err)
		if table.IsEvidence(file) {
			v.problem = problem(i18n.IsEvidence, nil)
		}
	}
	return v
}

// seat takes over what the roster says, which holds even if the game turns out to be altered.
func (v *verdict) seat(r *table.Roster) {
	v.roster, v.table, v.name, v.Sets, v.list = r, r.Table.String(), r.Offer.Name, r.Offer.Sets, r.Offer.Options
	v.rules, _ = compile(v.Sets) // Open has compiled them too
	for _, o := range v.list {
		v.Options[o[0]] = o[1]
	}
	for i, j := range r.Joins {
		v.Players = append(v.Players, playerVerdict{Seat: i, Nick: j.Nick, Key: fmt.Sprintf("%x", j.Key), Bot: j.Bot, Place: -1})
	}
}

// places takes over who sits where around the table, once that has been drawn.
func (v *verdict) places(r *table.Replay) {
	if g, _ := r.Game(); g != nil {
		for p := range engine.Seat(g.State().N) {
			v.Players[r.SeatAt(p)].Place = int(p)
		}
	}
}

// who is somebody as a person knows them: the nick, and the seat around the table as it is counted in play.
func (v *verdict) who(seat int) person {
	if seat < 0 || seat >= len(v.Players) {
		return person{place: -1}
	}
	return person{v.Players[seat].Nick, v.Players[seat].Place}
}

// person is somebody of a verdict.
type person struct {
	nick  string
	place int // -1 before places were drawn
}

// Say puts the person into words.
func (p person) Say(text *i18n.Catalogue) string {
	if p.place < 0 {
		return p.nick
	}
	return text.Put(text.Report.Who, i18n.With{"seat": p.nick, "n": p.place + 1})
}

var rosterSeat = regexp.MustCompile(`\bseat (\d+)\b`)

// named puts nicks into a text of the table, which counts seats as the roster has them, from 0.
func named(text string, r *table.Roster) string {
	return rosterSeat.ReplaceAllStringFunc(text, func(s string) string {
		if n, err := strconv.Atoi(s[len("seat "):]); err == nil && r != nil && n < len(r.Joins) {
			return r.Joins[n].Nick
		}
		return s
	})
}

func (v *verdict) nick(seat int) string {
	if seat < 0 || seat >= len(v.Players) {
		return ""
	}
	return v.Players[seat].Nick
}

// reject is the verdict on a file that is no transcript, or not the one that was signed.
func (v *verdict) reject(err error) {
	var altered *table.AlteredError
	if !errors.As(err, &altered) {
		v.Result = "unreadable"
		v.problem = problem(i18n.Unreadable, why(err))
		return
	}
	f := faultVerdict{Seat: altered.Seat, Nick: v.nick(altered.Seat), Round: int(altered.Round), Kind: "altered", Reason: altered.Err.Error(),
		who: v.who(altered.Seat), why: named(altered.Err.Error(), v.roster)}
	if altered.Message < 0 {
		f.Round = -1
	}
	v.Result, v.Faults = "altered", append(v.Faults, f)
	v.problem = cheated(i18n.Altered, i18n.With{"what": f})
}

// Say puts the fault into words.
func (f faultVerdict) Say(text *i18n.Catalogue) string {
	w := &text.Report
	where := text.Put(w.Where, i18n.With{"n": f.Round})
	if f.Round < 0 {
		where = w.Roster
	}
	if f.who.nick != "" {
		where = text.Put(w.WhereWho, i18n.With{"where": where, "who": f.who.Say(text)})
	}
	return text.Put(w.Named, i18n.With{"name": where, "text": f.why})
}

// accept is the verdict on a transcript that is what the players signed.
func (v *verdict) accept(rep *table.Report) {
	v.Rounds, v.Proofs, v.Checked, v.outcome = rep.Rounds, rep.Proofs, true, rep.Outcome
	for i, p := range rep.Players {
		w := &v.Players[i]
		w.Left = rep.Left == i
		if p.Role != engine.NoRole {
			w.Role = v.rules.Row(engine.Kind(p.Role)).Name
		}
		if row := v.rules.Row(p.Character); row != nil {
			w.Character = row.Name
		}
	}
	for _, s := range rep.Winners {
		v.Winners = append(v.Winners, v.nick(s))
	}
	for _, f := range rep.Faults {
		v.Faults = append(v.Faults, faultVerdict{Seat: f.Seat, Nick: v.nick(f.Seat), Round: int(f.Round), Kind: f.Kind.String(), Reason: f.Reason,
			who: v.who(f.Seat), why: named(f.Reason, v.roster)})
	}
	for _, m := range rep.Moves {
		w := moveVerdict{Round: int(m.Round), Seat: m.Seat, Nick: v.nick(m.Seat), Back: m.Back, who: v.who(m.Seat)}
		if !m.Back {
			w.Reason = cmp.Or(m.Fault, m.Why.String())
		}
		v.Moves = append(v.Moves, w)
	}
	v.Result = rep.Result.String()
	switch {
	case rep.Result == table.Incomplete:
		v.problem = problem(v.cutShort(), i18n.With{"what": rep.Note})
	case rep.Result == table.Void && len(v.Faults) > 0:
		v.Result = "cheated"
		v.problem = cheated(i18n.SomebodyCheated, i18n.With{"kind": v.Faults[0].Kind, "what": v.Faults[0]})
	}
}

// cutShort is the complaint of a transcript that ends early: of a game of one person with bots nobody else has more.
func (v *verdict) cutShort() i18n.Complaint {
	people := 0
	for _, p := range v.Players {
		if !p.Bot {
			people++
		}
	}
	if people == 1 {
		return i18n.NotWholeBots
	}
	return i18n.NotWhole
}

// verdict prints a verdict for a person.
func (s *shell) verdict(v *verdict) {
	s.heading(v)
	for _, p := range v.around() {
		s.player(p)
	}
	s.conclusion(v)
}

// heading says what game it is.
func (s *shell) heading(v *verdict) {
	if v.roster != nil {
		s.put(s.texts().Table, i18n.With{"name": v.name, "id": v.table})
		s.put(s.texts().Rules, i18n.With{"sets": strings.Join(v.Sets, " + "), "options": s.changed(v.rules, v.list)})
	}
}

// conclusion says what the verdict is.
func (s *shell) conclusion(v *verdict) {
	w := s.texts()
	switch {
	case v.roster == nil:
	case v.Checked:
		s.put(w.Checked, i18n.With{"n": v.Rounds, "m": v.Proofs})
	default:
		s.put(w.Unchecked, i18n.With{"n": v.Rounds})
	}
	for _, m := range v.Moves {
		s.say("%s", m.Say(s.words()))
	}
	for _, p := range v.Players {
		if p.Left {
			s.put(w.LeftBefore, i18n.With{"seat": p.Nick})
		}
	}
	for _, f := range v.Faults {
		s.put(w.Fault, i18n.With{"kind": f.Kind, "what": f})
	}
	s.put(w.Result, i18n.With{"result": v.Result})
	if len(v.Winners) > 0 {
		s.put(w.Winners, i18n.With{"list": strings.Join(v.Winners, ", ")})
	}
}

// around are the players in the order of their places.
func (v *verdict) around() []playerVerdict {
	list := slices.Clone(v.Players)
	slices.SortStableFunc(list, func(a, b playerVerdict) int { return cmp.Compare(a.Place, b.Place) })
	return list
}

// player prints who played.
func (s *shell) player(p playerVerdict) {
	w, put := s.texts(), s.words().Put
	name := p.Nick
	if p.Bot {
		name = put(w.Bot, i18n.With{"seat": p.Nick})
	}
	var list []string
	for _, word := range []string{p.Role, p.Character} {
		if word != "" {
			list = append(list, word)
		}
	}
	if p.Place >= 0 {
		list = append(list, put(w.Seat, i18n.With{"n": p.Place + 1}))
	}
	list = append(list, put(w.Key, i18n.With{"key": p.Key[:16]}))
	s.put(w.Player, i18n.With{"seat": name, "list": strings.Join(list, ", ")})
}
