// Package inputs knows what an analysis reads beside Go source: the configuration and SQL
// files. No driver's cache sees them.
package inputs

import (
	"github.com/idemlint/idemlint/internal/schema"
	"github.com/idemlint/idemlint/internal/settings"
)

// Base returns the directory that the configuration's places are relative to: its own or,
// where there is no file, the root of the module that holds dir.
func Base(s *settings.Loaded, dir string) string {
	if s.Dir != "" {
		return s.Dir
	}
	return schema.ModuleRoot(dir)
}

// Fingerprint returns a text that changes with the configuration that holds in a directory
// and with the SQL files that an analysis started there may read: those of its module,
// wherever in it that is, and those in the configured places.
func Fingerprint(dir string) string {
	s := settings.For(dir)
	return settings.Fingerprint(dir) + "_" + schema.Fingerprint(schema.ModuleRoot(dir), ".") + "_" + schema.Fingerprint(Base(s, dir), s.Migrations...)
}
