package signatures_test

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/crashtriage/crashtriage/parse"
	"github.com/crashtriage/crashtriage/signatures"
)

func read(path string, db *signatures.DB) *parse.Capture {
	inputs, errs := parse.Inputs([]string{path}, os.Stdin)
	if len(errs) > 0 {
		panic(errs[0])
	}
	return parse.Read(context.Background(), inputs, parse.Options{KeepRecord: db.KeepRecord})
}

// Which known bugs a crash log shows, and whether its version has the fix.
func ExampleDB_Match() {
	db, err := signatures.Load()
	if err != nil {
		panic(err)
	}
	c := read("../testdata/dumps/watchset-many.txt", db)
	result := db.Match(c, signatures.MatchOptions{})
	for _, inc := range c.Incidents {
		for _, m := range result.ByIncident[inc] {
			fmt.Println(m.Signature.ID, m.Status, m.Confidence)
			fmt.Println("running", m.RunningVersion, "fix", m.Signature.Fix.URL, m.Signature.Fix.State)
			fmt.Println(m.Evidence[0].Condition, "on line", m.Evidence[0].Line)
		}
	}
	// Output:
	// consul-apigw-route-watchset-race affected high
	// running consul 1.22.7 fix https://github.com/hashicorp/consul/pull/23857 open
	// message: fatal error: concurrent map iteration and map write on line 7
}

// A pack of one's own, beside the built-in ones.
func ExampleLoad() {
	pack := signatures.Source{Name: "orders.yaml", Data: []byte(`
project: orders
module: example.com/orders
signatures:
  - id: orders-cache-index
    titel: "Cache.At trusts a position that a concurrent Delete has made stale"
`)}
	_, err := signatures.Load(pack)
	var faults signatures.Errors
	if errors.As(err, &faults) {
		fmt.Println(faults[len(faults)-1])
	}
	// Output:
	// orders.yaml:6:5: unknown key "titel" in a signature, did you mean "title"?
	//      6 |     titel: "Cache.At trusts a position that a concurrent Delete has made stale"
	//        |     ^
}
