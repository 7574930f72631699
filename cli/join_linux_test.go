package cli

import (
	"os"
	"testing"
	"time"
)

// TestJoin: whoever sits down by name does not give up what needs a moment longer: a table that is seen at once and
// reached only after four seconds, as where packets are lost, and a table that is opened while it is looked for.
func TestJoin(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds: left out by -short")
	}
	t.Parallel()
	arriving := func(t *testing.T) *party {
		p := &party{network: newNetwork(t, 2)}
		for i := range 2 {
			data := t.TempDir()
			if err := os.Chmod(data, 0o700); err != nil {
				t.Fatal(err)
			}
			p.seats = append(p.seats, &machine{n: p.network, at: i + 1, nick: demoNicks[i], data: data, war: &p.war})
		}
		t.Cleanup(func() {
			if t.Failed() {
				t.Log(p.report())
			}
		})
		return p
	}
	host := []string{"host", "--name", "saloon", "--nick", demoNicks[0], "--seats", "4"}
	join := []string{"join", "saloon", "--nick", demoNicks[1]}
	sat := func(u utterance) bool { return u.Type == "lobby" && u.Kind == "sat" && u.Nick == demoNicks[1] }
	t.Run("reached late", func(t *testing.T) {
		t.Parallel()
		p := arriving(t)
		p.Filter(`add table bridge f
add chain bridge f fw { type filter hook forward priority 0; }
add rule bridge f fw ip protocol tcp drop
`)
		p.seats[0].start(host...)
		p.until(p.seats[0], 0, "that it is there", func(u utterance) bool { return u.Kind == "address" })
		p.seats[1].start(join...)
		time.Sleep(4 * time.Second)
		p.connect()
		p.until(p.seats[1], 0, "that it sits", sat)
	})
	t.Run("opened late", func(t *testing.T) {
		t.Parallel()
		p := arriving(t)
		p.seats[1].start(join...)
		time.Sleep(3 * time.Second)
		p.seats[0].start(host...)
		p.until(p.seats[1], 0, "that it sits", sat)
	})
}
