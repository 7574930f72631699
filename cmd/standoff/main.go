// Standoff is the western card game BANG! between peers on one local network. See package cli for the commands.
package main

import (
	"os"

	"standoff/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
