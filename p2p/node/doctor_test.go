package node

import (
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// symptoms are those among the findings, without their subjects.
func symptoms(all []Finding) (out []Symptom) {
	for _, f := range all {
		out = append(out, f.Symptom)
	}
	return out
}

func TestAnExaminationOfThisMachine(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.Chmod(dir, 0o700))
	got := symptoms(Examine(t.Context(), Checkup{Data: dir}))
	require.Contains(t, got, PortFree)
	require.Contains(t, got, ClockFine)
	require.Contains(t, got, FolderFine)
	require.Contains(t, got, KeyAbsent)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestExaminingInterfaces(t *testing.T) {
	lan := Interface{Name: "eth0", Up: true, Multicast: true, Local: []netip.Prefix{netip.MustParsePrefix("192.168.1.5/24")}}
	require.Equal(t, []Finding{{LANFound, Fine, "eth0", "192.168.1.5/24"}}, examineInterfaces([]Interface{lan}))
	lo := Interface{Name: "lo", Up: true, Loopback: true, Local: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/8")}}
	down, docker, bare := lan, lan, lan
	down.Up, docker.Container, bare.Local = false, true, nil
	bare.Other = []netip.Prefix{netip.MustParsePrefix("8.8.8.8/24")}
	require.Equal(t, []Symptom{InterfaceDown, ContainerSkipped, PublicAddress, InterfaceIdle, NoLAN},
		symptoms(examineInterfaces([]Interface{lo, down, docker, bare})))

	mute := lan
	mute.Multicast = false
	require.Equal(t, []Symptom{MulticastAbsent}, symptoms(examineMulticast(t.Context(), []Interface{mute, lo, down}, true)))
	t.Setenv(OwnNamespace, "")
	got := examineMulticast(t.Context(), []Interface{lan}, true)
	require.Equal(t, []Finding{{MulticastUnknown, Warning, "eth0", ErrDiscoveryInTest.Error()}}, got)
}

func TestExaminingPortClockAndFolder(t *testing.T) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	busy := uint16(l.Addr().(*net.TCPAddr).Port)
	require.Equal(t, PortInUse, examinePort(busy).Symptom)
	require.Equal(t, PortFree, examinePort(0).Symptom)
	require.Equal(t, ClockOdd, examineClock(time.Unix(0, 0)).Symptom)

	dir := t.TempDir()
	require.NoError(t, os.Chmod(dir, 0o777))
	require.Contains(t, symptoms(examineData(dir)), FolderOpen)
	require.NoError(t, os.Chmod(dir, 0o700))
	_, err = LoadOrCreate(dir)
	require.NoError(t, err)
	require.Equal(t, []Symptom{FolderFine, KeyFine}, symptoms(examineData(dir)))
	require.NoError(t, os.Chmod(filepath.Join(dir, identityFile), 0o644))
	require.Equal(t, []Symptom{FolderFine, KeyBad}, symptoms(examineData(dir)))
	require.Equal(t, []Symptom{FolderFine, KeyAbsent}, symptoms(examineData(filepath.Join(dir, "a", "b"))))
	require.Equal(t, []Symptom{FolderClosed}, symptoms(examineData(filepath.Join(dir, identityFile))))
	require.Equal(t, []Symptom{FolderClosed}, symptoms(examineData(filepath.Join(dir, identityFile, "below a file"))))
	require.Empty(t, examineData(""))
}

func TestRulesThatDropWhatComesInAreNamed(t *testing.T) {
	nft := `table inet filter {
	chain input {
		type filter hook input priority filter; policy drop;
		ct state established,related accept
		udp dport 5353 drop
	}
	chain output {
		type filter hook output priority filter; policy drop;
		tcp dport 25 reject
	}
}`
	require.Equal(t, []string{"type filter hook input priority filter; policy drop;", "udp dport 5353 drop"}, dropping("nft", nft))
	require.Empty(t, dropping("nft", "table inet x {\n\tchain fw {\n\t\ttype filter hook forward priority 0; policy drop;\n\t}\n}"))
	require.Equal(t, []string{"-P INPUT DROP", "-A INPUT -p udp -j REJECT"},
		dropping("iptables", "-P INPUT DROP\n-A INPUT -i lo -j ACCEPT\n-A INPUT -p udp -j REJECT\n"))
	require.Empty(t, dropping("iptables", "-P INPUT ACCEPT\n"))
}
