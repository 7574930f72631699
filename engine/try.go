package engine

// Try is what an own action would bring: the game after it, as far as it goes without a hidden card or a joint
// number, and what happens on the way. The game itself does not change; ok is false for an action that is not legal.
func (v View) Try(a Action) (after View, events []Event, ok bool) {
	g := v.game.Clone()
	if g.Step(a) != nil {
		return View{}, nil, false
	}
	return g.View(v.Seat, v.Known), g.Ready().Events, true
}
