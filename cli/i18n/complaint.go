package i18n

// Complaint is why a command has failed, as a code.
type Complaint uint8

// The complaints. Operands stand in braces in the words for them; {why} is an error from below.
const (
	Worded Complaint = iota // by another part of the catalogue

	// The command line.
	NoCommand
	NoCommandNear
	NoShell
	BadFlag
	BadFlagValue
	NoArgument
	FileNeeded
	OneFile
	EvidenceExport
	ExportNowhere
	TargetNeeded
	NotWritten

	// Settings.
	NoLanguage
	SettingsUnread
	SettingEmpty
	NoSetting
	SettingsNowhere
	DataNowhere
	BadMDNS
	BadPort
	BadPreset
	BadSettingOption
	BadNick
	BadName

	// The choice of a game.
	NoBox
	NoGameFor
	NoGameWithBots
	TooManyBots
	OptionEmpty
	BadOption
	NoGames
	NoFolderNamed
	BadKill
	TooManyKills
	NoneMayFail

	// The rules.
	NoCard
	NoCardNear
	NoRule
	NotInRules
	NotInRulesNear

	// Files and folders.
	NoFile
	NoFileThere
	FilePathWrong
	FileUnread
	IsFolder
	FileTooLong
	FolderUnwritable
	OutUnwritable
	OutNowhere
	NoTemporary
	OutFull
	SeatUnwritten
	TranscriptLost

	// A transcript.
	Unreadable
	Altered
	NotWhole
	NotWholeBots
	SomebodyCheated

	// Evidence.
	IsEvidence
	IsTranscript
	EvidenceUnread
	EvidenceAltered
	FalseAccusation
	EvidenceUnwritable

	// The network.
	DataUnwritable
	DataUnread
	IdentityUnread
	IdentityInUse
	GameInUse
	PortTaken
	NoNetwork
	NoLoopback
	KnownUnread
	BadTarget
	BadCodeGroup
	BadCode
	BadTableName
	BadPeer
	Unplayable

	// A table and its game.
	TableClosed
	GameStuck
	NoSuchGame
	NoGameLeft
	NoSeatThere
	NoneMayGo
	SeveralSeats
	NowhereSeated
	JournalLost
	JournalClosed
	GameLost
	GameEnded

	// Processes.
	NoProgram
	NoProcess
	NoBotProcess
	BotGone
	BotEnded
	SeatProblem
	SeatGone
	SeatDeaf
	Quiet
	TooLong
	DemoStopped
	BadOrder
	EmptyOrder
	KillFailed

	// What a demonstration or a simulation finds.
	DemoUnfinished
	DemoFileGone
	DemoFileOther
	DemoDiffers
	OverBeforeKills
	OverBeforeReturn
	GamesUnfinished
	GameFailed
	SimStopped

	complaints
)

// Complain puts a complaint into words, with what to do about it, "" where there is nothing.
func (c *Catalogue) Complain(code Complaint, w With) (what, advice string) {
	t := c.Complaints[code]
	return c.Put(t.What, w), c.Put(t.Advice, w)
}
