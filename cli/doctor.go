package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"standoff/cli/i18n"
	"standoff/p2p/node"
)

func (s *shell) doctor() *cobra.Command {
	var port uint16
	var asJSON bool
	cmd := &cobra.Command{
		Use:  "doctor",
		Args: noArgs,
	}
	cmd.Flags().Uint16Var(&port, "port", 0, "")
	cmd.Flags().BoolVar(&asJSON, "json", false, "")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		set, err := s.settle(cmd)
		if err != nil {
			return err
		}
		found := node.Examine(cmd.Context(), node.Checkup{Port: set.port, Data: set.data, Multicast: set.mdns})
		type result struct {
			Finding string `json:"finding"`
			Grave   string `json:"grave"`
			Subject string `json:"subject"`
			Detail  string `json:"detail"`
			Text    string `json:"text"`
			Advice  string `json:"advice,omitempty"`
		}
		var all []result
		failed := false
		for _, f := range found {
			text, advice := set.text.Finding(f)
			grave := [...]string{"fine", "warning", "failure"}[min(int(f.Grave), 2)]
			failed = failed || f.Grave == node.Failure
			all = append(all, result{string(f.Symptom), grave, f.Subject, f.Detail, strings.TrimSpace(text), advice})
		}
		if asJSON {
			if err := s.json(all); err != nil {
				return err
			}
		} else {
			for _, r := range all {
				if r.Grave == "fine" {
					s.say("%s", r.Text)
					continue
				}
				s.put(s.texts().Graved, i18n.With{"grave": r.Grave, "what": r.Text})
				if r.Advice != "" {
					s.put(s.texts().Advised, i18n.With{"advice": r.Advice})
				}
			}
		}
		if failed {
			return problem(i18n.Unplayable, nil)
		}
		return nil
	}
	return cmd
}
