package sqltext

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// shape drops what Parse keeps only for its own use.
func shape(s Statement) Statement {
	s.set, s.relative, s.flags, s.row = nil, nil, nil, ""
	for i := range s.With {
		s.With[i] = shape(s.With[i])
	}
	return s
}

type parseCase struct {
	name, text string
	want       Statement
}

func runParse(t *testing.T, cases []parseCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := shape(Parse(c.text)); !reflect.DeepEqual(got, c.want) {
				t.Errorf("Parse(%q)\n got %+v\nwant %+v", c.text, got, c.want)
			}
		})
	}
}

func ss(s ...string) []string { return s }
func ps(n ...int) []int       { return n }

func TestParseInsert(t *testing.T) {
	ab := func(c Conflict, target ...string) Statement {
		return Statement{Verb: Insert, Table: "t", Columns: ss("a", "b"), Params: ps(1, 2), Conflict: c, Target: target}
	}
	with := func(s Statement, change func(*Statement)) Statement {
		change(&s)
		return s
	}
	runParse(t, []parseCase{
		{"plain", "INSERT INTO t (a, b) VALUES ($1, $2)", ab(Fails)},
		{"lower case, no spaces", "insert into t(a,b)values($1,$2)", ab(Fails)},
		{"several lines", "\n\tINSERT INTO t\n\t\t(a, b)\n\tVALUES\n\t\t($1, $2)\n", ab(Fails)},
		{"no columns", "INSERT INTO t VALUES ($1, $2)", with(ab(Fails), func(s *Statement) { s.Columns = nil })},
		{"default values", "INSERT INTO t DEFAULT VALUES", Statement{Verb: Insert, Table: "t"}},
		{"several rows", "INSERT INTO t (a, b) VALUES ($1, $2), ($3, $4) ON CONFLICT DO NOTHING", ab(Nothing)},
		{"COPY", "COPY public.t FROM STDIN", Statement{Verb: Insert, Table: "t"}},

		{"DO NOTHING", "INSERT INTO t (a, b) VALUES ($1, $2) ON CONFLICT DO NOTHING", ab(Nothing)},
		{"DO NOTHING with a target", "INSERT INTO t (a, b) VALUES ($1, $2) ON CONFLICT (a, b) DO NOTHING", ab(Nothing, "a", "b")},
		{"DO NOTHING with a constraint", "INSERT INTO t (a, b) VALUES ($1, $2) ON CONFLICT ON CONSTRAINT t_pkey DO NOTHING", ab(Nothing)},
		{"DO NOTHING with a partial index", "INSERT INTO t (a, b) VALUES ($1, $2) ON CONFLICT (a) WHERE gone IS NULL DO NOTHING", ab(Nothing, "a")},
		{"DO NOTHING in lower case", "insert into t (a, b) values ($1, $2) on conflict do nothing", ab(Nothing)},
		{"DO NOTHING of an alias", "INSERT INTO t AS x (a, b) VALUES ($1, $2) ON CONFLICT DO NOTHING", ab(Nothing)},
		{"RETURNING", "INSERT INTO t (a, b) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING a", with(ab(Nothing), func(s *Statement) { s.Returning = true })},

		{"DO UPDATE", "INSERT INTO t (a, b) VALUES ($1, $2) ON CONFLICT (a) DO UPDATE SET b = EXCLUDED.b", ab(Overwrites, "a")},
		// PostgreSQL counts the row of a no-op update, so it is no DO NOTHING.
		{"DO UPDATE that changes nothing", "INSERT INTO t (a, b) VALUES ($1, $2) ON CONFLICT (a) DO UPDATE SET a = t.a", ab(Overwrites, "a")},
		{"DO UPDATE that says inserted", "INSERT INTO t (a, b) VALUES ($1, $2) ON CONFLICT (a) DO UPDATE SET a = EXCLUDED.a RETURNING (xmax = 0)",
			with(ab(Overwrites, "a"), func(s *Statement) { s.Returning, s.SaysInserted = true, true })},
		{"DO UPDATE with a condition", "INSERT INTO t (a, b) VALUES ($1, $2) ON CONFLICT (a) DO UPDATE SET b = EXCLUDED.b WHERE t.version < EXCLUDED.version",
			with(ab(Overwrites, "a"), func(s *Statement) { s.Guarded = true })},
		{"DO UPDATE that counts", "INSERT INTO t (a, b) VALUES ($1, $2) ON CONFLICT (a) DO UPDATE SET b = t.b + EXCLUDED.b",
			with(ab(Overwrites, "a"), func(s *Statement) { s.Relative = true })},
		{"DO UPDATE of two columns, one counts", "INSERT INTO t (a, b) VALUES ($1, $2) ON CONFLICT (a) DO UPDATE SET b = EXCLUDED.b, n = t.n + 1",
			with(ab(Overwrites, "a"), func(s *Statement) { s.Relative = true })},

		{"DO UPDATE that counts from the new row", "INSERT INTO t (a, b) VALUES ($1, $2) ON CONFLICT (a) DO UPDATE SET b = EXCLUDED.b + 1", ab(Overwrites, "a")},

		{"INSERT IGNORE", "INSERT IGNORE INTO t (a, b) VALUES (?, ?)", ab(Nothing)},
		{"INSERT OR IGNORE", "INSERT OR IGNORE INTO t (a, b) VALUES (?, ?)", ab(Nothing)},
		{"INSERT OR REPLACE", "INSERT OR REPLACE INTO t (a, b) VALUES (?, ?)", ab(Overwrites)},
		{"REPLACE", "REPLACE INTO t (a, b) VALUES (?, ?)", ab(Overwrites)},
		{"INSERT OR ABORT", "INSERT OR ABORT INTO t (a, b) VALUES (?, ?)", ab(Fails)},

		{"ON DUPLICATE KEY, no-op", "INSERT INTO t (a, b) VALUES (?, ?) ON DUPLICATE KEY UPDATE a = a", ab(Nothing)},
		{"ON DUPLICATE KEY, no-op with the table", "INSERT INTO t (a, b) VALUES (?, ?) ON DUPLICATE KEY UPDATE a = t.a", ab(Nothing)},
		{"ON DUPLICATE KEY, no-op in quotes", "INSERT INTO `t` (`a`, `b`) VALUES (?, ?) ON DUPLICATE KEY UPDATE `a` = `t`.`a`", ab(Nothing)},
		{"ON DUPLICATE KEY, real", "INSERT INTO t (a, b) VALUES (?, ?) ON DUPLICATE KEY UPDATE b = VALUES(b)", ab(Overwrites)},
		{"ON DUPLICATE KEY, another column", "INSERT INTO t (a, b) VALUES (?, ?) ON DUPLICATE KEY UPDATE a = b", ab(Overwrites)},
		{"ON DUPLICATE KEY, a no-op and more", "INSERT INTO t (a, b) VALUES (?, ?) ON DUPLICATE KEY UPDATE a = a, b = ?", ab(Overwrites)},
		{"ON DUPLICATE KEY that counts", "INSERT INTO t (a, b) VALUES (?, ?) ON DUPLICATE KEY UPDATE n = n + 1",
			with(ab(Overwrites), func(s *Statement) { s.Relative = true })},

		{"MERGE, not matched only", "MERGE INTO t USING (SELECT :id AS id FROM dual) s ON (t.id = s.id) WHEN NOT MATCHED THEN INSERT (id) VALUES (s.id)",
			Statement{Verb: Insert, Table: "t", Conflict: Nothing}},
		{"MERGE without INTO", "MERGE dbo.t AS x USING s ON x.id = s.id WHEN NOT MATCHED THEN INSERT (id) VALUES (s.id)",
			Statement{Verb: Insert, Table: "t", Conflict: Nothing}},
		{"MERGE that updates", "MERGE INTO t USING s ON (t.id = s.id) WHEN MATCHED THEN UPDATE SET x = 1 WHEN NOT MATCHED THEN INSERT (id) VALUES (s.id)",
			Statement{Verb: Insert, Table: "t", Conflict: Overwrites}},

		{"WHERE NOT EXISTS", "INSERT INTO t (a, b) SELECT $1, $2 WHERE NOT EXISTS (SELECT 1 FROM t WHERE a = $1)",
			Statement{Verb: Insert, Table: "t", Columns: ss("a", "b"), Guarded: true}},
		{"INSERT SELECT", "INSERT INTO t (a, b) SELECT a, b FROM u WHERE c = $1",
			Statement{Verb: Insert, Table: "t", Columns: ss("a", "b")}},
		{"INSERT SELECT DO NOTHING", "INSERT INTO t (a, b) SELECT a, b FROM u ON CONFLICT DO NOTHING",
			Statement{Verb: Insert, Table: "t", Columns: ss("a", "b"), Conflict: Nothing}},
	})
}

func TestParseUpdate(t *testing.T) {
	upd := func(change func(*Statement)) Statement {
		s := Statement{Verb: Update, Table: "t", Where: true, Keyed: true}
		if change != nil {
			change(&s)
		}
		return s
	}
	guarded := upd(func(s *Statement) { s.Guarded = true })
	relative := upd(func(s *Statement) { s.Relative = true })
	runParse(t, []parseCase{
		{"no condition", "UPDATE t SET a = 1", Statement{Verb: Update, Table: "t"}},
		{"by key", "UPDATE t SET a = $2 WHERE id = $1", upd(nil)},
		{"by a constant", "UPDATE t SET a = $2 WHERE id = 7", upd(func(s *Statement) { s.Keyed = false })},
		{"ONLY", "UPDATE ONLY t SET a = $2 WHERE id = $1", upd(nil)},
		{"alias", "UPDATE t AS x SET a = $2 WHERE x.id = $1", upd(nil)},
		{"RETURNING", "UPDATE t SET a = $2 WHERE id = $1 RETURNING id", upd(func(s *Statement) { s.Returning = true })},
		{"semicolon at the end", "UPDATE t SET a = $2 WHERE id = $1;", upd(nil)},

		{"state guard", "UPDATE t SET status = 'paid' WHERE id = $1 AND status = 'pending'", guarded},
		{"state guard in parentheses", "UPDATE t SET status = 'paid' WHERE id = $1 AND (status = 'new')", guarded},
		{"state guard IN", "UPDATE t SET status = 'paid' WHERE id = $1 AND status IN ('new', 'open')", guarded},
		{"state guard NOT IN", "UPDATE t SET status = 'paid' WHERE id = $1 AND status NOT IN ('paid')", guarded},
		{"state guard <>", "UPDATE t SET status = $2 WHERE id = $1 AND status <> $2", guarded},
		{"state guard !=", "UPDATE t SET status = $2 WHERE id = $1 AND status != $2", guarded},
		{"state guard IS NULL", "UPDATE t SET paid_at = now() WHERE id = $1 AND paid_at IS NULL", guarded},
		{"state guard IS NOT TRUE", "UPDATE t SET done = true WHERE id = $1 AND done IS NOT TRUE", guarded},
		{"state guard of an alias", "UPDATE t x SET status = 'paid' WHERE x.id = $1 AND x.status = 'new'", guarded},
		{"state guard in double quotes", `UPDATE "t" SET "status" = $2 WHERE "id" = $1 AND "status" = $3`, guarded},
		{"state guard in backquotes", "UPDATE `t` SET `status` = ? WHERE `id` = ? AND `status` = ?", guarded},
		{"state guard in brackets", "UPDATE [dbo].[t] SET [status] = @p2 WHERE [id] = @p1 AND [status] = @p3", guarded},
		{"sequence guard", "UPDATE t SET seq = $2 WHERE id = $1 AND seq < $2", guarded},
		{"time guard", "UPDATE t SET a = $2, updated_at = $3 WHERE id = $1 AND updated_at < $3", guarded},
		{"version guard", "UPDATE t SET a = $2, version = version + 1 WHERE id = $1 AND version = $3",
			upd(func(s *Statement) { s.Guarded, s.Relative = true, true })},
		{"condition on another column", "UPDATE t SET status = 'paid' WHERE id = $1 AND kind = 'x'", upd(nil)},
		{"a column named in a string", "UPDATE t SET status = 'paid' WHERE id = $1 AND kind = 'status'", upd(nil)},

		{"relative", "UPDATE t SET n = n + 1 WHERE id = $1", relative},
		{"relative without spaces", "UPDATE t SET n=n-1 WHERE id=$1", relative},
		{"relative without spaces, by a bind value", "UPDATE t SET n=n+? WHERE id=?", relative},
		{"a negative number is no subtraction", "UPDATE t SET n=-1 WHERE id=$1", upd(nil)},
		{"state guard without spaces", "UPDATE t SET status=:new WHERE id=:id AND status<>:new", guarded},
		{"relative by a bind value", "UPDATE t SET n = n - $2 WHERE id = $1", relative},
		{"relative of an alias", "UPDATE t x SET n = x.n * 2 WHERE x.id = $1", relative},
		{"relative COALESCE", "UPDATE t SET n = COALESCE(n, 0) + $2 WHERE id = $1", relative},
		{"relative append", "UPDATE t SET tags = tags || $2 WHERE id = $1", relative},
		{"relative array_append", "UPDATE t SET tags = array_append(tags, $2) WHERE id = $1", relative},
		{"relative jsonb_set", "UPDATE t SET doc = jsonb_set(doc, '{a}', $2) WHERE id = $1", relative},
		{"relative, balance check holds nothing back", "UPDATE t SET n = n - $2 WHERE id = $1 AND n >= $2", relative},
		{"GREATEST twice is once", "UPDATE t SET n = GREATEST(n, $2) WHERE id = $1", upd(nil)},
		{"arithmetic on other values", "UPDATE t SET n = $2 * 2 WHERE id = $1", upd(nil)},

		{"FROM", "UPDATE t SET a = u.a FROM u WHERE u.id = t.id AND t.k = $1", upd(nil)},
	})
}

func TestParseDelete(t *testing.T) {
	runParse(t, []parseCase{
		{"by key", "DELETE FROM t WHERE id = $1", Statement{Verb: Delete, Table: "t", Where: true, Keyed: true}},
		{"all", "DELETE FROM t", Statement{Verb: Delete, Table: "t"}},
		{"without FROM", "DELETE t WHERE id = @p1", Statement{Verb: Delete, Table: "t", Where: true, Keyed: true}},
		{"by age", "DELETE FROM audit.t WHERE created_at < now() - interval '1 day'", Statement{Verb: Delete, Table: "t", Where: true}},
	})
}

func TestParseSelect(t *testing.T) {
	sel := func(change func(*Statement)) Statement {
		s := Statement{Verb: Select, Table: "t", Where: true, Keyed: true}
		if change != nil {
			change(&s)
		}
		return s
	}
	one := sel(func(s *Statement) { s.OneRow = true })
	locks := sel(func(s *Statement) { s.Locks = true })
	runParse(t, []parseCase{
		{"by key", "SELECT a FROM t WHERE id = $1", sel(nil)},
		{"no condition", "SELECT a FROM t", Statement{Verb: Select, Table: "t"}},
		{"join", "SELECT a FROM t JOIN u ON u.id = t.id WHERE t.id = $1", sel(nil)},
		{"no table", "SELECT 1", Statement{Verb: Select}},
		{"EXISTS", "SELECT EXISTS (SELECT 1 FROM t WHERE id = $1)", one},
		{"EXISTS without a space", "SELECT EXISTS(SELECT 1 FROM t WHERE id = ?)", one},
		{"NOT EXISTS", "SELECT NOT EXISTS (SELECT 1 FROM t WHERE id = :id)", one},
		{"COUNT", "SELECT COUNT(*) FROM t WHERE id = $1", one},
		{"MAX", "SELECT max(a) FROM t WHERE id = $1", one},
		{"FOR UPDATE", "SELECT a FROM t WHERE id = $1 FOR UPDATE", locks},
		{"FOR UPDATE SKIP LOCKED", "SELECT a FROM t WHERE id = $1 FOR UPDATE SKIP LOCKED", locks},
		{"FOR NO KEY UPDATE", "SELECT a FROM t WHERE id = $1 FOR NO KEY UPDATE", locks},
		{"FOR SHARE", "SELECT a FROM t WHERE id = $1 FOR SHARE", locks},
		{"parentheses", "(SELECT a FROM t WHERE id = $1) UNION (SELECT a FROM u WHERE id = $1)", sel(nil)},
	})
}

func TestParseWith(t *testing.T) {
	gate := Statement{Verb: Insert, Table: "processed_event", Columns: ss("event_id"), Params: ps(1), Conflict: Nothing, Returning: true}
	const cte = "WITH ins AS (INSERT INTO processed_event (event_id) VALUES ($1) ON CONFLICT DO NOTHING RETURNING event_id) "
	runParse(t, []parseCase{
		{"the gate alone", cte + "SELECT event_id FROM ins", gate},
		{"the gate and a change", cte + "UPDATE t SET a = 1 WHERE id = $2 AND EXISTS (SELECT 1 FROM ins)",
			Statement{Verb: Update, Table: "t", Where: true, Keyed: true, Guarded: true, With: []Statement{gate}}},
		{"the gate and an insert", cte + "INSERT INTO t (a) SELECT event_id FROM ins",
			Statement{Verb: Insert, Table: "t", Columns: ss("a"), Guarded: true, With: []Statement{gate}}},
		{"column list", strings.Replace(cte, "ins AS", "ins (x) AS", 1) + "SELECT x FROM ins", gate},
		{"MATERIALIZED", strings.Replace(cte, "AS (", "AS MATERIALIZED (", 1) + "SELECT event_id FROM ins", gate},
		{"RECURSIVE, a query first", "WITH RECURSIVE r AS (SELECT 1), ins AS" + cte[len("WITH ins AS"):] + "SELECT event_id FROM ins", gate},
		{"queries only", "WITH a AS (SELECT 1), b AS (SELECT 2) SELECT x FROM t WHERE id = $1",
			Statement{Verb: Select, Table: "t", Where: true, Keyed: true}},
		{"a plain insert holds nothing back", "WITH ins AS (INSERT INTO u (b) VALUES ($1)) INSERT INTO t (a) VALUES ($2)",
			Statement{Verb: Insert, Table: "t", Columns: ss("a"), Params: ps(2),
				With: []Statement{{Verb: Insert, Table: "u", Columns: ss("b"), Params: ps(1)}}}},
		{"a delete", "WITH d AS (DELETE FROM q WHERE id = $1 RETURNING id) INSERT INTO t (a) SELECT id FROM d",
			Statement{Verb: Insert, Table: "t", Columns: ss("a"),
				With: []Statement{{Verb: Delete, Table: "q", Where: true, Returning: true, Keyed: true}}}},
	})
}

func TestParseNames(t *testing.T) {
	for _, c := range []struct{ name, text, table, column string }{
		{"plain", "INSERT INTO t (a) VALUES ($1)", "t", "a"},
		{"upper case", "INSERT INTO Processed_Event (Event_ID) VALUES ($1)", "processed_event", "event_id"},
		{"schema", "INSERT INTO public.t (a) VALUES ($1)", "t", "a"},
		{"database and schema", "INSERT INTO db.dbo.t (a) VALUES ($1)", "t", "a"},
		{"double quotes", `INSERT INTO "t" ("a") VALUES ($1)`, "t", "a"},
		{"double quotes with schema", `INSERT INTO "public"."t" ("a") VALUES ($1)`, "t", "a"},
		{"one part quoted", `INSERT INTO public."t" (a) VALUES ($1)`, "t", "a"},
		{"backquotes", "INSERT INTO `t` (`a`) VALUES (?)", "t", "a"},
		{"backquotes with schema", "INSERT INTO `db`.`t` (`a`) VALUES (?)", "t", "a"},
		{"brackets", "INSERT INTO [t] ([a]) VALUES (@p1)", "t", "a"},
		{"brackets with schema", "INSERT INTO [dbo].[t] ([a]) VALUES (@p1)", "t", "a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := Statement{Verb: Insert, Table: c.table, Columns: ss(c.column), Params: ps(1)}
			if got := shape(Parse(c.text)); !reflect.DeepEqual(got, want) {
				t.Errorf("Parse(%q)\n got %+v\nwant %+v", c.text, got, want)
			}
		})
	}
}

func TestParsePlaceholders(t *testing.T) {
	for _, c := range []struct {
		values string
		params []int
	}{
		{"$1, $2", ps(1, 2)},
		{"$2, $1", ps(2, 1)},
		{"$12, $3", ps(12, 3)},
		{"?, ?", ps(1, 2)},
		{":event_id, :consumer_group", ps(1, 2)},
		{":e.event_id, :e.consumer_group", ps(1, 2)},
		{"@p1, @p2", ps(1, 2)},
		{"@event_id, @consumer_group", ps(1, 2)},
		{"?, now()", ps(1, 0)},
		{"now(), ?", ps(0, 1)},
		{"'x', ?", ps(0, 1)},
		{"7, $1", ps(0, 1)},
		{"NULL, $1", ps(0, 1)},
		{"lower($1), $2", ps(1, 2)},
		{"CAST($1 AS text), $2::text", ps(1, 2)},
		{"COALESCE(?, ?), ?", ps(1, 3)},
		{"'a, b', $1", ps(0, 1)},
		{"'x'::uuid, $1", ps(0, 1)},
		{"?::uuid, ?", ps(1, 2)},
		{"?::uuid,?+1", ps(1, 2)},
		{":a::uuid, :b", ps(1, 2)},
	} {
		t.Run(c.values, func(t *testing.T) {
			s := Parse("INSERT INTO t (a, b) VALUES (" + c.values + ")")
			if !reflect.DeepEqual(s.Params, c.params) {
				t.Errorf("Params = %v, want %v", s.Params, c.params)
			}
			if len(s.Columns) != 2 {
				t.Errorf("Columns = %v", s.Columns)
			}
		})
	}
	// A comparison with any of them makes a condition a key.
	for _, p := range []string{"$1", "?", ":id", "@id", "@p1"} {
		if s := Parse("UPDATE t SET a = 1 WHERE id = " + p); !s.Keyed {
			t.Errorf("WHERE id = %s: not keyed", p)
		}
	}
}

func TestParseRandomKey(t *testing.T) {
	for _, c := range []struct {
		values string
		want   bool
	}{
		{"gen_random_uuid(), $1", true},
		{"uuid_generate_v4(), $1", true},
		{"UUID(), ?", true},
		{"$1, gen_random_uuid()", false}, // not the first column
		{"uuidv7(), $1", false},
		{"$1, $2", false},
		{"$1::uuid, $2", false},
		{"CAST($1 AS uuid), $2", false},
		{"COALESCE($1, gen_random_uuid()), $2", false}, // the caller's, when there is one
	} {
		if got := Parse("INSERT INTO t (a, b) VALUES (" + c.values + ")").RandomKey; got != c.want {
			t.Errorf("VALUES (%s): RandomKey = %v, want %v", c.values, got, c.want)
		}
	}
}

func TestParseCommentsAndStrings(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       Conflict
	}{
		{"line comment before", "-- mark\nINSERT INTO t (a) VALUES ($1) ON CONFLICT DO NOTHING", Nothing},
		{"line comment inside", "INSERT INTO t (a) -- once\nVALUES ($1) -- only\nON CONFLICT DO NOTHING", Nothing},
		{"block comment inside", "INSERT /* x */ INTO t (a) VALUES ($1) /* y */ ON /* z */ CONFLICT DO NOTHING", Nothing},
		{"clause in a line comment", "INSERT INTO t (a) VALUES ($1) -- ON CONFLICT DO NOTHING", Fails},
		{"clause in a block comment", "INSERT INTO t (a) VALUES ($1) /* ON CONFLICT DO NOTHING */", Fails},
		{"clause in a string", "INSERT INTO t (a) VALUES ('on conflict do nothing')", Fails},
		{"quote in a string", "INSERT INTO t (a) VALUES ('it''s; -- fine') ON CONFLICT DO NOTHING", Nothing},
		{"semicolon in a string", "INSERT INTO t (a) VALUES (';') ON CONFLICT DO NOTHING", Nothing},
		{"dollar quotes", "INSERT INTO t (a) VALUES ($q$ ; on conflict $q$) ON CONFLICT DO NOTHING", Nothing},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := Parse(c.text)
			if s.Verb != Insert || s.Table != "t" || s.Conflict != c.want {
				t.Errorf("Parse(%q) = verb %d, table %q, conflict %d, want conflict %d", c.text, s.Verb, s.Table, s.Conflict, c.want)
			}
		})
	}
}

func TestParseSeveral(t *testing.T) {
	for _, c := range []struct {
		name, text string
		verb       Verb
		table      string
	}{
		{"setting first", "SET LOCAL lock_timeout = '1s'; INSERT INTO t (a) VALUES ($1) ON CONFLICT DO NOTHING;", Insert, "t"},
		{"two settings first", "SET a = 1; SET b = 2; UPDATE t SET a = 1", Update, "t"},
		{"BEGIN and COMMIT", "BEGIN; DELETE FROM t; COMMIT", Delete, "t"},
		{"empty statements first", ";; SELECT a FROM t", Select, "t"},
		{"the first of two", "INSERT INTO t (a) VALUES ($1); UPDATE u SET b = 1", Insert, "t"},
		{"a semicolon in a string", "SET a = ';'; SELECT a FROM t", Select, "t"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if s := Parse(c.text); s.Verb != c.verb || s.Table != c.table || s.Partial {
				t.Errorf("Parse(%q) = verb %d, table %q, partial %v, want verb %d, table %q", c.text, s.Verb, s.Table, s.Partial, c.verb, c.table)
			}
		})
	}
}

func TestParseOther(t *testing.T) {
	for _, text := range []string{
		"", " \n\t", ";", ";;;", "-- nothing", "/* nothing */", "BEGIN", "COMMIT;", "SET a = 1",
		"CREATE TABLE t (id uuid PRIMARY KEY)", "TRUNCATE t", "CALL f($1)", "select_all", ")",
	} {
		if s := Parse(text); s.Verb != Other || s.Table != "" || s.Partial {
			t.Errorf("Parse(%q) = %+v, want verb Other", text, s)
		}
	}
}

func TestParseHole(t *testing.T) {
	runParse(t, []parseCase{
		{"only a hole", Hole, Statement{Partial: true}},
		{"table", "INSERT INTO " + Hole + " (a) VALUES ($1) ON CONFLICT DO NOTHING",
			Statement{Verb: Insert, Table: Hole, Columns: ss("a"), Params: ps(1), Conflict: Nothing, Partial: true}},
		{"clause", "INSERT INTO t (a) VALUES ($1) " + Hole,
			Statement{Verb: Insert, Table: "t", Columns: ss("a"), Params: ps(1), Conflict: ConflictUnknown, Partial: true}},
		{"action", "INSERT INTO t (a) VALUES ($1) ON CONFLICT (a) " + Hole,
			Statement{Verb: Insert, Table: "t", Columns: ss("a"), Params: ps(1), Conflict: ConflictUnknown, Target: ss("a"), Partial: true}},
		{"condition", "UPDATE t SET a = $1 WHERE " + Hole,
			Statement{Verb: Update, Table: "t", Where: true, Guarded: true, Partial: true}},
		{"no hole in the condition", "UPDATE " + Hole + " SET a = $1 WHERE id = $2",
			Statement{Verb: Update, Table: Hole, Where: true, Keyed: true, Partial: true}},
	})
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"", ";", "(", ")", "((", "))", "with", "with (", "with a as", "with a as (", "with a as (insert", "with a as (insert into t) ,",
		"insert", "insert into", "insert into t (", "insert into t (a", "insert into t (a) values", "insert into t (a) values (",
		"insert into t (a) values ($1) on", "insert into t (a) values ($1) on conflict", "insert into t (a) values ($1) on conflict (",
		"insert into t (a) values ($1) on conflict (a) do", "insert into t (a) values ($1) on conflict do update set",
		"insert into t values (?) on duplicate", "insert into t values (?) on duplicate key update", "insert into t values (?) on duplicate key update a =",
		"merge", "merge into", "update", "update only", "update t set", "update t set a", "update t set a =", "update t set (a, b) = (1, 2) where a =",
		"update t where", "update t set a = 1 where =", "delete", "delete from", "delete from t where id =", "select", "select (", "select from", "select for",
		"copy", "replace", "insert into t (a) values ($99999999999999999999)", "values ('", `"`, "`", "[", "]", ":", ".", "a.", ".a", ": :", "$", "$$", "$a$", "--", "/*",
		"INSERT INTO processed_event (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT (event_id) DO NOTHING RETURNING event_id",
		"WITH ins AS (INSERT INTO t (a) VALUES (:a) ON CONFLICT DO NOTHING RETURNING a) UPDATE u SET n = n + 1 WHERE id = @id AND n IS NOT NULL",
		"SET x = ';'; SELECT EXISTS (SELECT 1 FROM `db`.`t` WHERE [a] = ?) FOR UPDATE",
		"INSERT INTO t (a) VALUES (E'\\'') /* " + Hole + " */ " + Hole,
		"insert into t values (\x00\xff)",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := Parse(text)
		if again := Parse(text); !reflect.DeepEqual(s, again) {
			t.Fatalf("two results for %q:\n%+v\n%+v", text, s, again)
		}
		if s.Verb > Delete || s.Conflict > ConflictUnknown {
			t.Fatalf("Parse(%q): verb %d, conflict %d", text, s.Verb, s.Conflict)
		}
		if s.Verb == Other && (s.Table != "" || s.Conflict != Fails || s.Guarded) {
			t.Fatalf("Parse(%q): verb Other with %+v", text, s)
		}
		if utf8.ValidString(text) && s.Table != strings.ToLower(s.Table) {
			t.Fatalf("Parse(%q): table %q is not in lower case", text, s.Table)
		}
	})
}

// What a second reading of real statements found.
func TestParseForms(t *testing.T) {
	const ins = "WITH ins AS (INSERT INTO seen (id) VALUES ($1) ON CONFLICT DO NOTHING RETURNING id) "
	for text, want := range map[string]Statement{
		"INSERT INTO t (a, b) VALUES (?, ?) AS new ON DUPLICATE KEY UPDATE b = new.b":                 {Verb: Insert, Table: "t", Conflict: Overwrites},
		"INSERT INTO t (a, b) VALUES (?, ?) ON DUPLICATE KEY UPDATE a = t.a":                          {Verb: Insert, Table: "t", Conflict: Nothing},
		"INSERT INTO t (a) VALUES (?) ON DUPLICATE KEY UPDATE id = LAST_INSERT_ID(id)":                {Verb: Insert, Table: "t", Conflict: Nothing},
		"MERGE INTO t USING s ON t.a = s.a WHEN MATCHED THEN DO NOTHING WHEN NOT MATCHED THEN INSERT": {Verb: Insert, Table: "t", Conflict: Nothing},
		"MERGE INTO t USING s ON t.a = s.a WHEN MATCHED THEN UPDATE SET b = 1":                        {Verb: Insert, Table: "t", Conflict: Overwrites},
		"INSERT t (a) VALUES (?)":                                                     {Verb: Insert, Table: "t"},
		"INSERT IGNORE t (a) VALUES (?)":                                              {Verb: Insert, Table: "t", Conflict: Nothing},
		"REPLACE t (a) VALUES (?)":                                                    {Verb: Insert, Table: "t", Conflict: Overwrites},
		"UPSERT INTO t (a) VALUES ($1)":                                               {Verb: Insert, Table: "t", Conflict: Overwrites},
		"UPDATE t SET done = true WHERE id = $1 AND NOT done":                         {Verb: Update, Table: "t", Guarded: true},
		"UPDATE t SET open = false WHERE open AND id = $1":                            {Verb: Update, Table: "t", Guarded: true},
		"UPDATE t SET done = true WHERE id = $1 AND NOT late":                         {Verb: Update, Table: "t"},
		"UPDATE t SET (status, ref) = ('open', $2) WHERE id = $1 AND status = 'shut'": {Verb: Update, Table: "t", Guarded: true},
		"WITH ins AS (INSERT INTO seen (id) VALUES ($1) ON CONFLICT DO NOTHING RETURNING 1) UPDATE t SET n = n + 1 WHERE id = $2":                                {Verb: Update, Table: "t", Relative: true},
		"WITH ins AS (INSERT INTO seen (id) VALUES ($1) ON CONFLICT DO NOTHING RETURNING 1) UPDATE t SET n = n + 1 WHERE id = $2 AND EXISTS (SELECT 1 FROM ins)": {Verb: Update, Table: "t", Relative: true, Guarded: true},
		"WITH ins (x) AS MATERIALIZED (INSERT INTO seen (id) VALUES ($1) ON CONFLICT DO NOTHING RETURNING 1) UPDATE t SET n = n + 1 FROM ins WHERE id = $2":      {Verb: Update, Table: "t", Relative: true, Guarded: true},
		"SELECT EXTRACT(year FROM ts) FROM t WHERE id = $1":                               {Verb: Select, Table: "t"},
		"UPDATE LOW_PRIORITY t SET a = 1":                                                 {Verb: Update, Table: "t"},
		"UPDATE OR IGNORE t SET a = 1":                                                    {Verb: Update, Table: "t"},
		"DELETE FROM ONLY t WHERE id = $1":                                                {Verb: Delete, Table: "t"},
		"UPDATE OR ROLLBACK t SET a = 1":                                                  {Verb: Update, Table: "t"},
		"MERGE INTO ONLY t USING s ON t.a = s.a WHEN NOT MATCHED THEN INSERT":             {Verb: Insert, Table: "t", Conflict: Nothing},
		"INSERT INTO s.t (a) VALUES (?) ON DUPLICATE KEY UPDATE a = s.t.a":                {Verb: Insert, Table: "t", Conflict: Nothing},
		"INSERT INTO t (a, b) VALUES (?, ?) AS n(x, y) ON DUPLICATE KEY UPDATE b = y":     {Verb: Insert, Table: "t", Conflict: Overwrites},
		"INSERT INTO t (n) VALUES (?) AS x ON DUPLICATE KEY UPDATE n = x.n + 1":           {Verb: Insert, Table: "t", Conflict: Overwrites},
		"INSERT INTO t (n) VALUES (?) AS x ON DUPLICATE KEY UPDATE n = t.n + x.n":         {Verb: Insert, Table: "t", Conflict: Overwrites, Relative: true},
		"INSERT INTO t (n) VALUES (?) ON DUPLICATE KEY UPDATE n = VALUES(n) + 1":          {Verb: Insert, Table: "t", Conflict: Overwrites},
		"INSERT INTO t SET a = ?, b = ? AS new ON DUPLICATE KEY UPDATE b = new.b":         {Verb: Insert, Table: "t", Conflict: Overwrites},
		"INSERT INTO t SET a = ?, b = ? ON DUPLICATE KEY UPDATE a = a":                    {Verb: Insert, Table: "t", Conflict: Nothing},
		"UPDATE t SET done = true WHERE id = $1 AND done":                                 {Verb: Update, Table: "t"},
		"UPDATE t SET done = false WHERE id = $1 AND NOT done":                            {Verb: Update, Table: "t"},
		"UPDATE t SET done = true WHERE NOT (t.done) AND id = $1":                         {Verb: Update, Table: "t", Guarded: true},
		"UPDATE t SET done = true WHERE id = ? AND !done":                                 {Verb: Update, Table: "t", Guarded: true},
		"UPDATE t SET done = true WHERE id = $1 AND NOT done RETURNING id":                {Verb: Update, Table: "t", Guarded: true, Returning: true},
		"UPDATE t SET done = true WHERE id = $1 AND (late OR NOT done)":                   {Verb: Update, Table: "t"},
		"UPDATE t SET status = 'open' WHERE id = $1 AND 'shut' = status":                  {Verb: Update, Table: "t", Guarded: true},
		"UPDATE t SET (n, ref) = (n + 1, $2) WHERE id = $1 AND n < 3":                     {Verb: Update, Table: "t", Relative: true},
		"UPDATE t SET (n, ref) = ROW(n + 1, $2) WHERE id = $1":                            {Verb: Update, Table: "t", Relative: true},
		"UPDATE t SET (n, ref) = (SELECT n + 1, b FROM u) WHERE id = $1 AND ref = 'a'":    {Verb: Update, Table: "t", Guarded: true},
		"DELETE FROM t WHERE id = $1 RETURNING id":                                        {Verb: Delete, Table: "t", Returning: true},
		"SELECT a FROM (SELECT b FROM s.t WHERE id = $1) q":                               {Verb: Select, Table: "t"},
		"WITH q AS (SELECT 1 FROM u) SELECT EXISTS (SELECT 1 FROM t WHERE id = $1)":       {Verb: Select, Table: "t", OneRow: true},
		ins + "UPDATE t SET n = n + 1 WHERE ins = 1":                                      {Verb: Update, Table: "t", Relative: true},
		ins + "UPDATE t ins SET n = n + 1 WHERE ins.id = $2":                              {Verb: Update, Table: "t", Relative: true},
		ins + "UPDATE t SET n = n + 1 FROM ins i WHERE t.id = i.id":                       {Verb: Update, Table: "t", Relative: true, Guarded: true},
		ins + "DELETE FROM t USING ins WHERE t.id = ins.id":                               {Verb: Delete, Table: "t", Guarded: true},
		ins + "SELECT EXISTS (SELECT 1 FROM ins)":                                         {Verb: Insert, Table: "seen", Conflict: Nothing, Returning: true, OneRow: true},
		ins + "SELECT count(*) FROM ins":                                                  {Verb: Insert, Table: "seen", Conflict: Nothing, Returning: true, OneRow: true},
		strings.Replace(ins, " AS (", " AS NOT MATERIALIZED (", 1) + "SELECT id FROM ins": {Verb: Insert, Table: "seen", Conflict: Nothing, Returning: true},
	} {
		got := Parse(text)
		if got.Verb != want.Verb || got.Table != want.Table || got.Conflict != want.Conflict || got.Guarded != want.Guarded ||
			got.Relative != want.Relative || got.Returning != want.Returning || got.OneRow != want.OneRow {
			t.Errorf("%s:\n got %+v\nwant %+v", text, shape(got), want)
		}
	}
	s := Parse("INSERT INTO t SET a = ?, b = UPPER(?), c = 'x'")
	if !slices.Equal(s.Columns, []string{"a", "b", "c"}) || !slices.Equal(s.Params, []int{1, 2, 0}) {
		t.Errorf("INSERT … SET: columns %v, parameters %v", s.Columns, s.Params)
	}
	if s := Parse("INSERT INTO t SET id = UUID(), b = ?"); !s.RandomKey || !slices.Equal(s.Drawn, []int{0}) {
		t.Errorf("INSERT … SET: random key %v, drawn %v", s.RandomKey, s.Drawn)
	}
	for text, want := range map[string][]int{
		"$1::uuid, CAST($2 AS uuid)":            nil,
		"'x'::uuid, $1":                         nil,
		"uuid(), ?":                             {0},
		"$1, gen_random_uuid()":                 {1},
		"CAST(gen_random_uuid() AS text), $1":   {0},
		"gen_random_uuid()::text, uuid_nil()":   {0},
		"COALESCE($1, gen_random_uuid()), NULL": nil,
	} {
		if got := Parse("INSERT INTO t (a, b) VALUES (" + text + ")").Drawn; !slices.Equal(got, want) {
			t.Errorf("VALUES (%s): drawn %v, want %v", text, got, want)
		}
	}
	for _, text := range []string{
		"SELECT 1 FROM t WHERE $1 = id", "SELECT EXISTS (SELECT 1 FROM t WHERE $1 = id)",
		"UPDATE t SET a = 1 WHERE ? = id", "DELETE FROM t WHERE :id = id",
	} {
		if !Parse(text).Keyed {
			t.Errorf("%s: a reversed comparison is not keyed", text)
		}
	}
	u := Parse("UPDATE t SET (status, ref) = ('open', $2) WHERE id = $1 AND status = 'shut'")
	if !slices.Equal(u.set, []string{"status", "ref"}) {
		t.Errorf("a row assignment: columns %v", u.set)
	}
}
