package node

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// A Symptom is what an examination can find. The words for it, and what to do, belong to the front end.
type Symptom string

const (
	// The network. Subject is an interface, Detail its addresses.
	LANFound         Symptom = "lan-found"          // an interface that leads to others
	NoLAN            Symptom = "no-lan"             // none does: play against bots, or find the network
	InterfaceDown    Symptom = "interface-down"     // an interface that is not up
	InterfaceIdle    Symptom = "interface-idle"     // up, but without an address of a local network
	ContainerSkipped Symptom = "container-skipped"  // belongs to containers or virtual machines
	PublicAddress    Symptom = "public-address"     // an address that is no local one: never used
	MulticastAbsent  Symptom = "multicast-absent"   // the interface cannot multicast: join by code
	MulticastWorks   Symptom = "multicast-works"    // a packet to the group came back from the interface
	MulticastSilent  Symptom = "multicast-silent"   // it did not: a firewall, or another program keeps the port
	MulticastUnknown Symptom = "multicast-untested" // not tried; Detail says why
	PortFree         Symptom = "port-free"          // Subject: the port
	PortInUse        Symptom = "port-in-use"
	PortRefused      Symptom = "port-refused" // Detail: the system's reason

	// Firewalls. Subject is the tool, Detail the rule.
	FirewallDrops   Symptom = "firewall-drops"   // a rule or policy drops what comes in
	FirewallOpen    Symptom = "firewall-open"    // the rules were read, none drops what comes in
	FirewallUnknown Symptom = "firewall-unknown" // the rules cannot be read; Detail says why
	FirewallAbsent  Symptom = "firewall-absent"  // no tool that lists rules is installed

	// The machine.
	ClockOdd     Symptom = "clock-odd" // Detail: what the clock says; it is before this program was written
	ClockFine    Symptom = "clock-fine"
	FolderFine   Symptom = "folder-fine"   // Subject: the data folder
	FolderClosed Symptom = "folder-closed" // cannot be written; Detail says why
	FolderOpen   Symptom = "folder-open"   // others may write it; Detail: the mode
	KeyFine      Symptom = "key-fine"      // the identity is there and only its owner's; Detail: the key
	KeyAbsent    Symptom = "key-absent"    // there is none yet, the first game makes one
	KeyBad       Symptom = "key-bad"       // Detail says why it cannot be used
)

// Grave says how much a finding matters.
type Grave uint8

const (
	Fine    Grave = iota // as it should be, or of no consequence
	Warning              // something will not work by itself
	Failure              // no game with others is possible
)

// A Finding is one result of an examination.
type Finding struct {
	Symptom Symptom
	Grave   Grave
	Subject string
	Detail  string
}

// Checkup says what to examine.
type Checkup struct {
	Port      uint16 // to listen on; 0 is any
	Data      string // folder
	Multicast bool   // send a question to the multicast group, and see whether it comes back
}

// released is a day after which this program was written: a clock before it is wrong.
var released = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// Examine looks for what could keep players apart. It changes nothing, but for a file that it writes into the data
// folder and removes; it sends nothing, but for one question to the multicast group if Checkup says so.
func Examine(ctx context.Context, c Checkup) []Finding {
	all, err := Interfaces()
	if err != nil {
		return []Finding{{NoLAN, Failure, "", err.Error()}}
	}
	out := examineInterfaces(all)
	out = append(out, examineMulticast(ctx, all, c.Multicast)...)
	out = append(out, examinePort(c.Port))
	out = append(out, examineFirewall(ctx)...)
	out = append(out, examineClock(time.Now()))
	return append(out, examineData(c.Data)...)
}

func prefixes(list []netip.Prefix) string {
	var text []string
	for _, p := range list {
		text = append(text, p.String())
	}
	return strings.Join(text, " ")
}

// leads reports whether players can be behind an interface.
func (i Interface) leads() bool {
	return i.Up && !i.Loopback && !i.Container && len(i.homes()) > 0
}

func examineInterfaces(all []Interface) (out []Finding) {
	found := false
	for _, i := range all {
		if len(i.Other) > 0 {
			out = append(out, Finding{PublicAddress, Fine, i.Name, prefixes(i.Other)})
		}
		switch {
		case i.Loopback:
		case i.leads():
			found = true
			out = append(out, Finding{LANFound, Fine, i.Name, prefixes(i.Local)})
		case !i.Up:
			out = append(out, Finding{InterfaceDown, Fine, i.Name, ""})
		case i.Container:
			out = append(out, Finding{ContainerSkipped, Fine, i.Name, prefixes(i.Local)})
		default:
			out = append(out, Finding{InterfaceIdle, Fine, i.Name, prefixes(i.Local)})
		}
	}
	if !found {
		out = append(out, Finding{NoLAN, Failure, "", ""})
	}
	return out
}

func examineMulticast(ctx context.Context, all []Interface, try bool) (out []Finding) {
	for _, i := range all {
		switch {
		case !i.leads():
		case !i.Multicast:
			out = append(out, Finding{MulticastAbsent, Warning, i.Name, ""})
		case !try:
			out = append(out, Finding{MulticastUnknown, Fine, i.Name, "not asked for"})
		default:
			back, err := echo(ctx, i)
			switch {
			case err != nil:
				out = append(out, Finding{MulticastUnknown, Warning, i.Name, err.Error()})
			case back:
				out = append(out, Finding{MulticastWorks, Fine, i.Name, ""})
			default:
				out = append(out, Finding{MulticastSilent, Warning, i.Name, ""})
			}
		}
	}
	return out
}

// echo asks the group on one interface who is there and waits for the own question to come back: whoever hears
// that hears the others too, as far as this machine is concerned.
func echo(ctx context.Context, i Interface) (bool, error) {
	if err := mayMulticast(); err != nil {
		return false, err
	}
	r := &reach{Interface: i, six: i.homes()[0].Is6()}
	groups, err := joinGroups([]*reach{r})
	if err != nil {
		return false, err
	}
	g := groups[0]
	defer g.Close()
	b, err := ask(false)
	if err != nil {
		return false, err
	}
	stop := context.AfterFunc(ctx, func() { g.Close() })
	defer stop()
	if err := g.setReadDeadline(time.Now().Add(time.Second)); err != nil {
		return false, err
	}
	g.say(r.card(), b)
	buf := make([]byte, maxDNS)
	for range 256 {
		n, from, _, err := g.read(buf)
		if err != nil {
			return false, nil
		}
		if asked, _, err := hear(buf[:n]); i.has(from.Addr()) && err == nil && asked == asksAll {
			return true, nil
		}
	}
	return false, nil
}

func examinePort(port uint16) Finding {
	subject := fmt.Sprint(port)
	l, err := net.ListenTCP("tcp4", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: int(port)})
	switch {
	case err == nil:
		l.Close()
		return Finding{PortFree, Fine, subject, ""}
	case errors.Is(err, syscall.EADDRINUSE):
		return Finding{PortInUse, Failure, subject, ""}
	}
	return Finding{PortRefused, Failure, subject, err.Error()}
}

func examineClock(now time.Time) Finding {
	if now.Before(released) {
		return Finding{ClockOdd, Warning, "", now.Format(time.RFC3339)}
	}
	return Finding{ClockFine, Fine, "", now.Format(time.RFC3339)}
}

func examineData(dir string) (out []Finding) {
	if dir == "" {
		return nil
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		// It is made when it is needed: what matters is whether it can be.
		parent := filepath.Dir(dir)
		for parent != filepath.Dir(parent) {
			if _, err := os.Stat(parent); err == nil {
				break
			}
			parent = filepath.Dir(parent)
		}
		if err := writable(parent); err != nil {
			return []Finding{{FolderClosed, Failure, dir, err.Error()}}
		}
		return []Finding{{FolderFine, Fine, dir, ""}, {KeyAbsent, Fine, dir, ""}}
	case err != nil:
		return []Finding{{FolderClosed, Failure, dir, err.Error()}}
	case !info.IsDir():
		return []Finding{{FolderClosed, Failure, dir, "it is a file"}}
	}
	if err := writable(dir); err != nil {
		out = append(out, Finding{FolderClosed, Failure, dir, err.Error()})
	} else if checkFolder(dir) != nil {
		out = append(out, Finding{FolderOpen, Failure, dir, fmt.Sprintf("%04o", info.Mode().Perm())})
	} else {
		out = append(out, Finding{FolderFine, Fine, dir, ""})
	}
	path := filepath.Join(dir, identityFile)
	switch id, err := load(path); {
	case errors.Is(err, os.ErrNotExist):
		out = append(out, Finding{KeyAbsent, Fine, path, ""})
	case err != nil:
		out = append(out, Finding{KeyBad, Failure, path, err.Error()})
	default:
		out = append(out, Finding{KeyFine, Fine, path, id.Key().String()})
	}
	return out
}

// writable writes a file into a folder, syncs it and removes it.
func writable(dir string) error {
	f, err := os.CreateTemp(dir, ".try-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString("standoff\n")
	return errors.Join(err, f.Sync(), f.Close())
}
