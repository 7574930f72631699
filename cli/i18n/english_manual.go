package i18n

// englishManual are the pages of the manual by the name of the command.
var englishManual = map[string]Page{
	"standoff": {
		Short: "the western card game BANG! between peers, dealt by nobody, verified by everybody",
		Long: "Standoff plays the western card game BANG! on one local network, with no server and no dealer: all peers\n" +
			"shuffle together, every move is checked by everybody, and the transcript of a game can be verified by anyone.",
		Example: "  standoff play                     play against bots on this machine\n" +
			"  standoff host                     open a table on this network; the others run: standoff join NAME\n" +
			"  standoff demo                     watch a whole game of bots, one process each\n" +
			"  standoff verify game.standoff     check every signature, proof and rule of a game\n" +
			"  standoff rules barrel             what a card does, and how doubts are settled",
		Flags: map[string]string{
			"data":    "folder for identity, journals and transcripts, instead of the system's place",
			"lang":    "the language: en",
			"nick":    "the name by which others see you",
			"no-mdns": "do not look for others by multicast; join by address or invite code",
		},
	},
	"bot": {
		Short: "one bot at a table, told where to sit on standard input",
	},
	"cards": {
		Short: "list the cards, characters and roles, or explain one of them",
		Long:  "Lists the basic box and those that --sets and --promos add. One card is explained whatever box it is in.",
		Example: "  standoff cards\n" +
			"  standoff cards cat balou\n" +
			"  standoff cards --sets dodge --json",
		Flags: map[string]string{
			"json": "print a list of JSON objects",
		},
	},
	"completion": {
		Short: "write the completion script of a shell",
		Long:  "Writes a script with which a shell completes commands and flags; the help of each shell says where it goes.",
	},
	"config": {
		Short: "show the settings, and where each comes from",
		Long: "A flag comes before the environment, the environment before the file, the file before the default. The file has lines\n" +
			"NAME = VALUE; a table option to offer when hosting is written option.NAME = VALUE.",
		Example: "  standoff config\n" +
			"  standoff config --nick gita",
	},
	"demo": {
		Short: "watch a whole game: one process per player, real cryptography, loopback only",
		Long: "Starts one process per player on this machine, each a peer with keys of its own and a bot on its seat. They find\n" +
			"each other on 127.0.0.1, shuffle and deal together and play a complete game; every peer checks every proof and\n" +
			"every move. Then the transcripts are compared and one of them is verified from its first byte to its last.\n" +
			"\n" +
			"With --kill 2 two of the processes are killed in mid-game, the second when the table goes on without the first; one\n" +
			"of them is started again and takes its seat, the other never is. With --at-once both are killed together.",
		Example: "  standoff demo\n" +
			"  standoff demo --players 7 --preset third-edition\n" +
			"  standoff demo --players 8 --sets dodge --promos\n" +
			"  standoff demo --players 4 --out game\n" +
			"  standoff demo --players 6 --kill 2 --out game",
		Flags: map[string]string{
			"at-once": "with --kill: all at the same time",
			"kill":    "kill so many of the processes in mid-game, 1 or 2, and start one of them again",
			"out":     "keep every peer's transcript as DIR/seat-K.standoff, instead of those of an earlier run",
		},
	},
	"doctor": {
		Short: "look for what could keep players apart",
		Long: "Examines interfaces, multicast, the port, firewalls, the clock and the data folder, and says for each finding what to\n" +
			"do. It changes nothing, and sends nothing but one question to the multicast group of the local network, which\n" +
			"--no-mdns leaves out. Exit code 1 when no game with others is possible.",
		Example: "  standoff doctor\n" +
			"  standoff doctor --port 4001 --json",
		Flags: map[string]string{
			"json": "print a list of JSON objects",
			"port": "the port to be reached at when hosting, 0 for any",
		},
	},
	"host": {
		Short: "open a table on this network",
		Long: "Opens a table that others on this network find with \"standoff list\" and join by its name. Where they cannot find it,\n" +
			"they join by the address or the invite code that is printed. When everybody is ready the game begins; from then on\n" +
			"whoever has opened the table has no power over it.",
		Example: "  standoff host\n" +
			"  standoff host --name saloon --seats 6 --preset third-edition --option clock=none\n" +
			"  standoff host --seats 5 --bots 2 --private",
		Flags: map[string]string{
			"bots":    "how many of the seats are bots on this machine",
			"name":    "the name of the table",
			"port":    "the port to be reached at, 0 for that of last time or any",
			"private": "only who has the invite code can come",
			"seats":   "how many play, 4 to 7; 3 to 8 with --sets dodge",
		},
	},
	"join": {
		Short: "sit down at a table on this network",
		Long: "Joins a table by its name as \"standoff list\" shows it, or by the address or the invite code that its host's program\n" +
			"prints, which also work where tables do not find each other. You see the rules before you get ready for them.",
		Example: "  standoff join saloon\n" +
			"  standoff join /ip4/192.168.1.7/tcp/4001/p2p/12D3KooW…\n" +
			"  standoff join 04C0-A801-…",
	},
	"list": {
		Short: "show the tables on this network",
		Long: "Looks for tables on this network and answers within three seconds: name, seats, rules, players, and where you cannot\n" +
			"sit down, why, or how to look on.",
		Example: "  standoff list\n" +
			"  standoff list --json",
		Flags: map[string]string{
			"json": "print a list of JSON objects",
		},
	},
	"man": {
		Short:   "write the manual page",
		Long:    "Writes the manual page in the format of man, made of the same table of commands as the help.",
		Example: "  standoff man > standoff.1 && man ./standoff.1",
	},
	"play": {
		Short: "play against bots on this machine",
		Long: "You and bots play on this machine, loopback only: every bot is a peer of its own in a process of its own, with real\n" +
			"cryptography, as on a network. You read lines and type numbers; help tells what else. With --json a program plays:\n" +
			"one object a line comes out for whatever happens, and one object a line goes in for every decision.\n" +
			"Leave whenever you like: the game stands where it is, and standoff resume goes on with it.",
		Example: "  standoff play\n" +
			"  standoff play --bots 6 --preset third-edition\n" +
			"  standoff play --bots 3 --json",
		Flags: map[string]string{
			"bots": "how many bots, 3 to 6; 2 to 7 with --sets dodge",
		},
	},
	"resume": {
		Short: "go on with a game after a crash, or come back to one",
		Long: "Takes your seat again in the latest game that is not over, or in that whose table has the name or id given: after a\n" +
			"crash, a power cut or a change of address, and also when the others have gone on without you. The journal in the data\n" +
			"folder knows what you have said and where the others were; where they are now, they tell each other. Only the key in\n" +
			"the data folder can do this: a name means nothing. Bots that run on this machine come back with you.\n" +
			"\n" +
			"With --lost the key is enough, where the journal is lost or damaged: what is left on this machine, bots and their\n" +
			"journals included, or another player, found on the network or at the address given, says where it sits. Your seat is\n" +
			"taken out and comes back with new keys and its cards. A damaged journal is put aside in the data folder.\n" +
			"\n" +
			"A seat that was taken out comes back five times in a game at most, from the third time on not before thirty rounds\n" +
			"of the table have passed. Until then, and after the last time, you look on.",
		Example: "  standoff resume\n" +
			"  standoff resume saloon\n" +
			"  standoff resume --lost saloon\n" +
			"  standoff resume --no-mdns --peer /ip4/192.168.1.7/tcp/4001/p2p/12D3KooW…",
		Flags: map[string]string{
			"lost": "the journal is lost or damaged, and only the key is there",
			"peer": "the address of one of the others, where they are not found otherwise; may be given again",
		},
	},
	"rules": {
		Short: "read the rules: of a card, by number, by topic; the options of a table; the words of this program",
		Long: "The rules in our own words, each with a number. Where the prints are silent or disagree, a ruling says what this\n" +
			"program does and which option of the table changes it. Without --sets the rules of all boxes are looked up.",
		Example: "  standoff rules               the topics\n" +
			"  standoff rules slab the killer\n" +
			"  standoff rules B-116\n" +
			"  standoff rules distance\n" +
			"  standoff rules bank          a word that the program uses\n" +
			"  standoff rules life --all    every rule that a topic has\n" +
			"  standoff rules options",
		Flags: map[string]string{
			"all": "print all rules of a word, however many",
		},
	},
	"seat": {
		Short: "one seat of the demonstration, told what to do on standard input",
	},
	"show": {
		Short: "print a game from its transcript, one fact a line",
		Long: "Replays a game and prints it: the options that are not at their defaults, then every turn, then the verdict. The\n" +
			"transcript is verified first; where it is false, the game ends there. Exit codes as of verify. After a game whose\n" +
			"keys were shown, roles and hands are printed too.",
		Example: "  standoff show game/seat-0.standoff | less",
		Flags: map[string]string{
			"options": "print all options of the table, each with its meaning",
		},
	},
	"sim": {
		Short: "play many games between bots, without network or cryptography, and count",
		Long: "Plays games between bots on all cores with a trusted dealer and counts how they end. Game number i of a seed is\n" +
			"always the same game. \"wins\" counts each finished game once, for the role that stands for the winning side:\n" +
			"the Sheriff for the law; with three players each role is a side. A game of 20,000 actions counts as endless. Exit code 1 when not all games finished.",
		Example: "  standoff sim --players 7 --games 20000\n" +
			"  standoff sim --players 5 --games 1000 --seed 7 --preset third-edition --json\n" +
			"  standoff sim --players 3 --sets dodge",
		Flags: map[string]string{
			"games": "how many games",
			"json":  "print one JSON object",
			"seed":  "the first game's seed; the next game has the next one",
		},
	},
	"verify": {
		Short: "check a transcript: every signature, every proof, every rule",
		Long: "Replays a game from its transcript as every peer of it did: signatures, the chain of rounds, every proof of a\n" +
			"shuffle or an opened card, every move against the rules. Nothing but the file is needed.\n" +
			"\n" +
			"Exit code 0: valid. 1: unreadable or incomplete. 3: somebody cheated, or the file was altered after the game;\n" +
			"then the seat, the round and the reason are named.\n" +
			"\n" +
			"With --evidence FILE is what a peer writes down when it catches somebody cheating: what that seat signed, and the\n" +
			"game before. Exit code 0: it proves that the seat it names cheated; the round, the kind and the reason follow.\n" +
			"1: unreadable or incomplete. 3: it proves nothing against that seat, or was altered. Of a message without a place\n" +
			"at the table (of a stranger, of another table or round) it says whose key has signed it, and accuses nobody.\n" +
			"\n" +
			"With --export the evidence of every fault that the transcript proves is written into a folder, one file each.",
		Example: "  standoff verify game/seat-0.standoff\n" +
			"  standoff verify --json game.standoff\n" +
			"  standoff verify --evidence 1f2e3d4c-seat-2-round-40.evidence\n" +
			"  standoff verify --export faults game.standoff",
		Flags: map[string]string{
			"evidence": "FILE is the evidence of a fault",
			"export":   "write the evidence of each fault of the transcript into this folder",
			"json":     "print one JSON object",
		},
	},
	"version": {
		Short: "show the version of the program, of its protocol and of its rules",
	},
	"watch": {
		Short: "look on at a table on this network",
		Long: "Looks on at a table by its name as \"standoff list\" shows it, by the address of any of its players, or by the invite\n" +
			"code, which a private table needs. You see what all players see and nothing else; your machine checks every proof and\n" +
			"every move as they do, and has their transcript in the end. Nobody at the table hears you, and Ctrl-C changes nothing\n" +
			"there. With the table option delay you see the table later; with delay=never nobody looks on. Where no game has\n" +
			"begun you wait for one.",
		Example: "  standoff watch saloon\n" +
			"  standoff watch /ip4/192.168.1.7/tcp/4001/p2p/12D3KooW…\n" +
			"  standoff watch 04C0-A801-… --json",
	},
	"help": {Short: "explain a command"},
}

// englishFlags are the flags that several commands have.
var englishFlags = map[string]string{
	"json":    "one JSON object a line, out and in",
	"option":  "NAME=VALUE, one option of the table, see \"standoff rules options\"; may be given again",
	"players": "how many play, 4 to 7; 3 to 8 with --sets dodge",
	"preset":  "a named choice of options, see \"standoff rules presets\"",
	"promos":  "with the promo characters, the same as --sets promo",
	"sets":    "boxes besides the basic one, with commas between them: {boxes}",
}
