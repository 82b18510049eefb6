// Command crashers dies, or prints goroutines, in one way a mode:
//
//	crashers nil-receiver
//	crashers list
//
// Its output is what the parser's tests read, so every mode prints the same shape in every run.
// It needs nothing but the standard library; watchset beside it is the one with real dependencies.
package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
)

// modes are filled in by the files beside this one, a file a theme.
var modes = map[string]func(){}

func register(m map[string]func()) { maps.Copy(modes, m) }

func main() {
	if len(os.Args) == 2 {
		if os.Args[1] == "list" {
			for _, name := range slices.Sorted(maps.Keys(modes)) {
				fmt.Println(name)
			}
			return
		}
		if run, ok := modes[os.Args[1]]; ok {
			run()
			return
		}
	}
	fmt.Fprintln(os.Stderr, "usage: crashers MODE (crashers list names them)")
	os.Exit(64)
}
