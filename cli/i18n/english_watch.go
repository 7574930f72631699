package i18n

var englishWatch = WatchTexts{
	Table:     "looks on at {name}, table {id}: {n} players, every proof is checked here too; nobody there hears you",
	Waits:     "no game has begun there; it is shown as soon as one does",
	CatchesUp: "catches up with what has happened so far",
	Late:      "the table is shown {n} {n:minute|minutes} late, and the rest as soon as the game is over",

	Met:   "{seat}: key {key}, which you know",
	Unmet: "{seat}: key {key}, which you have not met before",
	Other: "{seat}: key {key}; the {seat} whom you know has {other}",
	Bot:   "{seat}: bot, key {key}",
	Trust: "whether such a key is that of the person you think of, only that person can tell you",

	Leave:   "if you leave you look on no more, and the table goes on",
	Stopped: "you look on no more; the table goes on",
	Unheard: "who looks on is not heard at the table",
	Invite:  "to look on from another terminal of this machine: standoff watch {address}",

	LookOn: "{n} {n:spectator looks|spectators look} on",
	Nobody: "nobody looks on any more",

	Listed:        "{name}: {taken} of {seats} seats taken, {rules}, players {players}; running; watch it with standoff watch \"{name}\"",
	ListedPrivate: "{name}: {taken} of {seats} seats taken, {rules}, players {players}; running and private; watch it with standoff watch CODE",

	Gone:        "nobody at the table answers any more",
	GoneHint:    "what came is kept as an incomplete transcript; try again with the same command, or with the address of another player",
	NoPlace:     "all places for spectators are taken there",
	NoPlaceHint: "try again later, or look on by the address of another player",
	Silent:      "it does not answer",
	SilentHint:  "see whether it is still there with \"standoff list\"; it may also have spectators enough, or its players have agreed that nobody looks on",
	Never:       "the players have agreed that nobody looks on",
	NeverHint:   "ask one of them for the transcript after the game",
	NotTold:     "what it tells of its table cannot be",
	NotToldHint: "try the address of another player",
	PrivateHint: "ask for the invite code and run \"standoff watch CODE\"",
	StaleHint:   "watch with the same version of the program: \"standoff version\" shows yours",

	Help: []string{
		"seats: all players, their life and what lies before them; who N: one of them",
		"life: lives of all; pile: deck and discard pile; wait: for whom the table waits",
		"log: this turn again, log N: turn N; last N: the last N lines",
		"rules WORD: what a card, a character, a number, or a word of this program means; options: those of the table",
		"leave or Ctrl-C: look on no more",
	},
}
