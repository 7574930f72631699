package cli

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"standoff/cli/i18n"
	"standoff/p2p/table"
)

// confirmation is what can be said of a file of evidence, as JSON too.
type confirmation struct {
	Result string `json:"result"` // proved, stray, unproven, altered, unreadable
	Table  string `json:"table"`
	Seat   int    `json:"seat"` // the accused; -1: nobody
	Nick   string `json:"nick"` // of the accused; of a stray, whose key of this table has signed it, if any
	Key    string `json:"key"`
	Round  int    `json:"round"` // in which it was done, or that the stray names; -1: nothing is proved
	Kind   string `json:"kind"`
	Reason string `json:"reason"` // why it is a fault, or why it is none

	why string // with nicks instead of numbers
}

// confirm judges a file of evidence.
func confirm(file []byte) (confirmation, *Problem) {
	p, err := table.VerifyEvidence(file, compile)
	if err == nil {
		c := confirmation{Result: "proved", Table: p.Table.String(), Seat: p.Seat, Round: int(p.Round), Kind: p.Kind.String(), Reason: p.Reason}
		c.why = named(p.Reason, p.Roster)
		who := p.Seat
		if p.Stray() {
			c.Result, who = "stray", p.Roster.SeatOf(p.Signer)
		}
		if who >= 0 {
			j := p.Roster.Joins[who]
			c.Nick, c.Key = j.Nick, fmt.Sprintf("%x", j.Key)
		}
		return c, nil
	}
	c := confirmation{Seat: -1, Round: -1, Reason: err.Error()}
	var unproven *table.UnprovenError
	var altered *table.AlteredError
	switch {
	case errors.As(err, &unproven):
		c.Result, c.Seat, c.Reason = "unproven", unproven.Seat, unproven.Err.Error()
		return c, cheated(i18n.FalseAccusation, why(err))
	case errors.As(err, &altered):
		c.Result = "altered"
		return c, cheated(i18n.EvidenceAltered, why(err))
	}
	c.Result = "unreadable"
	if table.IsTranscript(file) {
		return c, problem(i18n.IsTranscript, nil)
	}
	return c, problem(i18n.EvidenceUnread, why(err))
}

// evidence prints the verdict on a file of evidence.
func (s *shell) evidence(file []byte, asJSON bool) error {
	c, wrong := confirm(file)
	switch {
	case asJSON:
		if err := s.json(c); err != nil {
			return err
		}
	case wrong == nil:
		w := &s.words().Report
		s.put(w.EvidenceOf, i18n.With{"id": c.Table})
		switch {
		case c.Result == "proved":
			s.put(w.Proved, i18n.With{"seat": c.Nick, "key": c.Key[:16], "n": c.Round})
		case c.Key != "":
			s.put(w.StraySigned, i18n.With{"seat": c.Nick, "key": c.Key[:16]})
		default:
			s.put(w.StrayUnsigned, nil)
		}
		s.put(w.Fault, i18n.With{"kind": c.Kind, "what": c.why})
	}
	if wrong != nil {
		return wrong
	}
	return nil
}

// evidenceName is the name of the file for a fault.
func evidenceName(f table.Fault) string {
	if f.Stray() {
		sum := sha256.Sum256(f.Evidence[0])
		return fmt.Sprintf("%s-stray-%x.evidence", f.Table, sum[:4])
	}
	return fmt.Sprintf("%s-seat-%d-round-%d.evidence", f.Table, f.Seat, f.Round)
}

// keepEvidence writes the evidence of a fault into a folder, and gives the path.
func keepEvidence(dir string, f table.Fault, file []byte) (string, error) {
	path := filepath.Join(dir, evidenceName(f))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return path, err
	}
	return path, os.WriteFile(path, file, 0o644)
}

// caught keeps the evidence against somebody who has cheated, or of a message that has no place at the table, and says
// what it is and where it lies.
func caught(text *i18n.Catalogue, dir string, t *table.Table, f table.Fault) string {
	with := i18n.With{"n": f.Round, "kind": f.Kind, "what": named(f.Reason, t.Roster())}
	kept, only := text.Report.Stray, text.Report.StrayOnly
	if !f.Stray() {
		with["seat"] = t.Roster().Joins[f.Seat].Nick
		kept, only = text.Report.Caught, text.Report.CaughtOnly
	}
	path, err := keepEvidence(dir, f, t.Evidence(f))
	if err != nil {
		with["why"] = err
		return text.Put(only, with)
	}
	with["file"] = path
	return text.Put(kept, with)
}

// export writes the evidence of every fault of a transcript into a folder, and says where.
func (s *shell) export(file []byte, dir string, quiet bool) error {
	if err := tryFolder(dir); err != nil {
		return problem(i18n.EvidenceUnwritable, why(err))
	}
	r, err := table.Open(file, compile)
	for more := err == nil; more && err == nil; {
		more, err = r.Round()
	}
	if err != nil {
		return nil // the verdict says why
	}
	rep, err := r.Report()
	if err != nil {
		return nil
	}
	faults := rep.Faults
	for _, m := range rep.Moves {
		if m.Proof != nil {
			faults = append(faults, *m.Proof)
		}
	}
	for _, f := range faults {
		path, err := keepEvidence(dir, f, r.Evidence(f))
		if err != nil {
			return problem(i18n.EvidenceUnwritable, why(err))
		}
		if !quiet {
			s.put(s.words().Report.Evidence, i18n.With{"file": path})
		}
	}
	if len(faults) == 0 && !quiet {
		s.put(s.words().Report.NoEvidence, nil)
	}
	return nil
}
