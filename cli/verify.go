package cli

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"standoff/engine"
	"standoff/p2p/table"
)

func (s *shell) verify() *cobra.Command {
	var asJSON, evidence bool
	var export string
	cmd := &cobra.Command{
		Use:   "verify FILE",
		Short: "check a transcript: every signature, every proof, every rule",
		Long: "Replays a game from its transcript as every peer of it did: signatures, the chain of rounds, every proof of a\n" +
			"shuffle or an opened card, every move against the rules. Nothing but the file is needed.\n\n" +
			"Exit code 0: valid. 1: unreadable or incomplete. 3: somebody cheated, or the file was altered after the game;\n" +
			"then the seat, the round and the reason are named.\n\n" +
			"With --evidence FILE is what a peer writes down when it catches somebody cheating: what that seat signed, and the\n" +
			"game before. Exit code 0: it proves that the seat it names cheated; the round, the kind and the reason follow.\n" +
			"1: unreadable or incomplete. 3: it proves nothing against that seat, or was altered.\n\n" +
			"With --export the evidence of every fault that the transcript proves is written into a folder, one file each.",
		Example: "  standoff verify game/seat-0.standoff\n  standoff verify --json game.standoff\n  standoff verify --evidence 1f2e3d4c-seat-2-round-40.evidence\n  standoff verify --export faults game.standoff",
		Args:    oneFile,
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	cmd.Flags().BoolVar(&evidence, "evidence", false, "FILE is the evidence of a fault")
	cmd.Flags().StringVar(&export, "export", "", "write the evidence of each fault of the transcript into this folder")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case evidence && cmd.Flags().Changed("export"):
			return misuse("leave one of them away", "--export is for a transcript, --evidence says that the file is none")
		case export == "" && cmd.Flags().Changed("export"):
			return misuse("write for instance --export faults", "--export names no folder")
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
}

func (m moveVerdict) String() string {
	who := fmt.Sprintf("%s (seat %d), from round %d", m.Nick, m.Seat, m.Round)
	switch {
	case m.Back:
		return "returned: " + who
	case m.Reason == table.Left.String():
		return "left: " + who + " (away)"
	}
	return "removed: " + who + ": " + m.Reason
}

type faultVerdict struct {
	Seat   int    `json:"seat"` // -1: it cannot be told whose message it is
	Nick   string `json:"nick"`
	Round  int    `json:"round"` // -1: before the first
	Kind   string `json:"kind"`
	Reason string `json:"reason"`
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
	switch {
	case err == nil:
		v.accept(rep)
		v.keys = r.Keys()
	case r != nil:
		v.Rounds, _ = r.Progress()
		v.reject(err)
	default:
		v.reject(err)
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
		v.problem = problem(fmt.Errorf("the transcript cannot be read: %w", err),
			"see whether it is a file that standoff has written, whole, and whether this program is new enough for it")
		return
	}
	f := faultVerdict{Seat: altered.Seat, Nick: v.nick(altered.Seat), Round: int(altered.Round), Kind: "altered", Reason: altered.Err.Error()}
	if altered.Message < 0 {
		f.Round = -1
	}
	v.Result, v.Faults = "altered", append(v.Faults, f)
	v.problem = &Problem{Code: Cheated, Err: fmt.Errorf("the file was altered: %s", f),
		Hint: "this is not the game that the players signed: compare it with the transcript of another player"}
}

func (f faultVerdict) String() string {
	where := fmt.Sprintf("round %d", f.Round)
	if f.Round < 0 {
		where = "roster"
	}
	if f.Seat >= 0 {
		where += fmt.Sprintf(", %s (seat %d)", f.Nick, f.Seat)
	}
	return where + ": " + engineSeat.ReplaceAllString(f.Reason, "")
}

// engineSeat is what the rules say before a reason: a number by another count than that of the seats here.
var engineSeat = regexp.MustCompile(`^illegal action of seat \d+: `)

// accept is the verdict on a transcript that is what the players signed.
func (v *verdict) accept(rep *table.Report) {
	v.Rounds, v.Proofs, v.outcome = rep.Rounds, rep.Proofs, rep.Outcome
	for i, p := range rep.Players {
		w := &v.Players[i]
		w.Place, w.Left = p.Place, rep.Left == i
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
		v.Faults = append(v.Faults, faultVerdict{Seat: f.Seat, Nick: v.nick(f.Seat), Round: int(f.Round), Kind: f.Kind.String(), Reason: f.Reason})
	}
	for _, m := range rep.Moves {
		w := moveVerdict{Round: int(m.Round), Seat: m.Seat, Nick: v.nick(m.Seat), Back: m.Back}
		if !m.Back {
			w.Reason = cmp.Or(m.Fault, m.Why.String())
		}
		v.Moves = append(v.Moves, w)
	}
	v.Result = rep.Result.String()
	switch {
	case rep.Result == table.Incomplete:
		v.problem = problem(fmt.Errorf("the transcript is %s", rep.Note), "all that is there is valid; ask another player of this game for a complete transcript")
	case rep.Result == table.Void && len(v.Faults) > 0:
		v.Result = "cheated"
		v.problem = &Problem{Code: Cheated, Err: fmt.Errorf("somebody cheated: %s: %s", v.Faults[0].Kind, v.Faults[0]),
			Hint: "the transcript proves it to anyone; the game is void"}
	}
}

// verdict prints a verdict for a person.
func (s *shell) verdict(v *verdict) {
	s.heading(v)
	for _, p := range v.Players {
		s.say("%s", p)
	}
	s.conclusion(v)
}

// heading says what game it is.
func (s *shell) heading(v *verdict) {
	if v.roster != nil {
		s.say("table: %s, %s", v.name, v.table)
		s.say("rules: %s, %s", strings.Join(v.Sets, " + "), changed(v.rules, v.list))
	}
}

// conclusion says what the verdict is.
func (s *shell) conclusion(v *verdict) {
	if v.roster != nil {
		s.say("checked: %d rounds, %d proofs", v.Rounds, v.Proofs)
	}
	for _, m := range v.Moves {
		s.say("%s", m)
	}
	for _, p := range v.Players {
		if p.Left {
			s.say("void: %s left before the end", p.Nick)
		}
	}
	for _, f := range v.Faults {
		s.say("fault: %s: %s", f.Kind, f)
	}
	s.say("result: %s", v.Result)
	if len(v.Winners) > 0 {
		s.say("winners: %s", strings.Join(v.Winners, ", "))
	}
}

func (p playerVerdict) String() string {
	name := p.Nick
	if p.Bot {
		name += " (bot)"
	}
	var words []string
	for _, w := range []string{p.Role, p.Character} {
		if w != "" {
			words = append(words, w)
		}
	}
	return name + ": " + strings.Join(append(words, fmt.Sprintf("seat %d", p.Seat), "key "+p.Key[:16]), ", ")
}
