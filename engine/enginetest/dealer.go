package enginetest

import (
	"fmt"
	"slices"
	"strconv"

	"standoff/engine"
)

// dealer holds the true faces of all slots and serves the engine's needs as the script lays down.
type dealer struct {
	g      *engine.Game
	truth  map[engine.Slot]engine.Face
	bags   map[engine.Slot]*bag // slots of a shuffled pile whose face is settled when they are first looked at
	public map[engine.Slot]bool // everybody may know this slot's face
	known  [engine.MaxSeats]engine.Knowledge
	setup  *setup
	whole  bool // the first shuffle of the playing cards is the script's deck
	fresh  []engine.Slot
	pool   []engine.Face
	events []engine.Event
	needs  []logged
	inputs []any // engine.Action, engine.Reply, away: for the replay
	flow   []string
	may    []engine.Seat
	served int

	meanwhile func() error // called whenever the engine waits for a reply
}

// logged is a need and the faces it was about.
type logged struct {
	need  engine.Need
	faces []engine.Face
}

// away is an input of the replay: a seat answers by default, or decides again.
type away struct {
	seat engine.Seat
	back bool
}

// comesIn is an input of the replay: a seat that is not asked uses its any-time ability.
type comesIn engine.Seat

// bag is a shuffled pile that nobody has looked into: its cards leave it in a laid-down order.
type bag struct {
	pile  engine.Pile
	faces []engine.Face
}

// maxServed bounds the rounds of one script.
const maxServed = 5000

// serve carries out everything the engine wants until a seat is asked or the game is over.
func (d *dealer) serve() error {
	for {
		if d.served++; d.served > maxServed {
			return fmt.Errorf("the engine wants something without end")
		}
		r := d.g.Ready()
		d.events = append(d.events, r.Events...)
		d.may = r.Ask.May
		h := d.g.State().Hash()
		d.flow = append(d.flow, fmt.Sprintf("state %x, events %v, needs %v, ask %v", h[:6], r.Events, r.Needs, r.Ask))
		answered := false
		for i, n := range r.Needs {
			reply, waits, err := d.one(n)
			if err != nil {
				return err
			}
			if !waits {
				continue
			}
			if i != len(r.Needs)-1 {
				return fmt.Errorf("a need that waits for a reply is not the last one: %v", r.Needs)
			}
			if err := d.meanwhile(); err != nil {
				return fmt.Errorf("while a reply is awaited: %w", err)
			}
			d.inputs = append(d.inputs, reply)
			if err := d.g.Supply(reply); err != nil {
				return fmt.Errorf("supply %v: %w", reply, err)
			}
			answered = true
		}
		if !answered {
			return nil
		}
	}
}

// one serves a need.
func (d *dealer) one(n engine.Need) (r engine.Reply, waits bool, err error) {
	n.Old = slices.Clone(n.Old)
	l := logged{need: n}
	if n.Kind != engine.Shuffle { // nobody has looked into what is shuffled
		for _, s := range n.Old {
			f, err := d.reveal(s, n)
			if err != nil {
				return r, false, err
			}
			l.faces = append(l.faces, f)
		}
	}
	d.needs = append(d.needs, l)
	switch n.Kind {
	case engine.Shuffle:
		return r, false, d.shuffle(n)
	case engine.Remask:
		return r, false, d.remask(n, l.faces)
	case engine.Deal, engine.Give:
		if n.Seat != engine.None {
			for i, s := range n.Old {
				d.known[n.Seat].Learn(s, l.faces[i])
			}
		}
		return r, false, nil
	case engine.Open:
		for _, s := range n.Old {
			d.public[s] = true
		}
		return engine.Reply{Faces: l.faces}, true, nil
	case engine.Coin:
		r.N, err = d.coin(n)
		return r, true, err
	case engine.Find:
		i := slices.Index(l.faces, n.Face)
		if i < 0 {
			return r, false, fmt.Errorf("find: none of the slots has that face")
		}
		d.public[n.Old[i]] = true
		return engine.Reply{Faces: []engine.Face{n.Face}, N: int8(i)}, true, nil
	}
	return r, false, fmt.Errorf("no such need: %v", n)
}

// face is the true face of a slot, settled now if the pile was shuffled since; 0 when there is no such card.
func (d *dealer) face(s engine.Slot) engine.Face {
	if f, ok := d.truth[s]; ok {
		return f
	}
	b := d.bags[s]
	if b == nil || len(b.faces) == 0 {
		return 0
	}
	delete(d.bags, s)
	d.truth[s], b.faces = b.faces[0], b.faces[1:]
	return d.truth[s]
}

// reveal is face for a need: a role dealt out of the shuffled pack is the one which the script says.
func (d *dealer) reveal(s engine.Slot, n engine.Need) (engine.Face, error) {
	if b := d.bags[s]; b != nil && b.pile == engine.RolePile && n.Kind == engine.Deal {
		want := engine.MakeFace(engine.Kind(d.setup.seats[n.Seat].role), 0, engine.NoSuit)
		i := slices.Index(b.faces, want)
		if i < 0 {
			return 0, fmt.Errorf("seat %s cannot be dealt its role", letter(n.Seat))
		}
		b.faces = slices.Delete(b.faces, i, i+1)
		delete(d.bags, s)
		d.truth[s] = want
	}
	f := d.face(s)
	if f == 0 {
		return 0, fmt.Errorf("need %v: no card lies in slot %d", n, s)
	}
	return f, nil
}

// shuffle puts the cards of Old into a bag.
func (d *dealer) shuffle(n engine.Need) error {
	b := &bag{pile: n.Pile}
	for _, s := range n.Old {
		f := d.face(s)
		if f == 0 {
			return fmt.Errorf("shuffle: no card lies in slot %d", s)
		}
		b.faces = append(b.faces, f)
		d.forget(s)
	}
	slices.Sort(b.faces)
	var first []engine.Face
	switch {
	case n.Pile == engine.CharacterPile:
		d.pool = slices.Clone(b.faces)
		first = d.characters()
	case n.Pile == engine.PlayingPile && d.whole:
		first, d.whole = d.setup.deck, false
	case n.Pile == engine.PlayingPile && len(d.setup.shuffles) > 0:
		first, d.setup.shuffles = d.setup.shuffles[0], d.setup.shuffles[1:]
	}
	mixed := slices.Clone(first)
	for _, f := range first {
		i := slices.Index(b.faces, f)
		if i < 0 {
			return fmt.Errorf("the shuffled pile does not have all the cards that the script wants on top: face %04x is missing", uint16(f))
		}
		b.faces = slices.Delete(b.faces, i, i+1)
	}
	for x := uint32(len(b.faces)); len(b.faces) > 0; { // the rest in an order that nobody should rely on
		x = x*1664525 + 1013904223
		i := int(x>>16) % len(b.faces)
		mixed = append(mixed, b.faces[i])
		b.faces = slices.Delete(b.faces, i, i+1)
	}
	b.faces = mixed
	for i := range mixed {
		d.bags[n.New+engine.Slot(i)] = b
	}
	return nil
}

// characters are the ones that the script wants dealt, clockwise from the Sheriff: to all who keep none.
func (d *dealer) characters() []engine.Face {
	if d.setup.choices != nil {
		return d.setup.choices
	}
	var out []engine.Face
	seats := d.setup.seats
	sheriff := slices.IndexFunc(seats, func(l seatLine) bool { return l.role == engine.Sheriff })
	for i := range seats {
		if s := (sheriff + i) % len(seats); d.g.State().Players[s].Character == 0 {
			out = append(out, engine.MakeFace(seats[s].character, 0, engine.NoSuit))
		}
	}
	return out
}

// forget ends a slot.
func (d *dealer) forget(s engine.Slot) {
	delete(d.truth, s)
	delete(d.bags, s)
	delete(d.public, s)
	for i := range d.known {
		d.known[i].Forget(s)
	}
}

// remask gives the cards of Old fresh slots; only their owner can follow.
func (d *dealer) remask(n engine.Need, f []engine.Face) error {
	order := slices.Clone(f)
	if len(d.setup.remasks) > 0 {
		order, d.setup.remasks = d.setup.remasks[0], d.setup.remasks[1:]
		a, b := slices.Clone(f), slices.Clone(order)
		slices.Sort(a)
		slices.Sort(b)
		if !slices.Equal(a, b) {
			return fmt.Errorf("the script's remask has other cards than the hand")
		}
	}
	d.fresh = nil
	for i, s := range n.Old {
		d.forget(s)
		fresh := n.New + engine.Slot(i)
		d.fresh = append(d.fresh, fresh)
		d.truth[fresh] = order[i]
		d.known[n.Seat].Learn(fresh, order[i])
	}
	return nil
}

// coin is the next laid-down number: itself, a seat, or the place of a card among the slots just remasked.
func (d *dealer) coin(n engine.Need) (int8, error) {
	if len(d.setup.coins) == 0 {
		return 0, fmt.Errorf("a coin below %d is wanted, but the script has no coin left", n.N)
	}
	c := d.setup.coins[0]
	d.setup.coins = d.setup.coins[1:]
	if s, ok := seatOf(c); ok {
		return int8(s), nil
	}
	if i, err := strconv.Atoi(c); err == nil {
		return int8(i), nil
	}
	f, err := d.g.Rules().ParseFace(c)
	if err != nil {
		return 0, fmt.Errorf("coin: %w", err)
	}
	for i, s := range d.fresh {
		if d.truth[s] == f {
			return int8(i), nil
		}
	}
	return 0, fmt.Errorf("the coin should hit %s, which is not among the cards just remasked", c)
}

// opened takes over what an accepted action has shown to all.
func (d *dealer) opened(a engine.Action) {
	for _, c := range [2]engine.Card{a.Card, a.With} {
		if c.Slot != 0 {
			d.public[c.Slot] = true
		}
	}
}

// seen is the face of c as viewer knows it, 0 when it does not.
func (d *dealer) seen(viewer engine.Seat, c engine.Card) engine.Face {
	if c.Face != 0 {
		return c.Face
	}
	if viewer == engine.None {
		return 0
	}
	return d.known[viewer].Face(c.Slot)
}
