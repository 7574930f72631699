package i18n

// WatchTexts are the words for who looks on at a table.
type WatchTexts struct {
	Table, Waits, CatchesUp, Late                string
	Met, Unmet, Other, Bot, Trust                string
	Leave, Stopped, Unheard, Invite              string
	LookOn, Nobody                               string // said to the players
	Listed, ListedPrivate                        string
	Gone, GoneHint, NoPlace, NoPlaceHint         string
	Silent, SilentHint, Never, NeverHint         string
	NotTold, NotToldHint, PrivateHint, StaleHint string
	Help                                         []string
}
