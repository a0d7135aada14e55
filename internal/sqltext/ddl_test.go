package sqltext

import "testing"

// A script is read without a panic, whatever it is, and each of its statements has a
// word at least.
func FuzzScript(f *testing.F) {
	for _, text := range []string{
		"", ";", "'            '", "$$   $$", "''", "create", "create table", "create table t", "create table t (", "create table t (,", "create table t ()",
		"create table t (a", "create table t (a int primary", "create table t (primary key", "create table t (constraint", "create table t (unique (", "create table t (like",
		"create table t partition", "create table t partition of", "create table t (a int) partition by", "create table t (a int) partition by range (",
		"create unique", "create unique index", "create unique index i on", "create unique index i on t (", "create unique index on t ((lower(a)))",
		"alter", "alter table", "alter table t", "alter table t add", "alter table t add (", "alter table t add constraint", "alter table t add constraint c unique using index i",
		"alter table t drop", "alter table t drop primary", "alter table t rename", "alter table t rename to", "alter table t rename a to", "alter table t alter a set default", ",",
		"drop table", "drop index", "drop index i on", "rename table", "rename table a to",
		"CREATE TABLE t (id UUID DEFAULT gen_random_uuid() PRIMARY KEY, b TEXT DEFAULT 'x''y'); SELECT cron.schedule('a', $$DELETE FROM t$$)",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, c := range Script(text) {
			if len(c.Words) == 0 {
				t.Errorf("a statement without words in %q", text)
			}
		}
	})
}
