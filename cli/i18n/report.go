package i18n

// ReportTexts are the words of the commands that print something and end.
type ReportTexts struct {
	CanWith string // more for [NoGameFor]
}

var englishReport = ReportTexts{
	CanWith: "; {n} can play with --sets {box}",
}
