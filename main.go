// Command crashtriage reads Go crash logs and says what died, whether it is a known bug, which
// change fixes it, and what to do now.
package main

import (
	"os"

	"github.com/crashtriage/crashtriage/internal/cli"
)

func main() { os.Exit(cli.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv)) }
