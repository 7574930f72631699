package bot

import "standoff/engine"

// sides is what a seat thinks of the others: foe[s] runs from -256, a friend for certain, to 256, an enemy for
// certain. It follows from open roles, the own role and the [History] alone.
type sides struct {
	foe     [engine.MaxSeats]int
	sheriff engine.Seat
	law     int // living Deputies still hidden, the own seat left out
	outlaws int // the same for Outlaws
	others  int // living seats but one's own
	my      engine.Role
}

// odds is 2^(x/4) in 1/16, for x from -16 to 16: how a judgement of x shifts the odds.
var odds = [33]int{
	1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6, 7, 8, 10, 11, 13, 16,
	19, 23, 27, 32, 38, 45, 54, 64, 76, 91, 108, 128, 152, 181, 215, 256,
}

// judge weighs up the table as seat me sees it.
func judge(st *engine.State, me engine.Seat, my engine.Role, h *History) sides {
	s := sides{sheriff: engine.None, my: my}
	n := engine.Seat(st.N)
	hidden := h.traits.roles[st.N]
	hidden[my]--
	for i := range n {
		p := &st.Players[i]
		if p.Role == engine.Sheriff {
			s.sheriff = i
		}
		if p.Role != engine.NoRole && i != me {
			hidden[p.Role]--
		}
		if i != me && p.Status != engine.Out {
			s.others++
		}
	}
	s.law, s.outlaws = max(0, hidden[engine.Deputy]), max(0, hidden[engine.Outlaw])
	renegades := max(0, hidden[engine.Renegade])
	loyal := loyalty(st, me, my, s.sheriff, h)
	for i := range n {
		p := &st.Players[i]
		if i == me || p.Status == engine.Out {
			continue
		}
		if p.Role != engine.NoRole {
			s.foe[i] = s.towards(p.Role)
			continue
		}
		x := max(-16, min(16, loyal[i]))
		deputy, outlaw, renegade := s.law*odds[16+x], s.outlaws*odds[16-x], renegades*16
		sum := deputy + outlaw + renegade
		if sum == 0 {
			continue
		}
		s.foe[i] = (deputy*s.towards(engine.Deputy) + outlaw*s.towards(engine.Outlaw) + renegade*s.towards(engine.Renegade)) / sum
	}
	return s
}

// loyalty guesses from public acts how much each hidden seat stands with the law (above 0) or against it. The
// first look is at what it did to the Sheriff and to seats whose role is known; the second look adds what it did
// to seats of which the first look is sure.
func loyalty(st *engine.State, me engine.Seat, my engine.Role, sheriff engine.Seat, h *History) [engine.MaxSeats]int {
	var side, first, both [engine.MaxSeats]int // side: +2 law, -2 against it, for known roles
	n := engine.Seat(st.N)
	for i := range n {
		r := st.Players[i].Role
		if i == me {
			r = my
		}
		switch r {
		case engine.Sheriff:
			side[i] = 3
		case engine.Deputy:
			side[i] = 1
		case engine.Outlaw:
			side[i] = -1
		}
	}
	for i := range n {
		for j := range n {
			first[i] -= int(h.harm[i][j]) * side[j]
		}
		if sheriff != engine.None {
			first[i] -= int(h.harm[sheriff][i]) / 2 // the Sheriff has his reasons
		}
	}
	for i := range n {
		both[i] = first[i]
		for j := range n {
			if side[j] == 0 && first[j]*first[j] >= 64 {
				if first[j] > 0 {
					both[i] -= int(h.harm[i][j]) / 2
				} else {
					both[i] += int(h.harm[i][j]) / 2
				}
			}
		}
	}
	return both
}

// towards is how a seat of the own role feels about a role.
func (s *sides) towards(r engine.Role) int {
	if s.sheriff == engine.None {
		return threeHanded[s.my][r]
	}
	if s.my == engine.Renegade {
		return s.renegade(r)
	}
	if s.my == engine.Sheriff && r == engine.Renegade && s.outlaws == 0 {
		return 256
	}
	return feelings[s.my][r]
}

// feelings of everybody but the Renegade, who is of two minds. The Sheriff keeps a Renegade for a while, since he shoots
// Outlaws too, but loses most by hitting a Deputy (B-161).
var feelings = [5][5]int{
	engine.Sheriff: {engine.Sheriff: -256, engine.Deputy: -256, engine.Outlaw: 256, engine.Renegade: 120},
	engine.Deputy:  {engine.Sheriff: -256, engine.Deputy: -200, engine.Outlaw: 256, engine.Renegade: 180},
	engine.Outlaw:  {engine.Sheriff: 256, engine.Deputy: 150, engine.Outlaw: -220, engine.Renegade: 60},
}

// threeHanded is the hunt in a circle with open roles: Deputy, Renegade, Outlaw, Deputy (D-050 ff.).
var threeHanded = [5][5]int{
	engine.Deputy:   {engine.Outlaw: 80, engine.Renegade: 256},
	engine.Outlaw:   {engine.Renegade: 80, engine.Deputy: 256},
	engine.Renegade: {engine.Deputy: 80, engine.Outlaw: 256},
}

// renegade: he must outlive everybody and kill the Sheriff last (B-171), so he helps the weaker side until the two
// are alone.
func (s *sides) renegade(r engine.Role) int {
	switch {
	case s.others == 1:
		return 256
	case r == engine.Sheriff:
		return -160
	case r == engine.Renegade:
		return 160
	case s.outlaws > s.law:
		if r == engine.Outlaw {
			return 200
		}
		return 20
	case r == engine.Deputy:
		return 200
	}
	return 60
}
