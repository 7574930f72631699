// Package crypto is mental poker without a dealer: cards are shuffled, dealt,
// opened and passed on by their players alone, and every step carries a proof
// that anybody can check, now or from a file later. It knows no network and no game.
package crypto
