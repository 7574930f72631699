package i18n

// Page is what the help says of a command.
type Page struct {
	Short   string
	Long    string            // "" where Short is enough
	Example string            // command lines; "" where there is nothing to show
	Flags   map[string]string // by name; those that several commands have are in Catalogue.Flags
}

// Flag is what a flag of a command does. {boxes} stands for the boxes there are.
func (c *Catalogue) Flag(command, flag string) string {
	if text := c.Manual[command].Flags[flag]; text != "" {
		return text
	}
	return c.Flags[flag]
}
