package table

import (
	"bytes"
	"crypto/sha256"
	"math/rand/v2"
)

// liar is a seat whose machine sends something else than the honest program wants sent.
type liar struct {
	seat      int
	behaviour behaviour
	after     uint32 // round
	rng       *rand.Rand
	lied      int           // lies that reached somebody who can tell
	told      map[Hash]*lie // by both versions of an envelope
	acted     bool          // sent something else than its machine wanted
	old       [][]byte
	other     map[Hash][]byte // the second version of an envelope
}

// behaviour is one named way to break the protocol. lie gives what seat to gets in place of e; nil: nothing.
type behaviour struct {
	name  string
	proof bool // what it does proves it guilty, once two honest seats have talked
	pair  bool // the proof is both versions together
	idle  bool // no round ever waits for its teller
	firm  bool // its teller seals what it has told, as if it were true
	lie   func(l *liar, w *world, to int, e Envelope) [][]byte
}

// lie is an envelope that a liar has altered.
type lie struct {
	round   uint32
	altered Hash
	reached [2]bool // honest members: the true version, the altered one
	counted bool
}

// reached counts a lie once honest members have got what proves it, in time to look at it: in its round or the next.
func (l *liar) reached(w *world, p parcel) {
	tbl := w.tables[p.to]
	if w.liars[p.to] != nil || !tbl.speaks() {
		return
	}
	all, err := unbundle(p.packet)
	if err != nil {
		return
	}
	for _, raw := range all {
		if len(raw) < sigSize {
			continue
		}
		id := Hash(sha256.Sum256(raw[sigSize:]))
		t := l.told[id]
		if t == nil || tbl.st.round != t.round && tbl.st.round != t.round+1 || !tbl.st.members.Has(l.seat) {
			continue
		}
		version := 0
		if id == t.altered {
			version = 1
		}
		t.reached[version] = true
		if !t.counted && t.reached[1] && (t.reached[0] || !l.behaviour.pair) {
			t.counted = true
			l.lied++
		}
	}
}

func (l *liar) speak(w *world, to int, packet []byte) [][]byte {
	var out [][]byte
	for _, raw := range must(unbundle(packet)) {
		e := must(parseEnvelope(raw))
		if e.Round < l.after && e.Kind != KindWish || int(e.Seat) != l.seat {
			out = append(out, raw)
			continue
		}
		told := l.behaviour.lie(l, w, to, e)
		l.acted = l.acted || len(told) != 1 || !bytes.Equal(told[0], raw)
		out = append(out, told...)
	}
	if len(out) == 0 {
		return nil
	}
	return Bundle(out...)
}

// once makes an altered envelope, the same each time it is asked for.
func (l *liar) once(w *world, e Envelope, change func(st *state, me *party, x *text) bool) ([]byte, bool) {
	if l.other == nil {
		l.other = map[Hash][]byte{}
	}
	if raw, ok := l.other[e.ID]; ok {
		return raw, raw != nil
	}
	tbl := w.tables[l.seat]
	x := e.text
	if e.Round != tbl.st.round || !change(tbl.st, tbl.me, &x) {
		l.other[e.ID] = nil
		return nil, false
	}
	altered := sealEnvelope(tbl.st.suite, tbl.me.id, x)
	raw := altered.Raw
	if l.behaviour.firm {
		if len(tbl.open.vote.own) > 0 {
			l.other[e.ID] = nil
			return nil, false
		}
		tbl.open.says[l.seat], tbl.open.vote.says[l.seat] = nil, nil
		tbl.open.mine[altered.ID] = true
		tbl.hearSay(altered)
	}
	l.other[e.ID] = raw
	if l.told == nil {
		l.told = map[Hash]*lie{}
	}
	t := &lie{round: e.Round, altered: altered.ID}
	l.told[e.ID], l.told[altered.ID] = t, t
	return raw, true
}

// instead sends the altered envelope to all.
func instead(change func(st *state, me *party, x *text) bool) func(*liar, *world, int, Envelope) [][]byte {
	return func(l *liar, w *world, to int, e Envelope) [][]byte {
		if raw, ok := l.once(w, e, change); ok {
			return [][]byte{raw}
		}
		return [][]byte{e.Raw}
	}
}

// halves sends the altered envelope to some seats only, the true one to the others.
func halves(change func(st *state, me *party, x *text) bool) func(*liar, *world, int, Envelope) [][]byte {
	return func(l *liar, w *world, to int, e Envelope) [][]byte {
		raw, ok := l.once(w, e, change)
		if ok && to%2 == 0 {
			return [][]byte{raw}
		}
		return [][]byte{e.Raw}
	}
}

func nobody(kinds ...Kind) func(*liar, *world, int, Envelope) [][]byte {
	return func(l *liar, w *world, to int, e Envelope) [][]byte {
		for _, k := range kinds {
			if e.Kind == k {
				return nil
			}
		}
		return [][]byte{e.Raw}
	}
}

func anew(st *state, me *party, x *text) bool {
	var s say
	if x.Kind != KindSay || decode(x.Body, &s) != nil || s.Kind != RoundMix && s.Kind != RoundOwn && s.Kind != RoundWrap {
		return false
	}
	ex := st.expect()
	if ex.Kind != s.Kind || !ex.From.Has(me.seat) {
		return false
	}
	body, err := roundRules[s.Kind].speak(st, ex, st.at(me.seat, ex), me)
	if err != nil {
		return false
	}
	s.Part = encode(body)
	x.Body = encode(s)
	return true
}

func edits[P any](k RoundKind, change func(st *state, p *P) bool) func(*state, *party, *text) bool {
	return func(st *state, _ *party, x *text) bool {
		return edit(x, k, func(p *P) bool { return change(st, p) })
	}
}

func sealed(change func(s *seal)) func(*state, *party, *text) bool {
	return func(_ *state, _ *party, x *text) bool {
		var s seal
		if x.Kind != KindSeal || decode(x.Body, &s) != nil {
			return false
		}
		change(&s)
		x.Body = encode(s)
		return true
	}
}

var behaviours = []behaviour{
	{name: "falls silent", lie: nobody(KindSay, KindSeal, KindCall, KindWish)},
	{name: "seals and never says", lie: nobody(KindSay)},
	{name: "says and never seals", lie: nobody(KindSeal)},
	{name: "says and seals and never calls", lie: nobody(KindCall)},
	{name: "speaks to half of the seats", lie: func(l *liar, w *world, to int, e Envelope) [][]byte {
		if to%2 == 0 {
			return nil
		}
		return [][]byte{e.Raw}
	}},
	{name: "says two things", proof: true, pair: true, lie: halves(anew)},
	{name: "seals two values", proof: true, pair: true, lie: halves(sealed(func(s *seal) { s.Value[0] ^= 1 }))},
	{name: "seals a value that nobody has", lie: instead(sealed(func(s *seal) { s.Value[0] ^= 1 }))},
	{name: "gives a false layer", proof: true, lie: instead(edits(RoundStrip, func(st *state, p *stripPart) bool {
		if len(p.Layers) == 0 {
			return false
		}
		shift(st, &p.Layers[0])
		return true
	}))},
	{name: "gives a layer too few", proof: true, lie: instead(edits(RoundStrip, func(st *state, p *stripPart) bool {
		if len(p.Layers) == 0 {
			return false
		}
		p.Layers = p.Layers[1:]
		return true
	}))},
	{name: "shuffles a foreign card in", proof: true, lie: instead(edits(RoundMix, func(st *state, p *mixPart) bool { shift(st, &p.Piles[0].Out[0].C2); return true }))},
	{name: "doubles a card in a shuffle", proof: true, lie: instead(edits(RoundMix, func(st *state, p *mixPart) bool {
		o := p.Piles[0].Out
		if len(o) < 2 {
			return false
		}
		o[0] = o[1]
		return true
	}))},
	{name: "remasks falsely", proof: true, lie: instead(edits(RoundOwn, func(st *state, p *ownPart) bool {
		for i := range p.Needs {
			if o := p.Needs[i].Out; len(o) > 0 {
				shift(st, &o[0].C2)
				return true
			}
		}
		return false
	}))},
	{name: "does what is not legal", proof: true, lie: instead(edits(RoundAct, func(st *state, p *actPart) bool {
		if p.Verb == 0 {
			return false
		}
		p.N += 77
		return true
	}))},
	{name: "shows another card", proof: true, lie: instead(edits(RoundAct, func(st *state, p *actPart) bool {
		if len(p.Layers) == 0 {
			return false
		}
		shift(st, &p.Layers[0])
		return true
	}))},
	{name: "wraps falsely", proof: true, lie: instead(edits(RoundWrap, func(st *state, p *wrapPart) bool { shift(st, &p.Refresh[0].C2); return true }))},
	{name: "lifts falsely", proof: true, lie: instead(edits(RoundLift, func(st *state, p *liftPart) bool { shift(st, &p.Seats[0].Layers[0]); return true }))},
	{name: "deals a bad share", proof: true, firm: true, lie: instead(func(st *state, me *party, x *text) bool {
		return st.stage == atPlay && edit(x, RoundShare, func(p *Dealing) bool {
			b := Point(p.Shares[0])
			b[7] ^= 1
			p.Shares[0] = b[:]
			if _, ok := st.suite.(toy); ok {
				p.Proof = stamp(st.at(me.seat, st.expect()), p.Commitments, p.Ephemeral, p.Shares)
			}
			return true
		})
	})},
	{name: "complains falsely", proof: true, lie: instead(func(st *state, me *party, x *text) bool {
		return st.stage == atPlay && edit(x, RoundCheck, func(p *checkPart) bool {
			for _, s := range st.members.List() {
				if s != me.seat {
					p.Complaints = []Complaint{falseComplaint(st, me, s)}
					return true
				}
			}
			return false
		})
	})},
	{name: "shows a false key at the end", proof: true, lie: instead(edits(RoundKeys, func(st *state, p *keysPart) bool { p.X = append([]byte{}, p.X...); p.X[7] ^= 1; return true }))},
	{name: "claims another result", proof: true, lie: instead(edits(RoundResult, func(st *state, p *resultPart) bool { p.Outcome++; return true }))},
	{name: "sends what is no message", proof: true, lie: instead(func(_ *state, _ *party, x *text) bool {
		if x.Kind != KindSay {
			return false
		}
		x.Body = []byte{0x83, 0x06, 0xf6, 0xf6}
		return true
	})},
	{name: "says another kind of round", proof: true, lie: instead(func(_ *state, _ *party, x *text) bool {
		var s say
		if x.Kind != KindSay || decode(x.Body, &s) != nil {
			return false
		}
		s.Kind = RoundResult + RoundKeys - s.Kind%2
		x.Body = encode(s)
		return true
	})},
	{name: "calls on an honest seat to go in every round", lie: func(l *liar, w *world, to int, e Envelope) [][]byte {
		out := [][]byte{e.Raw}
		if e.Kind == KindSay {
			victim := (l.seat + 1) % len(w.tables)
			x := e.text
			x.Kind = KindCall
			x.Body = encode(call{Ballot: 1, Out: []removal{{Seat: uint8(victim), Why: Silence, Evidence: []Hash{}}}, Held: []sayID{},
				Top: topText{Calls: []sayID{}}, Wishes: [][]byte{}})
			out = append(out, sealEnvelope(w.tables[l.seat].st.suite, w.seats.keys[l.seat], x).Raw)
		}
		return out
	}},
	{name: "calls two things", proof: true, lie: func(l *liar, w *world, to int, e Envelope) [][]byte {
		out := [][]byte{e.Raw}
		if e.Kind == KindSay {
			x := e.text
			x.Kind = KindCall
			for k := 1; k <= 2; k++ {
				victim := uint8((l.seat + k) % len(w.tables))
				x.Body = encode(call{Ballot: 1, Out: []removal{{Seat: victim, Why: Silence, Evidence: []Hash{}}}, Held: []sayID{},
					Top: topText{Calls: []sayID{}}, Wishes: [][]byte{}})
				out = append(out, sealEnvelope(w.tables[l.seat].st.suite, w.seats.keys[l.seat], x).Raw)
			}
			l.lied++
		}
		return out
	}},
	{name: "calls as if it had not sealed", proof: true, lie: func(l *liar, w *world, to int, e Envelope) [][]byte {
		out := [][]byte{e.Raw}
		var s seal
		if e.Kind == KindSeal && decode(e.Body, &s) == nil && s.Ballot == 0 {
			x := e.text
			x.Kind = KindCall
			x.Body = encode(call{Ballot: 1, Out: []removal{}, Held: []sayID{}, Top: topText{Calls: []sayID{}}, Wishes: [][]byte{}})
			out = append(out, sealEnvelope(w.tables[l.seat].st.suite, w.seats.keys[l.seat], x).Raw)
			l.lied++
		}
		return out
	}},
	{name: "repeats everything it ever said", idle: true, lie: func(l *liar, w *world, to int, e Envelope) [][]byte {
		if len(l.old) < 200 {
			l.old = append(l.old, e.Raw)
		}
		return [][]byte{e.Raw, l.old[l.rng.IntN(len(l.old))], l.old[l.rng.IntN(len(l.old))]}
	}},
	{name: "sends messages of another table", idle: true, lie: func(l *liar, w *world, to int, e Envelope) [][]byte {
		x := e.text
		x.Table[0] ^= 1
		return [][]byte{e.Raw, sealEnvelope(w.tables[l.seat].st.suite, w.seats.keys[l.seat], x).Raw}
	}},
	{name: "speaks in another's name", idle: true, lie: func(l *liar, w *world, to int, e Envelope) [][]byte {
		x := e.text
		x.Seat = uint8((l.seat + 1) % len(w.tables))
		return [][]byte{e.Raw, sealEnvelope(w.tables[l.seat].st.suite, w.seats.keys[l.seat], x).Raw}
	}},
	{name: "continues another log", idle: true, lie: func(l *liar, w *world, to int, e Envelope) [][]byte {
		x := e.text
		x.Prev[0] ^= 1
		return [][]byte{e.Raw, sealEnvelope(w.tables[l.seat].st.suite, w.seats.keys[l.seat], x).Raw}
	}},
	{name: "sends rubbish", idle: true, lie: func(l *liar, w *world, to int, e Envelope) [][]byte {
		b := append([]byte(nil), e.Raw...)
		b[l.rng.IntN(len(b))] ^= 1 << l.rng.IntN(8)
		return [][]byte{e.Raw, b}
	}},
	{name: "wishes to return without having gone", idle: true, lie: func(l *liar, w *world, to int, e Envelope) [][]byte {
		x := e.text
		x.Kind, x.Prev, x.Body = KindWish, Hash{}, encode(returnText{What: WishReturn, X: pt(7), Z: pt(8), ProofX: []byte{1}, ProofZ: []byte{1}})
		return [][]byte{e.Raw, sealEnvelope(w.tables[l.seat].st.suite, w.seats.keys[l.seat], x).Raw}
	}},
}
