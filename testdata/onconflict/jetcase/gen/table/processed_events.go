package table

import (
	"github.com/go-jet/jet/v2/postgres"
)

// ProcessedEvents is the table processed_events, in the form that jet generates.
var ProcessedEvents = newProcessedEventsTable("public", "processed_events", "")

type processedEventsTable struct {
	postgres.Table

	// Columns
	EventID       postgres.ColumnString
	ConsumerGroup postgres.ColumnString
	ProcessedAt   postgres.ColumnTimestampz

	AllColumns     postgres.ColumnList
	MutableColumns postgres.ColumnList
	DefaultColumns postgres.ColumnList
}

// ProcessedEventsTable is the table's type.
type ProcessedEventsTable struct {
	processedEventsTable

	EXCLUDED processedEventsTable
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
		EXCLUDED:             newProcessedEventsTableImpl("", "excluded", ""),
	}
}

func newProcessedEventsTableImpl(schemaName, tableName, alias string) processedEventsTable {
	var (
		EventIDColumn       = postgres.StringColumn("event_id")
		ConsumerGroupColumn = postgres.StringColumn("consumer_group")
		ProcessedAtColumn   = postgres.TimestampzColumn("processed_at")
		allColumns          = postgres.ColumnList{EventIDColumn, ConsumerGroupColumn, ProcessedAtColumn}
		mutableColumns      = postgres.ColumnList{ProcessedAtColumn}
		defaultColumns      = postgres.ColumnList{}
	)

	return processedEventsTable{
		Table: postgres.NewTable(schemaName, tableName, alias, allColumns...),

		// Columns
		EventID:       EventIDColumn,
		ConsumerGroup: ConsumerGroupColumn,
		ProcessedAt:   ProcessedAtColumn,

		AllColumns:     allColumns,
		MutableColumns: mutableColumns,
		DefaultColumns: defaultColumns,
	}
}
