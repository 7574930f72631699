package i18n

import "standoff/p2p/node"

// Finding is what is wrong in words, and what to do about it.
type Finding struct {
	What   string // of what the doctor finds the operands are {subject} and {detail}
	Advice string // "" where there is nothing to do
}

// englishFindings are the words for what an examination finds.
var englishFindings = map[node.Symptom]Finding{
	node.LANFound:         {"network: {subject} leads to others, {detail}", ""},
	node.NoLAN:            {"network: no interface leads to others {detail}", "plug in the cable or join the wireless network; \"standoff play\" against bots works without"},
	node.InterfaceDown:    {"interface {subject}: not up", ""},
	node.InterfaceIdle:    {"interface {subject}: no address of a local network {detail}", ""},
	node.ContainerSkipped: {"interface {subject}: belongs to containers or virtual machines, not used", ""},
	node.PublicAddress:    {"interface {subject}: the address {detail} is no local one and is never used", ""},
	node.MulticastAbsent:  {"multicast: {subject} cannot do it", "tables do not find each other here: join by the address or the invite code that \"standoff host\" prints"},
	node.MulticastWorks:   {"multicast: works on {subject}", ""},
	node.MulticastSilent:  {"multicast: nothing comes back on {subject}", "allow UDP port 5353 in the firewall, or join by the address or the invite code that \"standoff host\" prints"},
	node.MulticastUnknown: {"multicast: not tried on {subject}, {detail}", ""},
	node.PortFree:         {"port {subject}: free", ""},
	node.PortInUse:        {"port {subject}: in use by another program", "choose another with --port, or 0 for any free one"},
	node.PortRefused:      {"port {subject}: refused, {detail}", "choose a port from 1024 on, or 0 for any free one"},
	node.FirewallDrops:    {"firewall {subject}: drops what comes in, {detail}", "allow this program, or the port given with --port, for the local network"},
	node.FirewallOpen:     {"firewall {subject}: no rule found that drops what comes in", ""},
	node.FirewallUnknown:  {"firewall {subject}: the rules cannot be read, {detail}", "run standoff doctor as administrator to see them"},
	node.FirewallAbsent:   {"firewall: no tool that lists rules is installed", ""},
	node.ClockOdd:         {"clock: it says {detail}, which is before this program was written", "set the clock"},
	node.ClockFine:        {"clock: fine", ""},
	node.FolderFine:       {"data folder {subject}: fine", ""},
	node.FolderClosed:     {"data folder {subject}: cannot be written, {detail}", "choose another with --data DIR"},
	node.FolderOpen:       {"data folder {subject}: others may write it, mode {detail}", "let only yourself write it: chmod 700"},
	node.KeyFine:          {"key: {detail}", ""},
	node.KeyAbsent:        {"key: none yet, the first game on a network makes one", ""},
	node.KeyBad:           {"key: cannot be used, {detail}", "mend the file, or move it away to get a new key: others will see you as somebody new"},
}

// Finding puts what an examination found into words.
func (c *Catalogue) Finding(f node.Finding) (what, advice string) {
	t, ok := c.Findings[f.Symptom]
	if !ok {
		t.What = string(f.Symptom) + " {subject} {detail}"
	}
	return c.Put(t.What, With{"subject": f.Subject, "detail": f.Detail}), t.Advice
}
