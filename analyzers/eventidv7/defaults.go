package eventidv7

import (
	"fmt"
	"maps"
	"slices"

	"github.com/idemlint/idemlint/internal/event"
	"github.com/idemlint/idemlint/internal/report"
	"github.com/idemlint/idemlint/internal/rule"
	"github.com/idemlint/idemlint/internal/schema"
)

// defaults reports the event ids of outbox tables that the database makes up by the
// column's default.
func defaults(p *rule.Pass) error {
	sql, err := p.SQL()
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(sql.Schema.Tables)) {
		t := sql.Schema.Tables[name]
		for _, c := range t.Columns {
			if !event.IDColumn(t.Name, c.Name, p.Settings) || !schema.DrawsV4(c.Default) {
				continue
			}
			p.Report(report.Finding{
				Pos: sql.Texts.Pos(t.At(c)),
				Message: sql.Texts.In(t.At(c), fmt.Sprintf("the event id %s.%s defaults to %s, which makes no version 7: random keys land all over the B-tree of every processed_event table; generate a UUID v7 in the code that creates the event, and bind it",
					t.Name, c.Name, c.Default)),
			})
		}
	}
	return nil
}
