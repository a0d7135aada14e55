// Package table holds tables in the form that jet generates.
package table

import (
	"github.com/go-jet/jet/v2/postgres"
)

// Berths is the table berths, in the form that jet generates.
var Berths = newBerthsTable("public", "berths", "")

type berthsTable struct {
	postgres.Table

	// Columns
	ID    postgres.ColumnString
	Ships postgres.ColumnInteger

	AllColumns     postgres.ColumnList
	MutableColumns postgres.ColumnList
	DefaultColumns postgres.ColumnList
}

// BerthsTable is the table's type.
type BerthsTable struct {
	berthsTable

	EXCLUDED berthsTable
}

// AS creates new BerthsTable with assigned alias
func (a BerthsTable) AS(alias string) *BerthsTable {
	return newBerthsTable(a.SchemaName(), a.TableName(), alias)
}

// FromSchema creates new BerthsTable with assigned schema name
func (a BerthsTable) FromSchema(schemaName string) *BerthsTable {
	return newBerthsTable(schemaName, a.TableName(), a.Alias())
}

func newBerthsTable(schemaName, tableName, alias string) *BerthsTable {
	return &BerthsTable{
		berthsTable: newBerthsTableImpl(schemaName, tableName, alias),
		EXCLUDED:    newBerthsTableImpl("", "excluded", ""),
	}
}

func newBerthsTableImpl(schemaName, tableName, alias string) berthsTable {
	var (
		IDColumn       = postgres.StringColumn("id")
		ShipsColumn    = postgres.IntegerColumn("ships")
		allColumns     = postgres.ColumnList{IDColumn, ShipsColumn}
		mutableColumns = postgres.ColumnList{ShipsColumn}
		defaultColumns = postgres.ColumnList{}
	)

	return berthsTable{
		Table: postgres.NewTable(schemaName, tableName, alias, allColumns...),

		// Columns
		ID:    IDColumn,
		Ships: ShipsColumn,

		AllColumns:     allColumns,
		MutableColumns: mutableColumns,
		DefaultColumns: defaultColumns,
	}
}
