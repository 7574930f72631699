package node

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"golang.org/x/net/dns/dnsmessage"
)

// The words of discovery: DNS service discovery (RFC 6763) over multicast DNS (RFC 6762), of which this is the part
// that is needed. An instance is named by its key, which nobody else has, so no name is ever in conflict and probing
// for one is left out.
const (
	service       = "_standoff._udp.local."
	recordTTL     = 120     // seconds
	flushClass    = 1 << 15 // cache-flush bit of a record's class; "answer to me alone" of a question's
	maxDNS        = 1400    // bytes of a packet, sent or taken in
	maxNotes      = 6       // strings of a note
	maxNote       = 120     // bytes of each
	maxHomes      = 4       // addresses of one instance
	maxDNSRecords = 64      // records looked at in a packet
)

// A claim is what one host says of itself by multicast. Nothing of it is proved: the key is when one connects.
type claim struct {
	key     Key
	network string // tag of its private network, "" for none
	port    uint16
	homes   []netip.Addr
	note    []string
	gone    bool
}

func instance(k Key) string { return fmt.Sprintf("%x.%s", k[:16], service) }
func hostname(k Key) string { return fmt.Sprintf("standoff-%x.local.", k[:16]) }

// ask is the question who is there. A first one asks for answers to itself alone besides: those who have just told
// everybody would keep silent for a second (RFC 6762, 5.4 and 6).
func ask(first bool) ([]byte, error) {
	class := dnsmessage.ClassINET
	if first {
		class |= flushClass
	}
	m := dnsmessage.Message{Questions: []dnsmessage.Question{{
		Name: dnsmessage.MustNewName(service), Type: dnsmessage.TypePTR, Class: class,
	}}}
	return m.Pack()
}

// say is the answer, or the announcement.
func (c claim) say() ([]byte, error) {
	ttl := uint32(recordTTL)
	if c.gone {
		ttl = 0
	}
	who, err := dnsmessage.NewName(instance(c.key))
	if err != nil {
		return nil, err
	}
	host, err := dnsmessage.NewName(hostname(c.key))
	if err != nil {
		return nil, err
	}
	kind := dnsmessage.MustNewName(service)
	head := func(n dnsmessage.Name, t dnsmessage.Type, class dnsmessage.Class) dnsmessage.ResourceHeader {
		return dnsmessage.ResourceHeader{Name: n, Type: t, Class: class, TTL: ttl}
	}
	own := dnsmessage.ClassINET | flushClass
	text := []string{"key=" + c.key.String()}
	if c.network != "" {
		text = append(text, "net="+c.network)
	}
	for _, n := range c.note {
		text = append(text, "note="+n)
	}
	m := dnsmessage.Message{
		Header: dnsmessage.Header{Response: true, Authoritative: true},
		Answers: []dnsmessage.Resource{
			{Header: head(kind, dnsmessage.TypePTR, dnsmessage.ClassINET), Body: &dnsmessage.PTRResource{PTR: who}},
			{Header: head(who, dnsmessage.TypeSRV, own), Body: &dnsmessage.SRVResource{Port: c.port, Target: host}},
			{Header: head(who, dnsmessage.TypeTXT, own), Body: &dnsmessage.TXTResource{TXT: text}},
		},
	}
	for _, a := range c.homes {
		at := dnsmessage.Resource{Header: head(host, dnsmessage.TypeA, own)}
		if a.Is4() {
			at.Body = &dnsmessage.AResource{A: a.As4()}
		} else {
			at.Header.Type, at.Body = dnsmessage.TypeAAAA, &dnsmessage.AAAAResource{AAAA: a.As16()}
		}
		m.Answers = append(m.Answers, at)
	}
	b, err := m.Pack()
	if err == nil && len(b) > maxDNS {
		err = fmt.Errorf("an announcement of %d bytes, limit %d: %w", len(b), maxDNS, ErrTooLarge)
	}
	return b, err
}

// A question is what a packet wants to know.
type question uint8

const (
	asksNothing question = iota // of this service
	asksAll                     // an answer to everybody
	asksFirst                   // and at once to the asker
)

// hear reads a packet: what it asks of this service, and what it claims. Other programs' packets, which are as
// welcome on this group, ask and claim nothing.
func hear(b []byte) (asked question, claims []claim, err error) {
	if len(b) > maxDNS {
		return asksNothing, nil, ErrTooLarge
	}
	var p dnsmessage.Parser
	h, err := p.Start(b)
	if err != nil {
		return asksNothing, nil, err
	}
	questions, err := p.AllQuestions()
	if err != nil {
		return asksNothing, nil, err
	}
	if !h.Response {
		for _, q := range questions {
			if strings.EqualFold(q.Name.String(), service) && (q.Type == dnsmessage.TypePTR || q.Type == dnsmessage.TypeALL) {
				asked = max(asked, asksAll)
				if q.Class&flushClass != 0 {
					asked = asksFirst
				}
			}
		}
		return asked, nil, nil
	}
	all, err := records(&p)
	if err != nil {
		return asksNothing, nil, err
	}
	for _, r := range all {
		txt, ok := r.Body.(*dnsmessage.TXTResource)
		if !ok || !strings.HasSuffix(strings.ToLower(r.Header.Name.String()), "."+service) {
			continue
		}
		if c, ok := claimOf(r, txt.TXT, all); ok && len(claims) < 8 {
			claims = append(claims, c)
		}
	}
	return asksNothing, claims, nil
}

// records reads answers and additional records; the kinds that are not needed are skipped.
func records(p *dnsmessage.Parser) ([]dnsmessage.Resource, error) {
	var all []dnsmessage.Resource
	next := p.AnswerHeader
	skip, section := p.SkipAnswer, 0
	for range 3 * maxDNSRecords {
		h, err := next()
		if errors.Is(err, dnsmessage.ErrSectionDone) {
			switch section++; section {
			case 1:
				next, skip = p.AuthorityHeader, p.SkipAuthority
			case 2:
				next, skip = p.AdditionalHeader, p.SkipAdditional
			default:
				return all, nil
			}
			continue
		}
		if err != nil {
			return nil, err
		}
		var body dnsmessage.ResourceBody
		switch {
		case len(all) >= maxDNSRecords:
			return all, nil
		case h.Type == dnsmessage.TypeTXT:
			r, e := p.TXTResource()
			body, err = &r, e
		case h.Type == dnsmessage.TypeSRV:
			r, e := p.SRVResource()
			body, err = &r, e
		case h.Type == dnsmessage.TypeA:
			r, e := p.AResource()
			body, err = &r, e
		case h.Type == dnsmessage.TypeAAAA:
			r, e := p.AAAAResource()
			body, err = &r, e
		default:
			err = skip()
		}
		if err != nil {
			return nil, err
		}
		if body != nil {
			all = append(all, dnsmessage.Resource{Header: h, Body: body})
		}
	}
	return all, nil
}

// claimOf puts together the records of one instance.
func claimOf(r dnsmessage.Resource, text []string, all []dnsmessage.Resource) (c claim, ok bool) {
	c.gone = r.Header.TTL == 0
	for _, t := range text {
		name, value, _ := strings.Cut(t, "=")
		switch name {
		case "key":
			k, err := ParseKey(value)
			if err != nil {
				return c, false
			}
			c.key, ok = k, true
		case "net":
			c.network = value[:min(len(value), 32)]
		case "note":
			if len(c.note) < maxNotes && len(value) <= maxNote {
				c.note = append(c.note, value)
			}
		}
	}
	target := ""
	for _, s := range all {
		if srv, is := s.Body.(*dnsmessage.SRVResource); is && sameName(s.Header.Name, r.Header.Name) {
			c.port, target = srv.Port, srv.Target.String()
		}
	}
	for _, s := range all {
		var ip netip.Addr
		switch a := s.Body.(type) {
		case *dnsmessage.AResource:
			ip = netip.AddrFrom4(a.A)
		case *dnsmessage.AAAAResource:
			ip = netip.AddrFrom16(a.AAAA)
		default:
			continue
		}
		if strings.EqualFold(s.Header.Name.String(), target) && len(c.homes) < maxHomes && !slices.Contains(c.homes, ip) {
			c.homes = append(c.homes, ip)
		}
	}
	return c, ok && c.port != 0
}

func sameName(a, b dnsmessage.Name) bool { return strings.EqualFold(a.String(), b.String()) }
