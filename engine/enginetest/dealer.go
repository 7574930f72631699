package enginetest

import (
	"fmt"
	"slices"

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
	inputs []any // engine.Action, engine.Reply, presence, comesIn: for the replay
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

// presence is an input of the replay: a seat answers by default, decides again, or will not come back.
type presence struct {
	seat engine.Seat
	word string
}

const (
	leaves     = "leaves"
	returns    = "returns"
	isExpelled = "is expelled"
)

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
	if b := d.bags[s]; b != nil && b.pile == engine.RolePile {
		seat := n.Seat
		for i := range d.setup.seats {
			if d.g.State().Players[i].RoleSlot == s {
				seat = engine.Seat(i)
			}
		}
		want := engine.MakeFace(engine.Kind(d.setup.seats[seat].role), 0, engine.NoSuit)
		i := slices.Index(b.faces, want)
		if i < 0 {
			return 0, fmt.Errorf("seat %s cannot be dealt its role", letter(seat))
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
