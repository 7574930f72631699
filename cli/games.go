package cli

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"standoff/cli/i18n"
	"standoff/p2p/journal"
	"standoff/p2p/table"
)

// unfinishedGame is a game of this person's that is not over, as far as this machine knows it.
type unfinishedGame struct {
	journal.Entry              // of the person; where it is gone, what the bots' journals tell
	roster        table.Roster // zero where no journal here tells it
	bots          []string     // folders of the bots on this machine that sit there
	fit           int          // seats on this machine whose journals can be gone on with
	others        []string     // games that are not over either
}

// journals is where the journals of a person lie.
func journals(data string) string { return filepath.Join(data, "journals") }

// gamesHere are the games that are not over, the latest first: by the person's journals, whatever is wrong with them, and
// by those of the bots on this machine, which know a game of which the person's journal is gone.
func gamesHere(data string) ([]unfinishedGame, error) {
	own, err := journal.Unfinished(journals(data))
	if err != nil {
		return nil, problem(i18n.DataUnread, i18n.With{"why": err, "dir": data})
	}
	suite := table.NewRistretto(nil)
	var games []unfinishedGame
	for _, e := range own {
		g := unfinishedGame{Entry: e}
		r, err := table.ReadRoster(suite, e.Roster)
		switch {
		case err == nil && r.Table == e.Table:
			g.roster = r
		case e.Flaw == nil: // of another version of the program, perhaps
			continue
		}
		if e.Flaw == nil {
			g.fit++
		}
		games = append(games, g)
	}
	folders, _ := os.ReadDir(robotsFolder(data)) // there need be none
	for _, d := range folders {
		bots, _ := journal.Unfinished(filepath.Join(robotsFolder(data), d.Name())) // one that cannot be read is of no use
		for _, e := range bots {
			i := slices.IndexFunc(games, func(g unfinishedGame) bool { return g.Table == e.Table })
			r, err := table.ReadRoster(suite, e.Roster)
			known := err == nil && r.Table == e.Table
			if i < 0 && known && !journal.Over(journals(data), e.Table) {
				i = len(games)
				games = append(games, unfinishedGame{Entry: journal.Entry{Table: e.Table, Roster: e.Roster, Written: e.Written,
					Dir: journal.Folder(journals(data), e.Table), Flaw: journal.ErrNone}})
			}
			if i < 0 {
				continue
			}
			if known {
				games[i].roster = r
			}
			if e.Flaw == nil {
				games[i].fit++
			}
		}
	}
	for i := range games {
		games[i].bots = robotsOf(data, games[i].Table)
	}
	slices.SortStableFunc(games, func(a, b unfinishedGame) int { return b.Written.Compare(a.Written) })
	return games, nil
}

// known reports whether it is known who sits at the table.
func (g *unfinishedGame) known() bool { return len(g.roster.Joins) > 0 }

// called reports whether a game is meant by the name or the id of its table.
func (g *unfinishedGame) called(what string) bool {
	return g.known() && plain(g.roster.Offer.Name) == plain(what) || g.hasID(what)
}

// hasID reports whether what begins the id of the table.
func (g *unfinishedGame) hasID(what string) bool {
	return len(what) >= 4 && strings.HasPrefix(hex.EncodeToString(g.Table[:]), strings.ToLower(what))
}

func (g *unfinishedGame) String() string {
	if !g.known() {
		return g.Table.String()
	}
	return g.roster.Offer.Name + " (" + g.Table.String() + ")"
}

// amongBots reports whether the person is the only one at the table: then the bots are on this machine.
func (g *unfinishedGame) amongBots() bool {
	people := 0
	for _, j := range g.roster.Joins {
		if !j.Bot {
			people++
		}
	}
	return people == 1
}

// short reports whether fewer seats of a game among bots can be gone on with than the table needs, unless it has gone on
// without some before.
func (g *unfinishedGame) short() bool {
	return g.amongBots() && g.fit < table.Quorum(len(g.roster.Joins), tolerated(&g.roster.Offer))
}

// network is the secret of a private table, as it lies beside any of the journals; nil for a table that is not.
func (g *unfinishedGame) network() *[32]byte {
	dirs := []string{g.Dir}
	for _, b := range g.bots {
		dirs = append(dirs, journal.Folder(b, g.Table))
	}
	for _, dir := range dirs {
		e := journal.Entry{Dir: dir}
		if secret, err := hex.DecodeString(string(e.Kept("network"))); err == nil && len(secret) == len([32]byte{}) {
			return (*[32]byte)(secret)
		}
	}
	return nil
}
