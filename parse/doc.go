// Package parse reads crash logs of Go programs: bytes in, a Capture out, which says what the input
// says and on which line. It knows no signature, no colour and no flag.
//
// Read takes files, folders, archives and streams as Inputs names them. Each incident is one thing
// that a Go runtime, a race detector, a profiler or a recover handler printed. Its goroutines are
// folded into buckets while they are read, so memory follows the number of distinct stacks and not
// the size of the input.
//
// The grammar is that of runtime/traceback.go, runtime/panic.go, runtime/signal_unix.go,
// runtime/proc.go, runtime/race and testing, Go 1.26 and 1.27, with the older forms back to Go 1.5;
// wrappers (journald, CRI, docker, CI systems, structured loggers) come off by themselves.
//
// Errors in the input are data: a Problem with its line. An input that cannot be read carries its
// error in Source.Err, and the others are read all the same. Nothing in an input makes Read panic,
// hang or grow without bound; see Limits.
package parse
