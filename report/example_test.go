package report_test

import (
	"context"
	"os"

	"github.com/crashtriage/crashtriage/parse"
	"github.com/crashtriage/crashtriage/report"
	"github.com/crashtriage/crashtriage/signatures"
)

// From a file to one line, as check prints it. Text, JSON and the other formats take the same
// document; Formats lists them.
func ExampleBuild() {
	db, err := signatures.Load()
	if err != nil {
		panic(err)
	}
	inputs, errs := parse.Inputs([]string{"../testdata/dumps/index.txt"}, os.Stdin)
	if len(errs) > 0 {
		panic(errs[0])
	}
	capture := parse.Read(context.Background(), inputs, parse.Options{KeepRecord: db.KeepRecord})
	result := db.Match(capture, signatures.MatchOptions{})
	doc := report.Build(capture, result, report.Tool{Name: "embedder", Version: "1.0.0"})
	if err := report.Summary(os.Stdout, doc, report.Options{Width: 80}); err != nil {
		panic(err)
	}
	// Output:
	// family   ct1:e46bb680  ../testdata/dumps/index.txt:1  panic: runtime error: index out of range [7] with length 2  blame store.(*Cache).Row
}
