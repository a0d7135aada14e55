// Package rules holds the rules' pages, for the command to print.
package rules

import "embed"

// Pages are the pages, NAME.md each.
//
//go:embed *.md
var Pages embed.FS
