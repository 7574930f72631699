package cli

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"standoff/cli/i18n"
	"standoff/p2p/lobby"
	"standoff/p2p/node"
	"standoff/p2p/table"
)

// before anybody sits down the lobby says how many peers may fail, and that as many as remain could look at cards.
func TestTheLobbyWarnsOfCollusion(t *testing.T) {
	var out bytes.Buffer
	e := (&shell{in: strings.NewReader(""), out: &sink{w: &out}, err: &out}).newEvening(&i18n.English, false)
	most := map[int]int{3: 1, 4: 1, 5: 1, 6: 2, 7: 2, 8: 3} // that may fail, whatever is asked for
	for m := 3; m <= 8; m++ {
		for tolerate := range 4 {
			out.Reset()
			e.tolerance(table.Offer{Seats: uint8(m), Options: [][2]string{{"tolerate", fmt.Sprint(tolerate)}}})
			want := fmt.Sprintf("the game cannot go on without any of the %d players; only all %d together could look at cards (rules tolerate)", m, m)
			if d := min(tolerate, most[m]); d > 0 {
				want = fmt.Sprintf("up to %d of the %d players may fail, and the game goes on; any %d together could look at cards (rules tolerate)", d, m, m-d)
			}
			require.Equal(t, want, strings.Join(strings.Fields(out.String()), " "))
		}
	}
}

// Who was not heard during a game, or was again, is not told after it; nor that somebody is heard of whom the contrary was
// not told. What else has happened at the table is.
func TestPresenceDuringAGameIsNotToldAfterIt(t *testing.T) {
	var out bytes.Buffer
	e := (&shell{in: strings.NewReader(""), out: &sink{w: &out}, err: &out}).newEvening(&i18n.English, false)
	e.table = seatAt(t, "Ana", nil, 4).e.table
	news := func(k lobby.NewsKind) lobby.News {
		return lobby.News{Kind: k, Seat: lobby.Seat{Nick: "Csaba", Key: node.Key{7}}}
	}
	for k := lobby.NewsSat; k <= lobby.NewsClosed; k++ {
		e.keepUnread(news(k))
	}
	require.NotEmpty(t, e.unread)
	for _, n := range e.unread {
		require.NotContains(t, []lobby.NewsKind{lobby.NewsAway, lobby.NewsBack}, n.Kind)
	}
	require.Equal(t, lobby.NewsGone, e.unread[1].Kind)
	e.news(news(lobby.NewsBack))
	require.Empty(t, out.String())
	e.news(news(lobby.NewsAway))
	e.news(news(lobby.NewsBack))
	e.news(news(lobby.NewsBack))
	require.Equal(t, "Csaba: not heard at the moment\nCsaba: heard again\n", out.String())
}
