// Package sound embeds a directory of golang-migrate's pairs and one file by name.
package sound

import "embed"

//go:embed migrations
var files embed.FS

//go:embed LICENSE.txt
var licence string

// Files are the migrations.
func Files() (embed.FS, string) { return files, licence }
