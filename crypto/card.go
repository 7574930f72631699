package crypto

import (
	"crypto/sha512"
	"encoding/binary"
	"sync"
)

// CardPoint is M_{d,k}, the public point of the physical card k of deck d.
// Two cards with one face are two ids. The deck is part of the hash, so a card
// of one deck is no card of another.
func CardPoint(deck byte, id uint16) Point {
	key := uint32(deck)<<16 | uint32(id)
	if p, ok := cardPoints.Load(key); ok {
		return p.(Point)
	}
	p := hashToGroup("card", []byte{deck}, binary.BigEndian.AppendUint16(nil, id))
	if id < cachedCards {
		p.Encoding()
		cardPoints.Store(key, p)
	}
	return p
}

// cachedCards bounds the cache: 256 decks of so many cards, far above any game.
const cachedCards = 1 << 9

var cardPoints sync.Map // uint32(deck)<<16|id → Point; a pure function's memory, at most 2^17 points

// FindCard is the id among ids whose point in deck is m, once all masks are
// off. A point that is none of them is not a card of the pile.
func FindCard(deck byte, ids []uint16, m Point) (id uint16, ok bool) {
	for _, id := range ids {
		if CardPoint(deck, id).Equal(m) {
			return id, true
		}
	}
	return 0, false
}

// Coin is a number in 0…sides-1 made from the sum of all seats' layers on the
// coin's point: SHA-512 of the sum, modulo sides. No seat can foresee or steer it.
// It panics when sides is 0.
func Coin(sum Point, sides uint32) uint32 {
	h := sha512.New()
	writeItem(h, "suite", []byte(suite))
	writeItem(h, "coin", sum.Bytes())
	var rest uint64
	for _, b := range h.Sum(nil) { // 512 bits: the bias is below 2^-480
		rest = (rest<<8 | uint64(b)) % uint64(sides)
	}
	return uint32(rest)
}
