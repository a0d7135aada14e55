// Package missing imports a package that does not exist.
package missing

import "example.com/cases/broken/nowhere"

// Handle calls it.
func Handle() { nowhere.Do() }
