package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"standoff/cli/i18n"
	"standoff/engine/boxes"
	"standoff/p2p/table"
)

// languages are the catalogues by the code of --lang.
var languages = map[string]*i18n.Catalogue{"en": &i18n.English}

// setting is a value that a person sets once: by flag, environment or file, in this order, else the default.
type setting struct {
	name string
	env  string
	or   func() string // the default
}

var settingTable = []setting{
	{"nick", "STANDOFF_NICK", userName},
	{"lang", "STANDOFF_LANG", func() string { return "en" }},
	{"mdns", "STANDOFF_MDNS", func() string { return "on" }},
	{"port", "STANDOFF_PORT", func() string { return "0" }},
	{"preset", "STANDOFF_PRESET", func() string { return "classic" }},
}

// settings are the values in force, and where each comes from.
type settings struct {
	nick, lang, preset string
	mdns               bool
	port               uint16
	options            []string // NAME=VALUE, from the file
	data               string
	text               *i18n.Catalogue
	rows               []settingRow
	file               string
}

type settingRow struct{ name, value, source, help string }

func userName() string {
	name := ""
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	if i := strings.LastIndexAny(name, `\/`); i >= 0 {
		name = name[i+1:]
	}
	if checkNick(name) != nil {
		return "player"
	}
	return name
}

// language finds the catalogue of a language.
func language(code string) (*i18n.Catalogue, error) {
	if text := languages[strings.ToLower(code)]; text != nil {
		return text, nil
	}
	there := slices.Sorted(maps.Keys(languages))
	return nil, misuse(i18n.NoLanguage, i18n.With{"what": quoted(code), "list": strings.Join(there, ", ")})
}

// globalFlags are the flags of every command that has to do with a person.
func globalFlags(root *cobra.Command) {
	f := root.PersistentFlags()
	f.String("data", "", "")
	f.String("nick", "", "")
	f.String("lang", "", "")
	f.Bool("no-mdns", false, "")
}

// configFile is where the settings file lies.
func configFile() (string, error) {
	if f := os.Getenv("STANDOFF_CONFIG"); f != "" {
		return filepath.Abs(f)
	}
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "standoff", "config"), nil
}

// readConfig reads lines NAME = VALUE; # begins a comment.
func readConfig(path string) (map[string]string, []string, error) {
	values := map[string]string{}
	var options []string
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return values, nil, nil
	}
	if err != nil {
		return nil, nil, problem(i18n.SettingsUnread, why(err))
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		text, _, _ := strings.Cut(lines.Text(), "#")
		text = strings.TrimSpace(text)
		if text == "" {
			continue
		}
		name, value, ok := strings.Cut(text, "=")
		name, value = strings.TrimSpace(name), strings.Trim(strings.TrimSpace(value), `"`)
		option, isOption := strings.CutPrefix(name, "option.")
		switch {
		case !ok:
			return nil, nil, problem(i18n.SettingEmpty, i18n.With{"file": path, "n": n, "what": quoted(text)})
		case isOption:
			options = append(options, option+"="+value)
		case slices.ContainsFunc(settingTable, func(s setting) bool { return s.name == name }):
			values[name] = value
		default:
			return nil, nil, problem(i18n.NoSetting, i18n.With{"file": path, "n": n, "what": quoted(name)})
		}
	}
	return values, options, lines.Err()
}

// settle finds the values in force for a command.
func (s *shell) settle(cmd *cobra.Command) (*settings, error) {
	file, err := configFile()
	if err != nil {
		return nil, problem(i18n.SettingsNowhere, why(err))
	}
	fromFile, options, err := readConfig(file)
	if err != nil {
		return nil, err
	}
	set := &settings{file: file, options: options}
	values, w := map[string]string{}, s.texts()
	for _, row := range settingTable {
		r := settingRow{name: row.name, value: row.or(), source: w.FromDefault, help: w.Settings[row.name]}
		if v, ok := fromFile[row.name]; ok {
			r.value, r.source = v, w.FromFile
		}
		if v, ok := os.LookupEnv(row.env); ok {
			r.value, r.source = v, s.words().Put(w.FromEnv, i18n.With{"name": row.env})
		}
		if f := cmd.Flags().Lookup(row.name); f != nil && f.Changed {
			r.value, r.source = f.Value.String(), w.FromFlag
		}
		if row.name == "mdns" {
			if off, err := cmd.Flags().GetBool("no-mdns"); err == nil && off {
				r.value, r.source = "off", w.FromFlag
			}
		}
		values[row.name] = r.value
		set.rows = append(set.rows, r)
	}
	data, source := "", w.FromFlag
	if f := cmd.Flags().Lookup("data"); f != nil && f.Changed {
		data, err = filepath.Abs(f.Value.String())
	} else {
		data, err = dataFolder()
		source = w.FromDefault
		if os.Getenv("STANDOFF_DATA") != "" {
			source = s.words().Put(w.FromEnv, i18n.With{"name": "STANDOFF_DATA"})
		}
	}
	if err != nil {
		return nil, problem(i18n.DataNowhere, why(err))
	}
	set.data = data
	set.rows = append(set.rows, settingRow{"data", data, source, w.Settings["data"]})
	for _, o := range options {
		name, value, _ := strings.Cut(o, "=")
		set.rows = append(set.rows, settingRow{"option." + name, value, w.FromFile, w.Settings["option"]})
	}
	err = set.check(values)
	if set.text != nil {
		s.text = set.text
	}
	return set, err
}

// check refuses values that cannot be.
func (set *settings) check(values map[string]string) error {
	set.nick, set.lang, set.preset = values["nick"], values["lang"], values["preset"]
	if err := checkNick(set.nick); err != nil {
		return err
	}
	var err error
	if set.text, err = language(set.lang); err != nil {
		return err
	}
	switch values["mdns"] {
	case "on", "off":
		set.mdns = values["mdns"] == "on"
	default:
		return misuse(i18n.BadMDNS, i18n.With{"what": quoted(values["mdns"])})
	}
	var port int
	if _, err := fmt.Sscanf(values["port"], "%d", &port); err != nil || port < 0 || port > 65535 {
		return misuse(i18n.BadPort, i18n.With{"what": quoted(values["port"])})
	}
	set.port = uint16(port)
	rules, err := compile(boxes.Names())
	if err != nil {
		return err
	}
	c := table.DefaultChoices()
	if err := rules.ParsePreset(&c.Engine, set.preset); err != nil {
		return misuse(i18n.BadPreset, why(err))
	}
	for _, o := range set.options {
		name, value, _ := strings.Cut(o, "=")
		if err := c.Set(rules, name, value); err != nil {
			return misuse(i18n.BadSettingOption, i18n.With{"why": err, "file": set.file})
		}
	}
	return nil
}

func (s *shell) config() *cobra.Command {
	return &cobra.Command{
		Use:  "config",
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			set, err := s.settle(cmd)
			if err != nil {
				return err
			}
			s.put(s.texts().File, i18n.With{"file": set.file})
			for _, r := range set.rows {
				s.put(s.texts().Setting, i18n.With{"name": r.name, "value": r.value, "source": r.source, "help": r.help})
			}
			return nil
		},
	}
}
