package schema

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/idemlint/idemlint/internal/settings"
)

// What is wrong with the table, as the word that tells the three faults apart.
const (
	fine        = ""
	noKey       = "no primary key"
	noGroup     = "records the consumer group"
	perDelivery = "differs at each delivery"
)

var judged = map[string]struct{ sql, want string }{
	"postgres, right":             {`CREATE TABLE processed_event (event_id UUID NOT NULL, consumer_group TEXT NOT NULL, processed_at TIMESTAMPTZ NOT NULL DEFAULT now(), PRIMARY KEY (event_id, consumer_group))`, fine},
	"key on the column, no group": {`CREATE TABLE IF NOT EXISTS "public"."processed_events" ("event_id" uuid PRIMARY KEY, "processed_at" timestamptz DEFAULT CURRENT_TIMESTAMP);`, fine},
	"unique on the column":        {`create table processed_messages (id bigserial primary key, message_id varchar(64) not null unique, created_at timestamp default now())`, fine},
	"a unique index":              {"CREATE TABLE inbox (id SERIAL PRIMARY KEY, event_id uuid NOT NULL);\nCREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS inbox_event_id_uq ON public.inbox USING btree (event_id);", fine},
	"a later constraint":          {`CREATE TABLE inbox (event_id uuid NOT NULL); ALTER TABLE ONLY inbox ADD CONSTRAINT inbox_pkey PRIMARY KEY (event_id);`, fine},
	"mysql":                       {"CREATE TABLE `processed_event` (`event_id` BINARY(16) NOT NULL, `consumer_group` VARCHAR(100) NOT NULL, `processed_at` DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6), PRIMARY KEY (`event_id`, `consumer_group`), KEY `ix_at` (`processed_at`)) ENGINE=InnoDB", fine},
	"mysql unique key":            {"CREATE TABLE inbox_messages (id INT AUTO_INCREMENT PRIMARY KEY, message_id CHAR(36) NOT NULL, UNIQUE KEY uq_message (message_id(36) ASC))", fine},
	"sqlite":                      {"CREATE TABLE processed_event (event_id TEXT PRIMARY KEY, seen INTEGER DEFAULT (unixepoch())) WITHOUT ROWID", fine},
	"partition by the id":         {`CREATE TABLE processed_event (event_id UUID NOT NULL, consumer_group TEXT NOT NULL, PRIMARY KEY (event_id, consumer_group)) PARTITION BY RANGE (event_id); CREATE TABLE processed_event_1 PARTITION OF processed_event FOR VALUES FROM ('a') TO ('b')`, fine},
	"the event's own time":        {`CREATE TABLE processed_event (event_id UUID, occurred_at TIMESTAMPTZ NOT NULL, PRIMARY KEY (event_id, occurred_at)) PARTITION BY RANGE (occurred_at)`, fine},
	"another table":               {`CREATE TABLE orders (event_id UUID, note TEXT)`, fine},
	"its archive":                 {`CREATE TABLE processed_event_archive (event_id UUID, archived_at timestamptz)`, fine},
	"a copy":                      {`CREATE TABLE inbox (LIKE other INCLUDING ALL)`, fine},
	"as select":                   {`CREATE TABLE inbox AS SELECT * FROM other`, fine},
	"a key called key":            {`CREATE TABLE dedup_keys (key VARCHAR(255) PRIMARY KEY, expires_at TIMESTAMPTZ)`, fine},
	"id as text":                  {`CREATE TABLE inbox (id TEXT PRIMARY KEY, topic TEXT, payload JSONB)`, fine},
	"a row's number only":         {`CREATE TABLE inbox (id BIGSERIAL PRIMARY KEY, payload JSONB, headers JSONB)`, fine},
	"partial":                     {`CREATE TABLE inbox (event_id UUID, done BOOL); CREATE UNIQUE INDEX u ON inbox (event_id) WHERE done`, fine},
	"dropped":                     {`CREATE TABLE inbox (event_id UUID); DROP TABLE inbox`, fine},
	"renamed to it":               {`CREATE TABLE seen (event_id UUID PRIMARY KEY, at timestamptz); ALTER TABLE seen RENAME TO processed_event`, fine},
	"group in two keys":           {`CREATE TABLE inbox (id UUID PRIMARY KEY DEFAULT gen_random_uuid(), event_id UUID, consumer TEXT, UNIQUE (event_id, consumer))`, fine},
	"checks and comments":         {"-- the gate\nCREATE TABLE processed_event (\n event_id UUID, -- v7\n handler TEXT CHECK (handler <> ''), /* who */\n CONSTRAINT pk PRIMARY KEY (event_id, handler),\n CHECK (event_id IS NOT NULL),\n FOREIGN KEY (handler) REFERENCES handlers (name) ON DELETE CASCADE\n)", fine},

	"none":                    {`CREATE TABLE processed_event (event_id UUID NOT NULL, processed_at TIMESTAMPTZ DEFAULT now())`, noKey},
	"a number is the key":     {`CREATE TABLE processed_events (id BIGSERIAL PRIMARY KEY, event_id UUID NOT NULL, processed_at TIMESTAMPTZ)`, noKey},
	"an index that is none":   {`CREATE TABLE inbox (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, event_id UUID NOT NULL); CREATE INDEX ON inbox (event_id)`, noKey},
	"the key is dropped":      {`CREATE TABLE inbox (event_id UUID PRIMARY KEY, topic TEXT); ALTER TABLE inbox DROP CONSTRAINT inbox_pkey`, noKey},
	"the index is dropped":    {`CREATE TABLE inbox (event_id UUID, topic TEXT); CREATE UNIQUE INDEX inbox_u ON inbox (event_id); DROP INDEX IF EXISTS inbox_u`, noKey},
	"by its row, other name":  {`CREATE TABLE marks (event_id UUID, consumer TEXT, processed_at timestamptz)`, noKey},
	"mysql key is no unique":  {"CREATE TABLE inbox (id INT AUTO_INCREMENT, event_id CHAR(36), PRIMARY KEY (id), KEY ix (event_id))", noKey},
	"the group is not in it":  {`CREATE TABLE processed_event (event_id UUID PRIMARY KEY, consumer_group TEXT NOT NULL)`, noGroup},
	"a column added later":    {`CREATE TABLE inbox (event_id UUID PRIMARY KEY, payload TEXT); ALTER TABLE inbox ADD COLUMN consumer TEXT NOT NULL DEFAULT ''`, noGroup},
	"the style guide's":       {`CREATE TABLE processed_event (event_id UUID NOT NULL, processed_at TIMESTAMPTZ NOT NULL DEFAULT now(), PRIMARY KEY (event_id, processed_at)) PARTITION BY RANGE (processed_at)`, perDelivery},
	"with the group too":      {`CREATE TABLE processed_event (event_id UUID, consumer_group TEXT, received_at TIMESTAMPTZ, CONSTRAINT pk PRIMARY KEY (event_id, consumer_group, received_at))`, perDelivery},
	"created_at with default": {`CREATE TABLE inbox (event_id UUID, created_at TIMESTAMP DEFAULT (NOW() AT TIME ZONE 'utc'), UNIQUE (event_id, created_at))`, perDelivery},
	"a number in the key":     {`CREATE TABLE inbox (id BIGSERIAL, event_id UUID, PRIMARY KEY (id, event_id))`, perDelivery},
	"an attempt in the key":   {`CREATE TABLE inbox (event_id UUID, attempt INT, PRIMARY KEY (event_id, attempt))`, perDelivery},
	"a default set later":     {`CREATE TABLE inbox (event_id UUID, at TIMESTAMPTZ, PRIMARY KEY (event_id, at)); ALTER TABLE inbox ALTER COLUMN at SET DEFAULT now()`, perDelivery},
	"spoiled, then mended":    {`CREATE TABLE inbox (event_id UUID, at TIMESTAMPTZ DEFAULT now(), PRIMARY KEY (event_id, at)); ALTER TABLE inbox DROP CONSTRAINT inbox_pkey, ADD PRIMARY KEY (event_id)`, fine},
	"two statements, renamed": {`CREATE TABLE inbox (ev UUID, at TIMESTAMPTZ DEFAULT now()); ALTER TABLE inbox RENAME COLUMN ev TO event_id; ALTER TABLE inbox ADD CONSTRAINT u UNIQUE (event_id)`, fine},
}

func TestJudge(t *testing.T) {
	names := &settings.Settings{}
	for name, c := range judged {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, table := range Read([]*Source{{Name: "a.sql", Text: c.sql}}).Tables {
				if table.Dedup(names) {
					for _, f := range table.Judge(names) {
						got = append(got, f.Message)
					}
				}
			}
			switch {
			case c.want == fine && len(got) > 0:
				t.Errorf("%q", got)
			case c.want != fine && (len(got) != 1 || !strings.Contains(got[0], c.want)):
				t.Errorf("%q, want one with %q", got, c.want)
			}
		})
	}
}

func TestEnds(t *testing.T) {
	const table = `CREATE TABLE processed_event (event_id UUID PRIMARY KEY, processed_at TIMESTAMPTZ DEFAULT now());`
	for text, want := range map[string]bool{
		table: false,
		table + `DELETE FROM processed_event WHERE processed_at < now() - interval '7 days'`:                                                    true,
		table + `DELETE FROM processed_event WHERE event_id = $1 AND consumer_group = $2`:                                                       false,
		table + `DELETE FROM processed_event`:                                                                                                   true,
		table + `DELETE FROM processed_order WHERE processed_at < now()`:                                                                        false,
		table + `-- DELETE FROM processed_event WHERE processed_at < now()`:                                                                     false,
		table + `CREATE INDEX ix_prune ON processed_event (processed_at)`:                                                                       false,
		table + `SELECT cron.schedule('0 3 * * *', $$DELETE FROM public.processed_event WHERE processed_at < now() - interval '7 days'$$)`:      true,
		table + `SELECT cron.schedule('0 3 * * *', 'DELETE FROM processed_event WHERE processed_at < now()')`:                                   true,
		table + `CREATE EVENT purge ON SCHEDULE EVERY 1 DAY DO DELETE FROM processed_event WHERE processed_at < NOW() - INTERVAL 7 DAY`:         true,
		table + `SELECT partman.create_parent(p_parent_table := 'public.processed_event', p_control := 'processed_at')`:                         true,
		table + `CREATE FUNCTION purge() RETURNS void AS $body$ BEGIN DELETE FROM processed_event; END $body$ LANGUAGE plpgsql`:                 true,
		`CREATE TABLE processed_event (event_id UUID PRIMARY KEY) PARTITION BY RANGE (event_id)`:                                                true,
		`CREATE TABLE processed_event (event_id UUID PRIMARY KEY); ALTER TABLE processed_event DETACH PARTITION processed_event_1 CONCURRENTLY`: true,
	} {
		if got := Read([]*Source{{Text: text}}).Ends("processed_event"); got != want {
			t.Errorf("%t for %s", got, text)
		}
	}
}

// Sections, order and places of the tools' files.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.com/x\n")
	write("db/migrations/9_inbox.up.sql", "CREATE TABLE inbox (event_id UUID, at TIMESTAMPTZ DEFAULT now(), PRIMARY KEY (event_id, at))")
	write("db/migrations/10_fix.up.sql", "ALTER TABLE inbox DROP CONSTRAINT inbox_pkey; ALTER TABLE inbox ADD PRIMARY KEY (event_id)")
	write("db/migrations/10_fix.down.sql", "DROP TABLE inbox")
	write("db/migrations/11_goose.sql", "-- +goose Up\n-- +goose StatementBegin\nCREATE TABLE seen_event (\n  event_id UUID\n);\n-- +goose StatementEnd\n\n-- +goose Down\nDROP TABLE seen_event;\n")
	write("db/migrations/12_dbmate.sql", "-- migrate:up\nCREATE TABLE dedup (event_id UUID PRIMARY KEY);\n-- migrate:down\nDROP TABLE dedup;\n")
	write("db/migrations/013_tern.sql", "CREATE TABLE dedup_key (event_id UUID PRIMARY KEY);\n---- create above / drop below ----\nDROP TABLE dedup_key;\n")
	write("db/migrations/U14__undo.sql", "DROP TABLE dedup_key")
	write("db/migrations/.hidden/x.sql", "DROP TABLE dedup_key")
	write("internal/store/store.go", "package store\n")

	s, err := Near(filepath.Join(dir, "internal", "store"), ModuleRoot(filepath.Join(dir, "internal", "store")), "inbox")
	if err != nil || s == nil {
		t.Fatalf("%v, %v", s, err)
	}
	for _, name := range []string{"inbox", "seen_event", "dedup", "dedup_key"} {
		if s.Tables[name] == nil {
			t.Fatalf("no table %s", name)
		}
	}
	if k := s.Tables["inbox"].Keys; len(k) != 1 || !slices.Equal(k[0].Columns, []string{"event_id"}) {
		t.Errorf("inbox has %+v: 10 comes after 9", k)
	}
	p := s.Tables["seen_event"].Place
	if p.Source.Name != "db/migrations/11_goose.sql" || p.Line() != 3 {
		t.Errorf("seen_event stands in %s:%d", p.Source.Name, p.Line())
	}
	write("db/migrations/embed.go", "package migrations\n\nimport \"embed\"\n\n//go:embed *.sql\nvar FS embed.FS\n")
	if s, err := Near(dir, dir, "inbox"); s != nil || err != nil {
		t.Errorf("%v, %v: the package that embeds the files is judged there", s, err)
	}
	if _, err := ReadAll(dir, []string{"nowhere"}); err == nil {
		t.Error("no error for a place that is not there")
	}
}
