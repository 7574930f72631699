package table

import "slices"

// recoverPart has the sayer's shares of the keys that their seats have not shown, by ascending seat.
type recoverPart struct {
	_      struct{} `cbor:",toarray"`
	Shares [][]byte
}

// unshown are the seats whose keys the audit lacks and the members can supply, with those who hold shares of them. The
// game is over and everybody was to show its key, so a share gives nothing away that was not to be seen; the cards of
// the seat can be checked like all others, though it has gone, refused or lied.
func (st *state) unshown() (seats, holders Seats) {
	if st.stage != atResult || st.recovered || st.current == nil || st.shown == 0 {
		return 0, 0
	}
	seats, holders = st.current.Members&^st.shown, st.holders
	for _, g := range seats.List() {
		if c := st.current.Commitments[g]; len(c) == 0 || c[0] != st.card[g] {
			seats = seats.Without(g)
		}
	}
	if seats == 0 || holders.Count() < int(st.current.Threshold) {
		return 0, 0
	}
	return seats, holders
}

func speakRecover(st *state, _ Expect, _ Place, me *party) (any, error) {
	b := recoverPart{}
	seats, _ := st.unshown()
	for _, g := range seats.List() {
		share, err := st.myShare(me, g)
		if err != nil {
			return nil, err
		}
		b.Shares = append(b.Shares, share.Bytes())
	}
	return b, nil
}

func readRecover(st *state, _ Expect, p Place, body []byte) (part, *Misdeed) {
	var b recoverPart
	if err := decode(body, &b); err != nil {
		return part{}, bad(FaultShape, "recover: %v", err)
	}
	seats, _ := st.unshown()
	if len(b.Shares) != seats.Count() {
		return part{}, bad(FaultShape, "%d shares of %d keys", len(b.Shares), seats.Count())
	}
	for i, g := range seats.List() {
		share, err := st.suite.SecretFrom(b.Shares[i])
		if err != nil {
			return part{}, bad(FaultDealing, "the key of seat %d: %v", g, err)
		}
		if share.Public() != st.suite.PublicShare(st.current.Commitments[g], p.Seat) {
			return part{}, bad(FaultDealing, "not the share of the key of seat %d that was dealt", g)
		}
	}
	return part{body: b}, nil
}

// closeRecover puts the keys together from the shares of the lowest seats, as many as it takes. With too few the keys
// stay unknown.
func closeRecover(st *state, ex Expect, parts []*part) error {
	seats, _ := st.unshown()
	var ids []uint8
	for _, s := range ex.From.List() {
		if parts[s] != nil && len(ids) < int(st.current.Threshold) {
			ids = append(ids, uint8(s))
		}
	}
	st.recovered = true
	if len(ids) < int(st.current.Threshold) {
		return nil
	}
	for i, g := range seats.List() {
		var shares [][]byte
		for _, s := range ids {
			shares = append(shares, parts[s].body.(recoverPart).Shares[i])
		}
		x, err := st.suite.Recover(ids, shares)
		if err != nil {
			return err
		}
		st.keys[g] = slices.Clone(x.Bytes())
	}
	return nil
}
