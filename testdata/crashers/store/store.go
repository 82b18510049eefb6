// Package store has the faults that need a package, a receiver or type arguments to be seen in a stack.
package store

import "fmt"

// Cache maps keys to rows.
type Cache struct {
	size int
	rows map[string][]string
}

// Len faults on a nil Cache: the receiver is printed as 0x0.
//
//go:noinline
func (c *Cache) Len() int { return c.size }

// Row faults when the key has fewer columns than asked for.
//
//go:noinline
func (c *Cache) Row(key string, column int) string { return c.rows[key][column] }

// Put faults on a Cache that was not made by New: its map is nil.
//
//go:noinline
func (c *Cache) Put(key string, row []string) { c.rows[key] = row }

// New makes a Cache with one row.
func New() *Cache {
	return &Cache{size: 1, rows: map[string][]string{"orders": {"id", "total"}}}
}

// A MissingError is a custom error used as a panic value.
type MissingError struct {
	Table string
	ID    int
}

func (e *MissingError) Error() string { return fmt.Sprintf("store: no row %d in %q", e.ID, e.Table) }

// MustRow panics with a *MissingError.
//
//go:noinline
func (c *Cache) MustRow(table string, id int) string { panic(&MissingError{table, id}) }

// Tree is generic: Go prints its type arguments as [...].
type Tree[K comparable, V any] struct {
	left, right *Tree[K, V]
	key         K
	value       V
}

// Walk calls visit for every node, in order.
//
//go:noinline
func (t *Tree[K, V]) Walk(visit func(K, V)) {
	if t == nil {
		return
	}
	t.left.Walk(visit)
	visit(t.key, t.value)
	t.right.Walk(visit)
}

// Leaf makes a tree of one node.
func Leaf[K comparable, V any](key K, value V) *Tree[K, V] {
	return &Tree[K, V]{key: key, value: value}
}

// Map applies f to every element.
//
//go:noinline
func Map[T, U any](in []T, f func(T) U) []U {
	out := make([]U, 0, len(in))
	for _, v := range in {
		out = append(out, f(v))
	}
	return out
}
