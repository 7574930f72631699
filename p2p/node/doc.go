// Package node is the only place with sockets and goroutines. It keeps a player
// connected with the other players of the local network and carries opaque
// packets of up to 63 KiB for a table; what is in them it neither knows nor
// decides.
//
//	                    one process, one player
//	┌──────────────────────────────────────────────────────────────┐
//	│ owner of the table: one goroutine                            │
//	│   select { event from Room; act of the person; clock }       │
//	│      │ Broadcast  Send        ▲ Packet  Up Down Beat         │
//	│      │ SetBeat    Ask         │ Request Answer Lost Refused  │
//	│      ▼ Reply                  │                              │
//	│ Room, one per table ─────── mailbox ◄── Machine.Check        │
//	│      │                        ▲         judges every packet  │
//	│ Host │ identity, book of addresses, gater, limits            │
//	└──────┼────────────────────────┼──────────────────────────────┘
//	       ▼                        │
//	  gossip topic standoff/table/<id>   packets, to everybody
//	  stream /standoff/link/1            hello; then beats, addresses, packets to one
//	  stream /standoff/catchup/1         what was missed, question and answer
//	  stream /standoff/watch/1           which table is played here
//	  stream /standoff/seats/1           at which tables the key of the asker sits
//	       │                        ▲
//	       ▼  libp2p: TCP, Noise, Yamux; loopback, private and link-local only
//	  the same in the other processes, each connected with each
//
// # Who owns what
//
// The owner reads Room.Events and is the only one who touches the table. Nothing
// here waits for it: what it has not taken lies in the mailbox, within bounds per
// peer. Check alone is called from elsewhere. All methods may be called from any
// goroutine, and none waits for a peer, except Room.Wait and the two Closes.
//
// # Coming together
//
// The Host dials whom it knows an address of until the connection stands, and
// again when it falls (book.go). On each connection the rooms open a link
// (link.go): a hello names the version and the table and brings the sealed
// address records of everybody known, so that a table of which each knew only one
// peer becomes all-to-all at once. A peer is Up when both links stand and each
// sees the other in the topic: from then on neither misses a broadcast of the
// other. Room.Ready is all members up.
//
// A record is signed by the peer whose addresses it tells. Who passes it on
// cannot change it; who sees a newer one forgets the older.
//
// # Staying together
//
// Each link carries a beat every second, with a few bytes of the owner's choice:
// where its table stands. Two missed beats close the connection, because TCP
// itself takes half a minute to notice a pulled cable. So does a link that gossip
// finds no way beside for five seconds, and a hello without an answer for as long
// where no other link stands. Nothing is kept for a peer
// that is away. When it is back the first beat shows that it lags, and its owner
// Asks: catch-up, not gossip, is what repairs an outage. Every drop on the way is
// counted (Counters), and drops on the way in are told to the owner (Lost).
//
// # Broadcast
//
// Gossipsub runs with flood publishing and a mesh of degree zero (gossip.go): the
// author sends to everybody, everybody announces to everybody twice a second what
// it holds, and whoever missed a packet asks for it. So a seat heard by one is
// heard by all, and each packet still crosses each link only once. Processor time
// per delivery among seven hosts (BenchmarkDelivery, 300 bytes, two cores):
//
//	mesh of degree 8, gossip signs     318 µs     3.9 duplicates per delivery
//	mesh of degree 8                   151 µs     3.9
//	mesh of degree 2                   114 µs     1.3
//	degree 0, gossip signs             208 µs     0
//	degree 0                            74 µs     0      as it is
//	a Send to each peer                 40 µs     0      and no repair
//
// The price is latency for two peers that cannot reach each other: they hear each
// other through a third within half a second instead of at once.
//
// # What a peer can do to us
//
// Whoever is not admitted does not get past the handshake. Whoever is can say
// what it likes: lengths are checked before anything is allocated, every wait has
// an end, each peer has its own share of the mailbox and of libp2p's resources,
// records are read slowly, and decoding is fuzzed. A peer that floods loses its
// own packets. It can make this host dial at most eight addresses, of its own
// choosing but on the local network, under its own key only.
//
// # Spectators
//
// A room with places for spectators lets in a few peers that are not admitted
// (spectator.go). They may ask which table is played here (Visit) and put
// catch-up questions (Fetch), each at a pace of its own and apart from those of
// the players; links, topics and dials are not for them. What the owner answers
// to whom is its affair: a Request says from whom it comes.
//
// Keys cost nothing, addresses of a local network do: the places are shared out
// evenly among the addresses that spectators come from (gallery.go). Where all
// are taken, a newcomer gets one of an address that has at least two more than
// his own has; who has asked nothing there for longest gives way. Those who come
// from one address have the places in the order in which they come, and keep
// them as long as they ask something every half minute.
//
// # Discovery
//
// With Config.Discover the host asks the local network for others by multicast DNS under a service name of its own
// (dnssd.go) and, once it has something to Announce, answers. One goroutine owns the sockets (discovery.go); it looks
// at the interfaces every two seconds and begins anew when they change. Only the interfaces listened on are used, an
// announcement holds the addresses of the interface that it goes out on and no others, and what comes from another
// network than the interface's is ignored. Nothing heard is believed: it is an address to dial, and the key there is
// proved by the handshake.
//
// An interface without an IPv4 address speaks by its link-local IPv6 addresses, to the group ff02::fb. Such an address
// has a zone, the name of the interface, which every machine calls as it likes: it is never told, and put in where an
// address is dialled (zone.go).
//
// Whatever finds peers, multicast, an invitation or a file kept from last time, comes in by one door, Host.Meet. A
// room without Members, which links with everybody admitted, serves a table whose roster is not settled yet.
// Host.Admit closes the door when the game begins. A host with Config.Network is in a private network: who has not
// got that secret gets no handshake, and sees the announcement marked as private.
//
// In a test program discovery is refused unless OwnNamespace says that it runs in a network namespace made for it.
//
// Examine finds out what keeps players apart: interfaces, multicast, ports, firewalls, clock, data folder.
package node
