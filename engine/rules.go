package engine

import (
	"fmt"
	"slices"
	"strings"
)

// More adds copies of a kind of another box to the deck.
type More struct {
	Kind   Kind
	Copies string
}

// Set is a box: rows of data, and what they share.
type Set struct {
	Name    string
	Rows    []Row
	More    []More
	Options []Option
	Presets []Preset
	Roles   [MaxSeats + 1][]Role // the roles of a game by its number of seats; nil where the box has none
}

// Rules are the compiled tables of some boxes. They never change and are safe for any number of goroutines.
type Rules struct {
	sets    []string
	rows    [256]*Row
	list    []Row
	house   []*Row
	copies  [256][]Face
	printed [1 << 10]uint64 // a bit for every face of the deck
	faces   []Face          // the deck's different faces
	tagged  [8]Kind         // the kind whose own tag it is
	slugs   map[string]Kind
	options []Option
	presets []Preset
	roles   [MaxSeats + 1][]Role
	checks  int8 // the greatest Order
	green   bool // some cards are used from play
}

// roleRows are the core's own rows.
var roleRows = []Row{
	{Kind: Kind(Sheriff), Name: "Sheriff", Colour: RoleCard, Text: "Eliminate every Outlaw and every Renegade. Known to all, one life more, begins.", Rules: "B-001 B-021 B-170"},
	{Kind: Kind(Deputy), Name: "Deputy", Colour: RoleCard, Text: "Keep the Sheriff alive and help to eliminate Outlaws and Renegades.", Rules: "B-170"},
	{Kind: Kind(Outlaw), Name: "Outlaw", Colour: RoleCard, Text: "Eliminate the Sheriff. Who eliminates an Outlaw draws three cards.", Rules: "B-160 B-172"},
	{Kind: Kind(Renegade), Name: "Renegade", Colour: RoleCard, Text: "Be the last one alive, the Sheriff eliminated last of all.", Rules: "B-171"},
}

// roleFace is the face of a role card.
func roleFace(r Role) Face { return MakeFace(Kind(r), 0, NoSuit) }

// Compile puts boxes together. It refuses two rows of one kind or slug, kinds in the core's range, unreadable
// copies and options that clash.
func Compile(sets ...Set) (*Rules, error) {
	r := &Rules{slugs: map[string]Kind{}}
	add := func(box string, row Row) error {
		row.Box = box
		if row.Slug == "" {
			row.Slug = slug(row.Name)
		}
		if row.Kind == 0 || row.Name == "" || row.Slug == "" {
			return fmt.Errorf("box %s: a row needs a kind and a name: %+v", box, row.Name)
		}
		if r.has(row.Kind) {
			return fmt.Errorf("box %s: %s has kind %d, which is taken", box, row.Name, row.Kind)
		}
		if _, twice := r.slugs[row.Slug]; twice {
			return fmt.Errorf("box %s: the name %s is taken", box, row.Slug)
		}
		row.index()
		r.slugs[row.Slug] = row.Kind
		r.list = append(r.list, row)
		return nil
	}
	for _, row := range roleRows {
		if err := add("base", row); err != nil {
			return nil, err
		}
	}
	for _, set := range sets {
		r.sets = append(r.sets, set.Name)
		for _, row := range set.Rows {
			if row.Kind < 16 {
				return nil, fmt.Errorf("box %s: %s has kind %d; kinds below 16 belong to the core", set.Name, row.Name, row.Kind)
			}
			if err := add(set.Name, row); err != nil {
				return nil, err
			}
		}
		for _, o := range set.Options {
			if o.ID >= MaxOptions || o.Name == "" || len(o.Values) < 2 {
				return nil, fmt.Errorf("box %s: option %q needs a name, an id below %d and two values", set.Name, o.Name, MaxOptions)
			}
			if slices.ContainsFunc(r.options, func(p Option) bool { return p.ID == o.ID || p.Name == o.Name }) {
				return nil, fmt.Errorf("box %s: option %s or its id %d is taken", set.Name, o.Name, o.ID)
			}
			r.options = append(r.options, o)
		}
		for n, roles := range set.Roles {
			if roles != nil {
				r.roles[n] = roles
			}
		}
	}
	for i := range r.list { // only now do rows stay where they are
		row := &r.list[i]
		r.rows[row.Kind] = row
		if row.Colour == HouseRule {
			r.house = append(r.house, row)
		}
		for t := range r.tagged {
			if row.playing() && row.Tag == 1<<t && r.tagged[t] == 0 {
				r.tagged[t] = row.Kind
			}
		}
		r.checks = max(r.checks, row.Order)
		r.green = r.green || row.Colour == Green
		if err := r.print(row, row.Copies); err != nil {
			return nil, err
		}
	}
	for _, set := range sets {
		for _, m := range set.More {
			row := r.rows[m.Kind]
			if row == nil {
				continue // the other box is not in this game
			}
			if err := r.print(row, m.Copies); err != nil {
				return nil, err
			}
		}
		for _, p := range set.Presets {
			if err := r.preset(p); err != nil {
				return nil, fmt.Errorf("box %s: %w", set.Name, err)
			}
		}
	}
	return r, nil
}

func (r *Rules) has(k Kind) bool {
	return slices.ContainsFunc(r.list, func(o Row) bool { return o.Kind == k })
}

// print adds physical cards of a row.
func (r *Rules) print(row *Row, copies string) error {
	for _, c := range strings.Fields(copies) {
		rank, suit, ok := parsePrinted(c)
		if !ok {
			return fmt.Errorf("box %s: %s: %q is no rank and suit", row.Box, row.Name, c)
		}
		f := MakeFace(row.Kind, rank, suit)
		r.copies[row.Kind] = append(r.copies[row.Kind], f)
		if !r.inDeck(f) {
			r.printed[f>>6] |= 1 << (f & 63)
			r.faces = append(r.faces, f)
		}
	}
	return nil
}

// inDeck says whether f is the face of a playing card of these boxes.
func (r *Rules) inDeck(f Face) bool { return r.printed[f>>6]>>(f&63)&1 != 0 }

// preset merges p into the presets of the same name, after checking its values.
func (r *Rules) preset(p Preset) error {
	var o Options
	for _, v := range p.Values {
		if err := r.ParseOption(&o, v[0], v[1]); err != nil {
			return fmt.Errorf("preset %s: %w", p.Name, err)
		}
	}
	for i := range r.presets {
		if r.presets[i].Name == p.Name {
			r.presets[i].Values = append(slices.Clone(r.presets[i].Values), p.Values...)
			return nil
		}
	}
	r.presets = append(r.presets, p)
	return nil
}

// slug makes "lucky-duke" of "Lucky Duke" and "rev-carabine" of "Rev. Carabine".
func slug(name string) string {
	var b strings.Builder
	for _, c := range strings.ToLower(name) {
		switch {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			b.WriteRune(c)
		case c == 'é':
			b.WriteByte('e')
		case (c == ' ' || c == '-') && b.Len() > 0:
			b.WriteByte('-')
		}
	}
	return b.String()
}

// Row is the row of k, nil when no box has it.
func (r *Rules) Row(k Kind) *Row { return r.rows[k] }

// Rows lists all rows, roles first, then box by box in the order of their tables. Read only.
func (r *Rules) Rows() []Row { return r.list }

// Sets lists the names of the boxes.
func (r *Rules) Sets() []string { return slices.Clone(r.sets) }

// KindBySlug finds a row by its slug, "bart-cassidy".
func (r *Rules) KindBySlug(s string) (Kind, bool) {
	k, ok := r.slugs[s]
	return k, ok
}

// Faces lists the physical cards of k in the deck, in the order of the table.
func (r *Rules) Faces(k Kind) []Face { return slices.Clone(r.copies[k]) }

// Name is what the table calls k under its options (B-011).
func (r *Rules) Name(o Options, k Kind) string {
	row := r.rows[k]
	if row == nil {
		return "?"
	}
	if row.Other != "" && o[OptNames] != 0 {
		return row.Other
	}
	return row.Name
}

// Roles lists the roles of a game with so many seats, nil when these boxes cannot play it.
func (r *Rules) Roles(seats int) []Role {
	if seats < 0 || seats > MaxSeats {
		return nil
	}
	return slices.Clone(r.roles[seats])
}

// deck lists the physical playing cards of a game.
func (r *Rules) deck(o Options) []Face {
	var out []Face
	for i := range r.list {
		row := &r.list[i]
		if row.playing() && !(row.Book && o[OptSimplified] != 0) {
			out = append(out, r.copies[row.Kind]...)
		}
	}
	return out
}

// OptionTable lists every table option. Read only.
func (r *Rules) OptionTable() []Option { return r.options }

// Presets lists the named choices of options. Read only.
func (r *Rules) Presets() []Preset { return r.presets }

// ParsePreset sets o to the preset called name, defaults where it says nothing. On error o is unchanged.
func (r *Rules) ParsePreset(o *Options, name string) error {
	var names []string
	for _, p := range r.presets {
		if p.Name == name {
			var n Options
			for _, v := range p.Values {
				if err := r.ParseOption(&n, v[0], v[1]); err != nil {
					return err
				}
			}
			*o = n
			return nil
		}
		names = append(names, p.Name)
	}
	return fmt.Errorf("there is no preset %q: want one of %s", name, strings.Join(names, ", "))
}

// ParseOption sets one option by the names of option and value. On error o is unchanged.
func (r *Rules) ParseOption(o *Options, name, value string) error {
	var names []string
	for _, opt := range r.options {
		if opt.Name != name {
			names = append(names, opt.Name)
			continue
		}
		i := slices.Index(opt.Values, value)
		if i < 0 {
			return fmt.Errorf("option %s cannot be %q: want one of %s", name, value, strings.Join(opt.Values, ", "))
		}
		o[opt.ID] = uint8(i)
		return nil
	}
	return fmt.Errorf("there is no option %q: want one of %s", name, strings.Join(names, ", "))
}

// Option is the value of the option called name, "" when there is none of that name.
func (r *Rules) Option(o Options, name string) string {
	for _, opt := range r.options {
		if opt.Name == name && int(o[opt.ID]) < len(opt.Values) {
			return opt.Values[o[opt.ID]]
		}
	}
	return ""
}

// checkOptions refuses values that no table lists.
func (r *Rules) checkOptions(o Options) error {
	var known Options
	for _, opt := range r.options {
		if int(o[opt.ID]) >= len(opt.Values) {
			return fmt.Errorf("option %s has no value number %d", opt.Name, o[opt.ID])
		}
		known[opt.ID] = o[opt.ID]
	}
	if known != o {
		return fmt.Errorf("an option is set that these boxes do not have")
	}
	return nil
}
