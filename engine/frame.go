package engine

// The kinds of frames. A row's Offer gets one of them to decide whether it has something to offer there.
const (
	NoFrame   FrameKind = iota
	AtSetup             // before the first turn; asks who keeps a character
	AtTurn              // phase 2 of Seat
	AtPlay              // a card of Seat with its symbols
	AtEach              // Seat's card hits one after the other; To is the last one hit
	AtUnit              // lies under a resolution unit and lets the waiting abilities act (B-115, B-116)
	AtAttack            // a BANG! effect of From on To
	AtDodge             // Seat answers it: N Missed! effects are needed, M "draw!" left
	AtRaid              // Seat gives up a BANG! card or loses 1 life to From
	AtDuel              // Seat is to give up a BANG! card; From challenged To
	AtStore             // Seat picks from the table
	AtLose              // Seat has lost N life by From; asks while life is below 1
	AtDie               // Seat is eliminated by From
	AtOrder             // Seat lays down everything it has, in its own order
	AtInherit           // Seat and From share the cards of To
	AtFlip              // Seat makes a "draw!" with N cards
	AtPhase1            // Seat draws N cards, M of them done
	AtPutBack           // Seat returns looked-at cards to the deck until N are left
	AtGive              // Seat gives looked-at cards to others, N stay
	AtSteal             // Seat gets (M = 1: discards) a card of From; At, or one at random; N = 1: it names which first
	AtPay               // Seat discards N cards as a cost; M = 1: it may still say no
	AtDiscard           // Seat discards down to N (phase 3)
	AtChoice            // Seat chooses what row As offers
	AtAside             // not a frame: Offer is asked what Seat could come in with between others' actions
	AtRow               // a frame of row As
	AtEnd               // the hidden roles are opened; N is the Outcome
	frameKinds
)

// maxStack bounds the open questions; real games stay below ten.
const maxStack = 64

// resolver works one kind of frame. A push may move the stack: an f is stale after it.
type resolver struct {
	run    func(g *Game, f *Frame)                                     // the frame is on top and nothing is awaited
	offer  func(g *Game, f *Frame, open []Card, out []Action) []Action // what the asked seat may do with those open cards, and without one
	take   func(g *Game, f *Frame, a Action)                           // it did
	opened func(g *Game, f *Frame, faces []Face)                       // faces came
	coin   func(g *Game, f *Frame, n int8)                             // a number came
}

var resolvers [frameKinds]resolver

// The table is filled here because the functions in it lead back to it.
func init() {
	resolvers = [frameKinds]resolver{
		AtSetup:   {run: runSetup, offer: offerSetup, take: takeSetup, opened: openedSetup, coin: coinSetup},
		AtTurn:    {run: runTurn, offer: offerTurn, take: takeTurn},
		AtPlay:    {run: runPlay},
		AtEach:    {run: runEach},
		AtUnit:    {run: runUnit},
		AtAttack:  {run: runAttack},
		AtDodge:   {run: runDodge, offer: offerDodge, take: takeDodge},
		AtRaid:    {run: runRaid, offer: offerBang, take: takeRaid},
		AtDuel:    {run: runDuel, offer: offerBang, take: takeDuel},
		AtStore:   {run: runStore, offer: offerTable, take: takeStore, opened: openedStore},
		AtLose:    {run: runLose, offer: offerLose, take: takeLose},
		AtDie:     {run: runDie, opened: openedDie},
		AtOrder:   {run: runOrder, offer: offerOrder, take: takeOrder, opened: openedOrder},
		AtInherit: {run: runInherit, offer: offerInherit, take: takeInherit},
		AtFlip:    {run: runFlip, offer: offerTable, take: takeFlip, opened: openedFlip},
		AtPhase1:  {run: runPhase1, offer: offerPhase1, take: takePhase1, opened: openedPhase1},
		AtPutBack: {run: runPutBack, offer: offerTable, take: takePutBack},
		AtGive:    {run: runGive, offer: offerTable, take: takeGive},
		AtSteal:   {run: runSteal, offer: offerSteal, take: takeSteal, opened: openedSteal, coin: coinSteal},
		AtPay:     {run: runPay, offer: offerPay, take: takePay},
		AtDiscard: {run: runDiscard, offer: offerDiscard, take: takeDiscard},
		AtChoice:  {run: runChoice, offer: offerChoice, take: takeChoice},
		AtRow:     {run: runRow, opened: openedRow},
		AtEnd:     {run: runEnd, opened: openedEnd},
	}
}

func (g *Game) top() *Frame { return &g.Stack[len(g.Stack)-1] }

func (g *Game) push(f Frame) {
	if len(g.Stack) >= maxStack {
		panic("engine: internal error: too many open questions")
	}
	g.Stack = append(g.Stack, f)
}

func (g *Game) pop() { g.Stack = g.Stack[:len(g.Stack)-1] }

// Pop ends the frame on top; for a row's Run.
func (g *Game) Pop() { g.pop() }

// Top is the frame on top, stale after the next push.
func (g *Game) Top() *Frame { return g.top() }

// Own pushes a frame of row as for seat s; its Run is called when it comes to the top.
func (g *Game) Own(as Kind, s Seat, at Slot) {
	g.push(Frame{Kind: AtRow, Seat: s, From: None, To: None, As: as, At: at})
}

// Unit pushes the bottom of a resolution unit; what is pushed after it belongs to the unit.
func (g *Game) Unit() { g.push(Frame{Kind: AtUnit, Seat: None, From: None, To: None}) }

// Later queues an ability for the end of the unit (B-116); by is whom it concerns, or None.
func (g *Game) Later(as Kind, s, by Seat, n int8) {
	g.Queue = append(g.Queue, Trigger{Kind: as, Seat: s, By: by, N: n})
}

// runUnit lets the oldest waiting ability act whose owner is in the game, one at a time; what arises meanwhile goes
// to the end of the queue.
func runUnit(g *Game, f *Frame) {
	if len(g.Queue) == 0 {
		g.pop()
		return
	}
	t := g.Queue[0]
	g.Queue = append(g.Queue[:0], g.Queue[1:]...)
	switch row := g.rules.rows[t.Kind]; {
	case !g.In(t.Seat) || row == nil:
	case row.Trigger != nil:
		row.Trigger(g, t.Seat, t)
	case row.dodges():
		g.extras(t.Seat, row)
	}
}

func runRow(g *Game, f *Frame) { g.rules.rows[f.As].Run(g, f) }

func openedRow(g *Game, f *Frame, faces []Face) { g.rules.rows[f.As].Opened(g, f, faces) }

// ask waits for a decision of s.
func (g *Game) ask(s Seat) { g.Asked = s }

// reveal wants the faces of cards of a pile shown to all.
func (g *Game) reveal(p Pile, owner Seat, old []Slot) {
	g.Wanted = append(g.Wanted[:0], old...)
	g.WantedPile, g.Opening = p, int8(len(old))
	g.need(Need{Kind: Open, Pile: p, Seat: None, Owner: owner, Old: old})
}

// toss wants a joint random number below n.
func (g *Game) toss(n int) {
	g.state.Coin = int8(n)
	g.need(Need{Kind: Coin, Seat: None, Owner: None, N: int8(n)})
}
