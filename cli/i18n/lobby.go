package i18n

import "standoff/p2p/lobby"

// LobbyTexts are the words of a table before and after its game.
type LobbyTexts struct {
	Table, Rules, NoOptions, Address, Code, Key, Seats, Explain string

	Sat, SatBot, SatBotHere, SatBotOf, You, Gone, Away, Back, Ready, NotReady, Offered, Counting, Stopped, StoppedBy, Begun, BegunBots string
	Differs, Closed                                                                                                                    string

	Starts, StartsAlone, Leaving, Elsewhere               string
	Mode, AskReady, AskWait, AskAgain, AskOffer           string
	NotHost, Unknown, NotNeeded, BadOption, FormerDiffers string
	AndReady, KickWhom, KickSelf, KickBot, KickLate       string
	LetWhom, LetIn, NoSuchNick, Kicked, PutOut            string
	Tolerance, NoTolerance                                string
	Help                                                  []string

	Result, VoidLeft, VoidFault, YouLeft, YouLeftOut, Transcript, Read, Again, NoAgain string
	Listed, ListedWhy, NoTables, NoTablesHint, Looking, Alone, AskTable                string

	Resumes, OtherGames, NextGame, Asks, Seeks, Lost, Unreached, Nobody, Stays, Trouble, TroubleOver, BotGone string
	Short, BarredWait, BarredReturns, BarredFault, BarredNeeded                                               string

	// How an evening ends before its time.
	Interrupted, NoInput, KeepOpen, Stopping                             string
	EndedPlay, EndedHost, EndedGuest, EndedEarly, EndedJoin, EndedResume string
	EndedLeft, EndedOut, EndedVoid, EndedOver, Paused                    string

	Reasons map[lobby.Reason]string // why one cannot sit down, or sits there no more
	Hints   map[lobby.Reason]string // what to do about it
}

// Why is a reason in words, Advice what to do about it.
func (c *Catalogue) Why(r lobby.Reason) string {
	if s := c.Lobby.Reasons[r]; s != "" {
		return s
	}
	return r.String()
}

// ClosedBy is the template for the end of sitting at a table, with the operand {why}.
func (t *LobbyTexts) ClosedBy(r lobby.Reason) string {
	if r == lobby.Kicked {
		return t.PutOut
	}
	return t.Closed
}

// Advice is what to do about a reason, "" where there is nothing.
func (c *Catalogue) Advice(r lobby.Reason) string { return c.Lobby.Hints[r] }
