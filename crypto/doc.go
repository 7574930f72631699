// Package crypto is mental poker without a dealer: cards are shuffled, dealt,
// opened and passed on by their players alone, and every step carries a proof
// that anybody can check, at once or from a file years later. It knows no
// network and no game. SECURITY.md says what that protects from, and what not.
//
// # The idea
//
// A card is a public point M of the group ristretto255, hashed from its deck and
// number (CardPoint). A hidden card is an ElGamal pair under the masks of some
// seats, its mask set A:
//
//	C1 = r·G    C2 = M + (Σ_{j∈A} x_j)·C1
//
// Seat j takes its mask off by publishing its layer x_j·C1, which everybody
// subtracts from C2. Masks come off and go on in any order; that commutativity
// carries all. With A empty C2 is the card. Under one mask left its owner reads
// it alone. A pile of the table is under the masks of all (key Y = Σ X_j), a hand
// under its owner's (key X_P).
//
// # Who sends what to whom
//
// One seat proves, all others verify; nobody is asked anything back.
//
//	the sayer                                  everybody
//	---------                                  ---------
//	NewSecret, CommitKeys ─── hash ──────────▶ keeps it
//	ProvePossession ───────── X, proof ──────▶ Possession.Verify, Y = SumPoints(X…)
//	Deal ──────────────────── Dealing ───────▶ Dealing.Verify; each recipient Receive,
//	                                           and on ErrShare: Complain ──▶ all: Verify, DealerAtFault
//	Shuffle ───────────────── Out, proof ────▶ ShuffleStatement.Verify: Out is the new pile or hand
//	ProveLayers ───────────── layers, proof ─▶ LayersStatement.Verify, then Strip (deal, open, coin) or Add
//	ProveRefresh ──────────── R, proof ──────▶ RefreshStatement.Verify, then Refresh (with Add: a wrap)
//	Retarget ──────────────── out, proof ────▶ RetargetStatement.Verify: the card is now under Target
//	ProveNotEqual ─────────── proof ─────────▶ NotEqualStatement.Verify
//	Secret.Bytes (at the end)  x ────────────▶ SecretFromBytes(x).Public() = X?  then Open everything
//
// What a game does is made of these: a shuffle is a Shuffle by every seat in
// turn, starting from Trivial encryptions; a deal to P is ProveLayers by all but
// P; a play is ProveLayers by P; a random taking is a Shuffle of the hand under
// X_P, a coin (layers on a HashPoint, then Coin) and a Retarget; a gone seat's
// layers are made by its helpers with their shares, checked against PublicShare
// and joined by CombineLayers. Example and TestPlay show it in code.
//
// # Statements
//
// A statement type holds what is claimed, where in the log it was said (Place)
// and the Proof. The verifier fills in all that the rules fix (place, slots,
// inputs, keys) from its own knowledge and takes from the sayer only what was the
// sayer's to choose (outputs, layers, proof): a valid proof of another statement
// is worth nothing. Every statement implements Check, and VerifyAll checks any
// number of them with one multi-scalar multiplication, naming the first culprit.
//
// Proofs are sigma protocols made non-interactive by Fiat and Shamir over a
// transcript of everything: protocol, suite, commitment key, place, the full
// statement, then each prover message before the challenge that follows it.
//
//	Possession           Schnorr                                     64 bytes
//	Layers, Refresh      Chaum-Pedersen over hashed weights          96 bytes and the points
//	Retarget, NotEqual   linear relations of two secrets            160 bytes
//	Shuffle              Bayer-Groth, EUROCRYPT 2012, m = 1          32·(3N+10) bytes (96 for N = 1)
//	Dealing              Feldman, FOCS 1987; encrypted shares        64 bytes, commitments and shares
//	Complaint            Chaum-Pedersen                              96 bytes
//
// # Rules for the code
//
// Secrets go through constant-time calls only; names that contain VarTime are for
// public data and appear in msm.go, batch.go and lagrange.go alone, which a test
// enforces. Randomness is an io.Reader given by the caller; with a seeded one
// everything is reproducible. Nonces are hedged with the secret and the statement.
// Decoders accept the one canonical encoding and nothing else, lengths are judged
// before any work, and no input makes a verifier panic. Points are immutable and
// may be shared between goroutines; a Secret belongs to one.
//
// # Tests
//
// TestAttacks holds one subtest per attack of SECURITY.md. The environment
// variable STANDOFF_CRYPTO_TRIALS sets how many shuffles are compared between the
// fast verifier, the slow one and cut-and-choose (default 160, some seconds;
// 4000 take some minutes). With -short the other builds (purego, and arm64 when
// qemu-aarch64-static is there) are left out of A-37.
package crypto
