package idemsql

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/idemlint/idemlint/idem"
)

// onConflict names the conflict target, so that a table with another key fails loudly
// instead of accepting every event again.
const onConflict = " ON CONFLICT (event_id, consumer_group) DO NOTHING"

type postgres struct{}

func (postgres) claim(ctx context.Context, cfg idem.Config, tx Querier, claims []idem.Event) ([]bool, error) {
	kind := "uuid"
	if cfg.Schema == idem.Plain {
		kind = "text"
	}
	first := make([]bool, len(claims))
	// The parameters are texts to every driver, and become arrays in the server.
	into := "INSERT INTO " + cfg.Table + " (event_id, consumer_group) "
	if len(claims) == 1 {
		result, err := tx.ExecContext(ctx, into+"VALUES ($1::text::"+kind+", $2::text)"+onConflict, claims[0].ID, claims[0].Group)
		if err != nil {
			return nil, err
		}
		n, err := result.RowsAffected()
		first[0] = n == 1
		return first, err
	}
	ids, groups := make([]string, len(claims)), make([]string, len(claims))
	for i, c := range claims {
		ids[i], groups[i] = c.ID, c.Group
	}
	rows, err := tx.QueryContext(ctx, into+"SELECT * FROM unnest($1::text::"+kind+"[], $2::text::text[])"+onConflict+" RETURNING event_id::text, consumer_group", array(ids), array(groups))
	if err != nil {
		return nil, err
	}
	return first, returned(rows, claims, first)
}

// array writes texts as PostgreSQL's array literal.
func array(texts []string) string {
	quote := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	var b strings.Builder
	for i, text := range texts {
		b.WriteString([]string{`{"`, `","`}[min(i, 1)])
		b.WriteString(quote.Replace(text))
	}
	b.WriteString(`"}`)
	return b.String()
}

func (postgres) lock(table string) (begin, end, abandon []string) {
	return []string{"BEGIN", "SELECT pg_advisory_xact_lock(hashtextextended('idem migrate " + table + "', 0))"}, []string{"COMMIT"}, []string{"ROLLBACK"}
}

func (postgres) prune(table string, rows int) string {
	return fmt.Sprintf("DELETE FROM %[1]s WHERE ctid = ANY (ARRAY(SELECT ctid FROM %[1]s WHERE processed_at < now() - make_interval(secs => $1) ORDER BY processed_at LIMIT %[2]d))", table, rows)
}

func (postgres) placeholder() string { return "$1" }

type mysql struct{}

// claim marks the rows that it inserts with a random claim, and asks which bear it.
// INSERT IGNORE would swallow other errors too, such as a value that does not fit, and
// the number of affected rows, 1 for a new row and 0 for an old one, is 1 for both with
// CLIENT_FOUND_ROWS.
func (mysql) claim(ctx context.Context, cfg idem.Config, tx Querier, claims []idem.Event) ([]bool, error) {
	var mark [16]byte
	if _, err := rand.Read(mark[:]); err != nil {
		return nil, err
	}
	first := make([]bool, len(claims))
	done := 0
	for chunk := range slices.Chunk(claims, 10000) { // a statement has at most 65535 parameters
		insert := make([]any, 0, 3*len(chunk))
		ids := []any{mark[:]}
		for _, c := range chunk {
			insert = append(insert, []byte(c.ID), []byte(c.Group), mark[:])
			ids = append(ids, []byte(c.ID))
		}
		_, err := tx.ExecContext(ctx, "INSERT INTO "+cfg.Table+" (event_id, consumer_group, claim) VALUES "+list("(?, ?, ?)", len(chunk))+" ON DUPLICATE KEY UPDATE event_id = "+cfg.Table+".event_id", insert...)
		if err != nil {
			return nil, err
		}
		rows, err := tx.QueryContext(ctx, "SELECT event_id, consumer_group FROM "+cfg.Table+" WHERE claim = ? AND event_id IN ("+list("?", len(chunk))+")", ids...)
		if err != nil {
			return nil, err
		}
		if err := returned(rows, chunk, first[done:done+len(chunk)]); err != nil {
			return nil, err
		}
		done += len(chunk)
	}
	return first, nil
}

func list(item string, n int) string { return strings.Repeat(item+", ", n-1) + item }

func (mysql) lock(table string) (begin, end, abandon []string) {
	release := []string{"DO RELEASE_LOCK('idem migrate " + table + "')"}
	return []string{"DO GET_LOCK('idem migrate " + table + "', 60)"}, release, release
}

func (mysql) prune(table string, rows int) string {
	return fmt.Sprintf("DELETE FROM %s WHERE processed_at < CURRENT_TIMESTAMP(3) - INTERVAL ? SECOND ORDER BY processed_at LIMIT %d", table, rows)
}

func (mysql) placeholder() string { return "?" }

type sqlite struct{}

func (sqlite) claim(ctx context.Context, cfg idem.Config, tx Querier, claims []idem.Event) ([]bool, error) {
	pairs := make([][2]string, len(claims))
	for i, c := range claims {
		pairs[i] = [2]string{c.ID, c.Group}
	}
	encoded, err := json.Marshal(pairs)
	if err != nil {
		return nil, err
	}
	// WHERE true keeps the parser from taking ON for a join's.
	rows, err := tx.QueryContext(ctx, "INSERT INTO "+cfg.Table+" (event_id, consumer_group) SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?) WHERE true"+onConflict+" RETURNING event_id, consumer_group", string(encoded))
	if err != nil {
		return nil, err
	}
	first := make([]bool, len(claims))
	return first, returned(rows, claims, first)
}

func (sqlite) lock(string) (begin, end, abandon []string) {
	return []string{"BEGIN IMMEDIATE"}, []string{"COMMIT"}, []string{"ROLLBACK"}
}

func (sqlite) prune(table string, rows int) string {
	return fmt.Sprintf("DELETE FROM %[1]s WHERE (event_id, consumer_group) IN (SELECT event_id, consumer_group FROM %[1]s WHERE processed_at < CAST(strftime('%%s', 'now') AS INTEGER) - ? LIMIT %[2]d)", table, rows)
}

func (sqlite) placeholder() string { return "?" }
