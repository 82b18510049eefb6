// Command crashtriage reads Go crash logs and says what died, whether it is a known bug, which
// change fixes it, and what to do now.
package main

import (
	"os"
	"runtime/debug"

	"github.com/crashtriage/crashtriage/internal/cli"
)

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(200) // a short life: collecting less often is a tenth of a big dump's time
	}
	os.Exit(cli.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv))
}
