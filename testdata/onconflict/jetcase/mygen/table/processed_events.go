// Package table holds tables in the form that jet generates.
package table

import (
	"github.com/go-jet/jet/v2/mysql"
)

// ProcessedEvents is the table processed_events, in the form that jet generates.
var ProcessedEvents = newProcessedEventsTable("harbour", "processed_events", "")

type processedEventsTable struct {
	mysql.Table

	// Columns
	EventID     mysql.ColumnString
	ProcessedAt mysql.ColumnTimestamp

	AllColumns     mysql.ColumnList
	MutableColumns mysql.ColumnList
	DefaultColumns mysql.ColumnList
}

// ProcessedEventsTable is the table's type.
type ProcessedEventsTable struct {
	processedEventsTable

	NEW processedEventsTable
}

// AS creates new ProcessedEventsTable with assigned alias
func (a ProcessedEventsTable) AS(alias string) *ProcessedEventsTable {
	return newProcessedEventsTable(a.SchemaName(), a.TableName(), alias)
}

// FromSchema creates new ProcessedEventsTable with assigned schema name
func (a ProcessedEventsTable) FromSchema(schemaName string) *ProcessedEventsTable {
	return newProcessedEventsTable(schemaName, a.TableName(), a.Alias())
}

func newProcessedEventsTable(schemaName, tableName, alias string) *ProcessedEventsTable {
	return &ProcessedEventsTable{
		processedEventsTable: newProcessedEventsTableImpl(schemaName, tableName, alias),
		NEW:                  newProcessedEventsTableImpl("", "new", ""),
	}
}

func newProcessedEventsTableImpl(schemaName, tableName, alias string) processedEventsTable {
	var (
		EventIDColumn     = mysql.StringColumn("event_id")
		ProcessedAtColumn = mysql.TimestampColumn("processed_at")
		allColumns        = mysql.ColumnList{EventIDColumn, ProcessedAtColumn}
		mutableColumns    = mysql.ColumnList{ProcessedAtColumn}
		defaultColumns    = mysql.ColumnList{}
	)

	return processedEventsTable{
		Table: mysql.NewTable(schemaName, tableName, alias, allColumns...),

		// Columns
		EventID:     EventIDColumn,
		ProcessedAt: ProcessedAtColumn,

		AllColumns:     allColumns,
		MutableColumns: mutableColumns,
		DefaultColumns: defaultColumns,
	}
}
