// Package state is a memdb store with one watch channel a service.
package state

import (
	"fmt"

	"github.com/hashicorp/go-memdb"
)

// Service is a row of the store.
type Service struct{ Name string }

// New makes a store of n services.
func New(n int) *memdb.MemDB {
	db, err := memdb.NewMemDB(&memdb.DBSchema{Tables: map[string]*memdb.TableSchema{
		"services": {Name: "services", Indexes: map[string]*memdb.IndexSchema{
			"id": {Name: "id", Unique: true, Indexer: &memdb.StringFieldIndex{Field: "Name"}},
		}},
	}})
	if err != nil {
		panic(err)
	}
	txn := db.Txn(true)
	for i := range n {
		if err := txn.Insert("services", &Service{Name: ServiceName(i)}); err != nil {
			panic(err)
		}
	}
	txn.Commit()
	return db
}

// ServiceName is the name of the i-th service.
func ServiceName(i int) string { return fmt.Sprintf("backend-%04d", i) }
