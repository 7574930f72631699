package table

// WishKind is what a seat wants of its membership.
type WishKind uint8

// The wishes.
const (
	WishLeave  WishKind = 1 + iota // go, for good or until a return
	WishLost                       // the journal is lost: remove me, I cannot speak any more
	WishReturn                     // let me in again, with fresh keys
)

// wishText is the body of a wish.
type wishText struct {
	_       struct{} `cbor:",toarray"`
	What    WishKind
	Counter uint32 // removals of this seat so far; an old wish replayed does nothing
}

// Leave tells the others that this seat goes. The game cannot go on without it and ends as void; everybody keeps
// the transcript.
func (t *Table) Leave() {
	if t.me == nil || t.end != nil {
		return
	}
	e := sealEnvelope(t.st.suite, t.me.id, text{
		Kind: KindWish, Table: t.st.roster.Table, Round: t.st.round, Seat: uint8(t.me.seat), Body: encode(wishText{What: WishLeave}),
	})
	t.save(RecordOwn, e.Raw)
	t.queue = append(t.queue, e.Raw)
	t.hearWish(e)
}

func (t *Table) hearWish(e Envelope) error {
	var w wishText
	if err := decode(e.Body, &w); err != nil {
		return err
	}
	if w.What != WishLeave || w.Counter != 0 || e.Prev != (Hash{}) {
		return ErrStray
	}
	t.wish = append(t.wish, e)
	t.stop(&End{Result: Void, Left: int(e.Seat), Reason: t.st.roster.Joins[e.Seat].Nick + " left"})
	return nil
}
