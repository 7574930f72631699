package i18n

import "standoff/engine"

// ReportTexts are the words of the commands that print something and end, and what all commands have in common.
type ReportTexts struct {
	Error, Hint string

	// Cards and rules.
	Colours                                                       [engine.HouseRule + 1]string
	Named, Kind, AlsoCalled, Life, Copies, Rulings                string
	TitleLife, TitleCards                                         string
	Place, Step, Topic, Heading, OptionHelp, Ruled, Preset        string
	AskCard, AskNumber, AskOptions, AskTopic, AskTerm, AskedMarks string
	AskedAs, AskedInGame                                          string
	CanWith, AllDefaults, OtherDefaults, MoreOptions              string

	More, StepOut string
	Unsaid        []string // marks of the rulebook, regular expressions, that a person does not read
	Sources       []Source // the others, in the order in which they are replaced

	// A transcript.
	Option, OptionStandard, OptionOnly                                                     string
	Table, Rules, Around, AroundAt, Checked, Unchecked, LeftBefore, Fault, Result, Winners string
	Returned, Left, Removed, Where, WhereWho, Roster, Who, Bot, Seat, Key, Player          string

	// Evidence.
	EvidenceOf, Proved, Evidence, NoEvidence, Caught, CaughtOnly string
	Stray, StrayOnly, StraySigned, StrayUnsigned                 string

	// A demonstration.
	Peers, RulesPreset, Peer, Transcripts, LiesIn, ReadIt, WaitsFor, Kills, Starts, Stood, TakesPart string
	Dead, Standing, Untold, StandsIn, NobodyAnswers                                                  string // where a seat of a demonstration stands
	Sign, Offer, Joins, TheRoster, NextMove, Process, WhoProcess                                     string

	// Others.
	Games, Finished, Endless, PerSecond, WonBy                                   string
	Advised, Graved, File, Setting, FromFlag, FromFile, FromDefault, FromEnv     string
	Settings                                                                     map[string]string // by name
	WholeNumber, PortNumber, Natural, Boolean, OtherValue                        string
	Version, Protocol, RulesVersion, Unversioned, Development, Revision, Changed string
}

// Source is how the rulebook marks a source, a regular expression, and what a person reads for it.
type Source struct{ Mark, Text string }

var englishReport = ReportTexts{
	Error: "standoff: error: {what}", Hint: "standoff: hint: {advice}",

	Colours: [engine.HouseRule + 1]string{
		engine.NoColour: "other", engine.Brown: "brown cards", engine.Blue: "blue cards", engine.Weapon: "weapons, blue cards",
		engine.Green: "green cards", engine.Black: "black cards", engine.RoleCard: "roles", engine.CharacterCard: "characters",
		engine.EventCard: "events", engine.HouseRule: "rules without a card",
	},
	Named: "{name}: {text}", Kind: "kind: {kind}, box {box}", AlsoCalled: "also called: {name}", Life: "life: {n}",
	Copies: "copies: {n}, {list}", Rulings: "rulings: {list}; run \"standoff rules {name}\" to read them",
	TitleLife: "{name}, {n} life", TitleCards: "{name}, {n} cards",
	Place: "{book}, {place}", Step: "{name} is a step of a turn: {text}", Topic: "{book} {topic}: from {number}, {n} rules",
	Heading: "{book} {topic}", OptionHelp: "{name}: {text}; values {list}; default {value}", Ruled: "{text} ({number})", Preset: "{name}: {text}; {list}",
	AskCard:    "ask for a card or character: {rules} barrel",
	AskNumber:  "ask for a number: {rules} B-116",
	AskOptions: "ask for the options of a table: {rules} options",
	AskTopic:   "ask for a topic: {rules} distance; for the roles: {rules} roles",
	AskTerm:    "ask for a word of this program: {rules} bank; there are {list}",
	AskedMarks: "Ruling marks what is decided here because the prints are silent or disagree, Editions where they differ",
	StepOut:    "{name} is a step of an elimination: {text}",
	More:       "{n} more {n:rule|rules}: {rules} {what}{all}",
	Unsaid:     []string{`\s*\[[^\]]*\]`, `\s*\((?:FAQ-[BD]|EN|BLOG|DIZED)\b[^()]*\)`},
	Sources: []Source{
		{`\bRULING\b`, "Ruling"}, {`\bEDITIONS\b`, "Editions"},
		{`\b(Bullet|Third|Fourth)/(Bullet|Third|Fourth)\b`, "$1 and $2"},
		{`\bThird\b`, "the 3rd edition"}, {`\bFourth\b`, "the 4th edition"}, {`(The )?\bBullet\b`, "The Bullet"},
		{`\bFAQ-B Q\d+ ties\b`, "the publisher's answers tie"}, {`\bFAQ-B(?: Q\d+)?`, "the publisher's answers"}, {`\bFAQ-D(?: [DQ]\d+)?`, "the publisher's answers on Dodge City"}, {`\bFAQ\b`, "answers"},
		{`\bboth IMPL do\b`, "adaptations do"}, {`\bmatches IMPL\b`, "adaptations do the same"}, {`\bIMPL agrees\b`, "adaptations agree"},
		{`\bIMPL-BGA\b`, "one adaptation"}, {`\bIMPL\b`, "adaptations"}, {`\bBLOG\b`, "a player's guide"}, {`\bDIZED\b`, "the interactive rules"},
	},
	AskedAs: "standoff rules", AskedInGame: "rules",
	CanWith:       "; {n} can play with --sets {box}",
	AllDefaults:   "all options at their defaults",
	OtherDefaults: "options {list}, all others at their defaults",
	MoreOptions:   "{list} and more",

	Table: "table: {name}, {id}", Rules: "rules: {sets}, {options}", Option: "option: {name} = {value}, usually {standard}: {text}", OptionStandard: "option: {name} = {value}: {text}", OptionOnly: "option: {name} = {value}",
	Around: "around the table: {list}", AroundAt: "{n} {seat}", Checked: "checked: {n} rounds, {m} proofs",
	Unchecked:  "checked: {n} rounds, up to where the file is altered; proofs were not counted",
	LeftBefore: "void: {seat} left before the end", Fault: "fault: {kind}: {what}", Result: "result: {result}", Winners: "winners: {list}",
	Returned: "returned: {who}, from round {n}", Left: "left: {who}, from round {n} (away)", Removed: "removed: {who}, from round {n}: {why}",
	Where: "round {n}", WhereWho: "{where}, {who}", Roster: "who plays, and by which rules", Who: "{seat} (seat {n})", Bot: "{seat} (bot)", Seat: "seat {n}", Key: "key {key}",
	Player: "{seat}: {list}",

	EvidenceOf: "table: {id}", Proved: "proved: {seat} (key {key}) cheated in round {n}",
	Caught:        "{seat} has cheated in round {n}: {kind}: {what}; the evidence lies in {file}, anybody can check it: standoff verify --evidence {file}",
	CaughtOnly:    "{seat} has cheated in round {n}: {kind}: {what}; the evidence cannot be written: {why}",
	Stray:         "a message without a place at this table has come in: {kind}: {what}; nobody is accused, for anybody can send such a thing; it lies in {file}: standoff verify --evidence {file}",
	StrayOnly:     "a message without a place at this table has come in: {kind}: {what}; nobody is accused, and it cannot be written: {why}",
	StraySigned:   "stray: nobody is accused, for anybody can pass on what was signed once, and who has sent it here cannot be proved; signed with a key of this table: {seat} (key {key})",
	StrayUnsigned: "stray: nobody is accused, for anybody can make such a message; signed with no key of this table",
	Evidence:      "evidence: {file}", NoEvidence: "evidence: none, nobody is proved to have cheated",

	Peers: "standoff: {n} peers, each a process of its own; nobody deals", RulesPreset: "rules: {sets}, preset {preset}, {options}",
	Peer: "{seat}: process {n}, {address}", Transcripts: "transcripts: {n}, {bytes} bytes each, all the same",
	LiesIn: "the transcript lies in {file}", ReadIt: "check it: standoff verify FILE; print the game: standoff show FILE", WaitsFor: "the table waits for {list}",
	Kills:  "standoff: kills {seat}, process {n}, in turn {turn}",
	Starts: "standoff: starts {seat} again, process {n}; the journal knows the rest",
	Stood:  "standoff: the table stood still for {time}, the grace of {grace} among it", TakesPart: "standoff: {seat} takes part again {time} after its start",
	Dead: "; {seat} is dead", Standing: "; {seat} {what}", Untold: "; {seat} has not told for whom it waits",
	StandsIn: "stands in round {n} and waits for {list}", NobodyAnswers: "is back, and nobody answers",
	Sign: "a sign of life", Offer: "the offer", Joins: "the joins", TheRoster: "the roster", NextMove: "the next move",
	Process: "process {n}", WhoProcess: "{seat}, process {n}",

	Games: "games: {n}", Finished: "finished: {n}", Endless: "endless: {n}", PerSecond: "games per second: {n}", WonBy: "won by {side}: {n}, {share} %",
	Advised: "what to do: {advice}", Graved: "{grave}: {what}", File: "file: {file}", Setting: "{name} = {value}; {source}; {help}",
	FromFlag: "flag", FromFile: "file", FromDefault: "default", FromEnv: "environment, {name}",
	Settings: map[string]string{
		"nick": "the name by which others see you", "lang": "the language: en", "mdns": "look for others by multicast: on, off",
		"port": "the port to be reached at when hosting, 0 for any", "preset": "the preset of options offered when hosting",
		"data": "the folder for identity, journals and transcripts", "option": "offered when hosting",
	},
	WholeNumber: "a whole number", PortNumber: "a number from 0 to 65535", Natural: "a whole number from 0 on", Boolean: "true or false",
	OtherValue: "another value",
	Version:    "standoff {version}", Protocol: "protocol {n}", RulesVersion: "rules {version}",
	Unversioned: "unknown", Development: "development", Revision: "development, revision {revision}", Changed: "{version}, changed since",
}
