package node

import (
	"context"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"
)

// firewalls are the commands that list the rules of a firewall. They only read.
var firewalls = [][]string{{"nft", "list", "ruleset"}, {"iptables", "-S", "INPUT"}, {"ip6tables", "-S", "INPUT"}}

func examineFirewall(ctx context.Context) (out []Finding) {
	if runtime.GOOS != "linux" {
		return []Finding{{FirewallUnknown, Fine, runtime.GOOS, "its rules are not listed here"}}
	}
	for _, command := range firewalls {
		path, err := exec.LookPath(command[0])
		if err != nil {
			continue
		}
		ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
		text, err := exec.CommandContext(ctx, path, command[1:]...).Output()
		cancel()
		if err != nil {
			out = append(out, Finding{FirewallUnknown, Fine, command[0], err.Error()})
			continue
		}
		drops := dropping(command[0], string(text))
		for _, rule := range drops {
			out = append(out, Finding{FirewallDrops, Warning, command[0], rule})
		}
		if len(drops) == 0 {
			out = append(out, Finding{FirewallOpen, Fine, command[0], ""})
		}
	}
	if len(out) == 0 {
		out = append(out, Finding{FirewallAbsent, Fine, "", ""})
	}
	return out
}

// dropping finds the rules and policies that drop what comes in. It does not follow jumps: it names what a person
// should look at.
func dropping(tool, text string) (rules []string) {
	input := tool != "nft"
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		words := strings.Fields(line)
		if tool == "nft" && strings.HasPrefix(line, "type ") {
			input = strings.Contains(line, "hook input")
			if input && strings.Contains(line, "policy drop") {
				rules = append(rules, line)
			}
			continue
		}
		if tool == "nft" && line == "}" {
			input = false
		}
		drop := slices.ContainsFunc(words, func(w string) bool {
			return w == "drop" || w == "reject" || w == "DROP" || w == "REJECT"
		})
		if input && drop && len(rules) < 8 {
			rules = append(rules, line)
		}
	}
	return rules
}
