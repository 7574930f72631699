// Package lobby brings the players of a table together: which tables there are on the network, who sits down at one,
// that all agree on its rules, and the roster with which the game begins. It decides nothing once that is signed.
//
//	opener ── Notice, on each heartbeat and by multicast ──> everybody in the lobby
//	          name, seats, rules, options, why one cannot sit down
//
//	guest  ── wish: card, and when ready the signed Join ──> opener
//	opener ── state: signed Offer, cards, Joins, away, phase ──> every guest
//	          all ready: the countdown; over: the signed Roster ──> package peer
//	opener ── refusal: full, running, other version, nick taken, kicked, … ──> guest
//	anybody ── a line of chat ──> everybody, or those named
//
// # A table before its start
//
// [Opener] and [Guest] are pure: no goroutine, clock or socket; each is called with the time and hands out letters,
// news and the mark for its heartbeats. A guest says everything it wants in one wish, and says it again until the
// opener's state shows it; the opener sends its whole state again to whoever's heartbeat shows an older one. So
// nothing hangs on a single packet.
//
// The opener keeps the list, and that is all it can do. Cards, joins, offer and roster are signed by whom they
// concern and checked by everybody, so it cannot seat anybody who has not come, change an option unseen, or begin a
// game with somebody who is not ready. Being ready is the signature under the hash of the offer: another offer makes
// everybody unready. It can refuse, kick, stall and leave; then anybody else can open a table.
//
// Whom the opener kicks ([Opener.Kick]) is told so by a refusal and by the departure in the state, the bots on that
// player's machine with it. The key does not get a seat until [Opener.Let]; who takes another key comes as somebody
// whom nobody knows.
//
//	Gathering ──all seats taken, all ready, all heard──> Counting ──3 s──> Begun
//	    ▲  └──────<── somebody not ready, away, gone ───────┘                │
//	    └──────────<── Opener.Offer: other options, or another game ─────────┘
//
// A seat whose peer is silent for ten seconds is free again. A bot's card carries the signature of the player on
// whose machine it runs, which can read that bot's cards.
//
// # For front ends
//
//	host, _ := node.New(ctx, node.Config{Identity: id, Roam: &node.Roam{Port: port}, Discover: true})
//	l, _ := lobby.Enter(host)
//	l.List(ctx, 2500*time.Millisecond)                    // []Listing: tables, and why not
//
//	t, _ := lobby.Open(l, lobby.OpenConfig{Player: me, Offer: offer})           // host
//
//	li, _ := l.Find(ctx, "saloon")                                              // join NAME
//	t, _ := lobby.Sit(ctx, host, li.Host, me, known)
//
//	target, _ := lobby.ParseTarget(text)                                        // join ADDRESS, join CODE
//	host.Meet(*target.Address); lobby.Sit(ctx, host, target.Address.Key(), me, known)
//
//	for n := range t.News() { … }    // NewsSat, NewsOffer, …, NewsBegun: peer.Run with t.View().Roster
//	t.Ready(true); t.Ready(false); t.Tell("hello"); t.Offer(other, changed); t.Kick(key); t.Leave()
//
// A Table stays through the game, as the room in which the players talk; with NewsBegun the host admits its players
// only. Who looks on from then on ([Listing.Watchable], peer.Watch) is not in this room: nobody here hears him, nor he
// what is said. After a game whoever opened the table calls [Table.Offer], with the former game's id, and the others
// [Table.Again]. Who comes back to a game whose program had ended comes into that room by [Return]: a [Talker] says and
// hears, and has no part in what else the table settles. A bot needs a host and an identity of its own; its [Player] has Bot, Owner, Vouch and Auto.
//
// A private table is in a private network of its own: [Code.Network] goes into [node.Config], so that whoever has
// not got the code does not get as far as a handshake. Its name is seen in the list all the same.
package lobby
