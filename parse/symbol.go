package parse

// Symbol returns the normalised symbol of a printed function name.
func Symbol(function string) string { return function }

// SymbolMatches says whether the printed function is the one that want names, or a closure of it.
func SymbolMatches(function, want string) bool { return Symbol(function) == want }
