package catalog

// ORMs and statement builders.

const gorm = "gorm.io/gorm"

func init() {
	register(entry{
		libs: []Library{{gorm, Stores}},
		rows: func() []Row {
			return rows(
				[]Row{
					{Name: gorm + ".Open", Verb: Open},
					{Name: "(*" + gorm + ".DB).Begin", Verb: Begin, Handle: Recv},
					{Name: "(*" + gorm + ".DB).Commit", Verb: Commit, Handle: Recv},
					{Name: "(*" + gorm + ".DB).Rollback", Verb: Rollback, Handle: Recv},
					{Name: "(*" + gorm + ".DB).Transaction", Verb: InTx, Handle: Recv, Fn: A0},
					{Name: "(*" + gorm + ".DB).Create", Verb: Run, Handle: Recv, Part: PartInsert, Model: A0},
					{Name: "(*" + gorm + ".DB).CreateInBatches", Verb: Run, Handle: Recv, Part: PartInsert, Model: A0},
					{Name: "(*" + gorm + ".DB).Save", Verb: Run, Handle: Recv, Part: PartSave, Model: A0},
					{Name: "(*" + gorm + ".DB).FirstOrCreate", Verb: Run, Handle: Recv, Part: PartInsert, Model: A0, Kind: "select first"},
					{Name: "(*" + gorm + ".DB).Delete", Verb: Run, Handle: Recv, Part: PartDelete, Model: A0},
					{Name: "(*" + gorm + ".DB).Update", Verb: Run, Handle: Recv, Part: PartSet},
					{Name: "(*" + gorm + ".DB).UpdateColumn", Verb: Run, Handle: Recv, Part: PartSet},
					{Name: "(*" + gorm + ".DB).Updates", Verb: Run, Handle: Recv, Part: PartSet},
					{Name: "(*" + gorm + ".DB).UpdateColumns", Verb: Run, Handle: Recv, Part: PartSet},
					{Name: "(*" + gorm + ".DB).Exec", Verb: Run, Handle: Recv, Text: A0, Vals: A1, Kind: "text"},
					{Name: "(*" + gorm + ".DB).Raw", Verb: Build, Text: A0, Vals: A1, Kind: "text", Part: PartValues},
					{Name: "(*" + gorm + ".DB).Model", Verb: Build, Part: PartModel, Model: A0},
					{Name: "(*" + gorm + ".DB).Table", Verb: Build, Part: PartTable, Text: A0},
					{Name: "(*" + gorm + ".DB).Clauses", Verb: Build, Part: PartConflict},
				},
				each("(*"+gorm+".DB).%s", []string{"First", "Take", "Last"}, Row{Verb: Run, Handle: Recv, Part: PartSelect, Model: A0, Dest: A0, Const: "must find"}),
				each("(*"+gorm+".DB).%s", []string{"Pluck"}, Row{Verb: Run, Handle: Recv, Part: PartSelect, Dest: A1}),
				each("(*"+gorm+".DB).%s", []string{"Find", "Scan"}, Row{Verb: Run, Handle: Recv, Part: PartSelect, Model: A0, Dest: A0}),
				each("(*"+gorm+".DB).%s", []string{"Count"}, Row{Verb: Run, Handle: Recv, Part: PartSelect, Dest: A0, Kind: "one row"}),
				each("(*"+gorm+".DB).%s", []string{"Where", "Or", "Not", "Having"}, Row{Verb: Build, Part: PartWhere}),
				each("(*"+gorm+".DB).%s", []string{"WithContext", "Session", "Debug", "Unscoped", "Omit", "Order", "Limit", "Offset", "Preload", "Joins", "Select", "Set", "Attrs", "Assign", "Group", "Distinct"}, Row{Verb: Build}),
				[]Row{
					{Name: gorm + ".Expr", Verb: Build, Part: PartSet, Text: A0},
					{Name: gorm + "/clause.Assignments", Verb: Derive, Key: A0},
					{Name: "(*" + gorm + ".DB).Scopes", Verb: Build, Kind: "scopes"},
					{Name: gorm + ".G", Verb: Build, Handle: A0, Part: PartConflict},
				},
				gormGenerics(),
			)
		},
		handles: map[string]HandleKind{gorm + ".DB": Either},
		builds:  []string{gorm + ".DB"},
	})
}

// gormGenerics are the rows of gorm.G: each interface has the methods of the ones
// that it embeds. First, Take and Last have none: their answer is a value of the
// model's type, which the engine cannot ask for the row.
func gormGenerics() []Row {
	var out []Row
	add := func(typ string, r Row, methods ...string) {
		out = append(out, each("("+gorm+"."+typ+").%s", methods, r)...)
	}
	for _, t := range []string{"Interface", "CreateInterface", "ChainInterface", "ExecInterface"} {
		add(t, Row{Verb: Run, Part: PartSelect}, "Find", "Rows")
		add(t, Row{Verb: Run, Part: PartSelect, Dest: A1}, "Scan")
	}
	for _, t := range []string{"Interface", "CreateInterface", "ChainInterface"} {
		add(t, Row{Verb: Build, Part: PartWhere}, "Where", "Or", "Not", "Having")
		add(t, Row{Verb: Build}, "Limit", "Offset", "Joins", "Preload", "Select", "Omit", "MapColumns", "Distinct", "Group", "Order")
		add(t, Row{Verb: Build, Kind: "scopes"}, "Scopes")
		add(t, Row{Verb: Build, Part: PartTable, Text: A0}, "Table")
		add(t, Row{Verb: Build, Part: PartSet}, "Set")
		add(t, Row{Verb: Run, Part: PartSet}, "Update", "Updates")
		add(t, Row{Verb: Run, Part: PartDelete}, "Delete")
		add(t, Row{Verb: Run, Part: PartSelect, Kind: "one row"}, "Count")
	}
	for _, t := range []string{"Interface", "CreateInterface"} {
		add(t, Row{Verb: Run, Part: PartInsert, Model: A1}, "Create", "CreateInBatches")
	}
	add("Interface", Row{Verb: Run, Text: A1, Vals: A2, Kind: "text"}, "Exec")
	add("Interface", Row{Verb: Build, Part: PartValues, Text: A0, Vals: A1, Kind: "text"}, "Raw")
	add("SetCreateOrUpdateInterface", Row{Verb: Run, Part: PartInsert}, "Create")
	add("SetCreateOrUpdateInterface", Row{Verb: Run, Part: PartSet}, "Update")
	add("SetUpdateOnlyInterface", Row{Verb: Run, Part: PartSet}, "Update")
	return out
}

const bun = "github.com/uptrace/bun"

func bunRows() []Row {
	var out []Row
	for _, recv := range []string{"(*" + bun + ".DB).", "(" + bun + ".Tx).", "(" + bun + ".IDB).", "(" + bun + ".Conn).", "(*" + bun + ".Conn)."} {
		out = append(out,
			Row{Name: recv + "NewInsert", Verb: Build, Part: PartInsert, Handle: Recv},
			Row{Name: recv + "NewUpdate", Verb: Build, Part: PartUpdate, Handle: Recv},
			Row{Name: recv + "NewDelete", Verb: Build, Part: PartDelete, Handle: Recv},
			Row{Name: recv + "NewSelect", Verb: Build, Part: PartSelect, Handle: Recv},
			Row{Name: recv + "NewRaw", Verb: Build, Handle: Recv, Text: A0, Vals: A1, Kind: "text", Part: PartValues},
			Row{Name: recv + "Begin", Verb: Begin, Handle: Recv},
			Row{Name: recv + "BeginTx", Verb: Begin, Handle: Recv},
			Row{Name: recv + "RunInTx", Verb: InTx, Handle: Recv, Fn: A2},
			Row{Name: recv + "Exec", Verb: Exec, Handle: Recv, Text: A0, Vals: A1},
			Row{Name: recv + "ExecContext", Verb: Exec, Handle: Recv, Text: A1, Vals: A2},
			Row{Name: recv + "QueryContext", Verb: Query, Handle: Recv, Text: A1, Vals: A2},
			Row{Name: recv + "QueryRow", Verb: QueryRow, Handle: Recv, Text: A0, Vals: A1},
			Row{Name: recv + "QueryRowContext", Verb: QueryRow, Handle: Recv, Text: A1, Vals: A2},
		)
	}
	for _, q := range []string{"InsertQuery", "UpdateQuery", "DeleteQuery", "SelectQuery", "RawQuery"} {
		recv := "(*" + bun + "." + q + ")."
		out = append(out,
			Row{Name: recv + "Exec", Verb: Run},
			Row{Name: recv + "Scan", Verb: Run, Dest: A1, Const: "must find"},
			Row{Name: recv + "Conn", Verb: Build, Part: PartRunner, Handle: A0},
			Row{Name: recv + "Model", Verb: Build, Part: PartModel, Model: A0},
			Row{Name: recv + "Table", Verb: Build, Part: PartTable, Text: A0},
			Row{Name: recv + "TableExpr", Verb: Build, Part: PartTable, Text: A0},
			Row{Name: recv + "ModelTableExpr", Verb: Build, Part: PartTable, Text: A0},
			Row{Name: recv + "On", Verb: Build, Part: PartRaw, Text: A0, Const: "ON"},
			Row{Name: recv + "Ignore", Verb: Build, Part: PartNothing},
			Row{Name: recv + "Replace", Verb: Build, Part: PartDoUpdate},
			Row{Name: recv + "Where", Verb: Build, Part: PartWhere},
			Row{Name: recv + "WhereOr", Verb: Build, Part: PartWhere},
			Row{Name: recv + "Set", Verb: Build, Part: PartSet},
			Row{Name: recv + "Returning", Verb: Build, Part: PartReturn},
			Row{Name: recv + "For", Verb: Build, Part: PartLock},
			Row{Name: recv + "Exists", Verb: Run, Kind: "one row"},
			Row{Name: recv + "Count", Verb: Run, Kind: "one row"},
		)
		for _, m := range []string{"Column", "ColumnExpr", "WherePK", "Value", "ExcludeColumn", "Limit", "Order", "OrderExpr", "Join", "Apply", "Relation", "SetColumn", "OmitZero", "ForceDelete", "WhereGroup"} {
			out = append(out, Row{Name: recv + m, Verb: Build})
		}
	}
	return append(out,
		Row{Name: bun + ".NewDB", Verb: Open},
		Row{Name: "(*" + bun + ".DB).Conn", Verb: Derive},
		Row{Name: "(" + bun + ".Tx).Commit", Verb: Commit, Handle: Recv},
		Row{Name: "(" + bun + ".Tx).Rollback", Verb: Rollback, Handle: Recv},
		Row{Name: bun + ".In", Verb: Derive, Key: A0},
	)
}

func init() {
	register(entry{
		libs: []Library{{bun, Stores}},
		rows: bunRows,
		handles: map[string]HandleKind{
			bun + ".DB": Pool, bun + ".Tx": Tx, bun + ".IDB": Either, bun + ".Conn": Pool,
		},
		builds: []string{bun + ".InsertQuery", bun + ".UpdateQuery", bun + ".DeleteQuery", bun + ".SelectQuery", bun + ".RawQuery"},
	})
}

const sq = "github.com/Masterminds/squirrel"

func squirrelRows() []Row {
	var out []Row
	verbs := map[string]Part{"Insert": PartInsert, "Update": PartUpdate, "Delete": PartDelete, "Replace": PartSave}
	for name, part := range verbs {
		out = append(out,
			Row{Name: sq + "." + name, Verb: Build, Part: part, Text: A0},
			Row{Name: "(" + sq + ".StatementBuilderType)." + name, Verb: Build, Part: part, Text: A0})
	}
	out = append(out,
		Row{Name: sq + ".Select", Verb: Build, Part: PartSelect, Kind: "columns"},
		Row{Name: "(" + sq + ".StatementBuilderType).Select", Verb: Build, Part: PartSelect},
		Row{Name: "(" + sq + ".StatementBuilderType).RunWith", Verb: Build, Part: PartRunner, Handle: A0},
		Row{Name: "(" + sq + ".StatementBuilderType).PlaceholderFormat", Verb: Build},
		Row{Name: sq + ".Expr", Verb: Build, Part: PartSet, Text: A0},
	)
	for _, t := range []string{"InsertBuilder", "UpdateBuilder", "DeleteBuilder", "SelectBuilder"} {
		recv := "(" + sq + "." + t + ")."
		out = append(out,
			Row{Name: recv + "Suffix", Verb: Build, Part: PartRaw, Text: A0},
			Row{Name: recv + "Options", Verb: Build, Part: PartRaw, Text: A0, Kind: "options"},
			Row{Name: recv + "Into", Verb: Build, Part: PartTable, Text: A0},
			Row{Name: recv + "From", Verb: Build, Part: PartTable, Text: A0},
			Row{Name: recv + "Table", Verb: Build, Part: PartTable, Text: A0},
			Row{Name: recv + "Columns", Verb: Build, Part: PartColumns, Text: A0},
			Row{Name: recv + "Values", Verb: Build, Part: PartValues, Vals: A0},
			Row{Name: recv + "SetMap", Verb: Build, Part: PartSet},
			Row{Name: recv + "Set", Verb: Build, Part: PartSet},
			Row{Name: recv + "Where", Verb: Build, Part: PartWhere},
			Row{Name: recv + "RunWith", Verb: Build, Part: PartRunner, Handle: A0},
			Row{Name: recv + "Exec", Verb: Run},
			Row{Name: recv + "ExecContext", Verb: Run},
			Row{Name: recv + "Query", Verb: Run},
			Row{Name: recv + "QueryContext", Verb: Run},
			Row{Name: recv + "QueryRow", Verb: Run},
			Row{Name: recv + "QueryRowContext", Verb: Run},
			Row{Name: recv + "Scan", Verb: Run, Dest: A0, Const: "must find"},
			Row{Name: recv + "ScanContext", Verb: Run, Dest: A1, Const: "must find"},
			Row{Name: recv + "ToSql", Verb: ToSQL},
			Row{Name: recv + "MustSql", Verb: ToSQL},
		)
		for _, m := range []string{"PlaceholderFormat", "Prefix", "PrefixExpr", "SuffixExpr", "OrderBy", "Limit", "Offset", "Join", "LeftJoin", "GroupBy", "Having", "Distinct"} {
			out = append(out, Row{Name: recv + m, Verb: Build})
		}
	}
	return append(out,
		Row{Name: "(" + sq + ".RowScanner).Scan", Verb: Scan, Vals: A0})
}

func init() {
	register(entry{
		libs:   []Library{{sq, Stores}},
		rows:   squirrelRows,
		builds: []string{sq + ".InsertBuilder", sq + ".UpdateBuilder", sq + ".DeleteBuilder", sq + ".SelectBuilder"},
	})
}

const gq = "github.com/doug-martin/goqu/v9"

func goquRows() []Row {
	var out []Row
	for name, part := range map[string]Part{"Insert": PartInsert, "Update": PartUpdate, "Delete": PartDelete, "From": PartTable} {
		out = append(out,
			Row{Name: gq + "." + name, Verb: Build, Part: part, Text: A0, Kind: "table"},
			Row{Name: "(" + gq + ".DialectWrapper)." + name, Verb: Build, Part: part, Text: A0, Kind: "table"},
			Row{Name: "(*" + gq + ".Database)." + name, Verb: Build, Part: part, Text: A0, Handle: Recv, Kind: "table"},
			Row{Name: "(*" + gq + ".TxDatabase)." + name, Verb: Build, Part: part, Text: A0, Handle: Recv, Kind: "table"},
			Row{Name: "(*" + gq + ".SelectDataset)." + name, Verb: Build, Part: part},
		)
	}
	for _, t := range []string{"InsertDataset", "UpdateDataset", "DeleteDataset", "SelectDataset"} {
		recv := "(*" + gq + "." + t + ")."
		out = append(out,
			Row{Name: recv + "Into", Verb: Build, Part: PartTable, Text: A0},
			Row{Name: recv + "Table", Verb: Build, Part: PartTable, Text: A0},
			Row{Name: recv + "From", Verb: Build, Part: PartTable, Text: A0},
			Row{Name: recv + "Rows", Verb: Build, Part: PartValues, Vals: A0},
			Row{Name: recv + "Cols", Verb: Build, Part: PartColumns, Text: A0},
			Row{Name: recv + "Vals", Verb: Build, Part: PartValues, Vals: A0},
			Row{Name: recv + "OnConflict", Verb: Build, Part: PartMerge},
			Row{Name: recv + "ClearOnConflict", Verb: Build, Part: PartClear},
			Row{Name: recv + "Where", Verb: Build, Part: PartWhere},
			Row{Name: recv + "Set", Verb: Build, Part: PartSet},
			Row{Name: recv + "Returning", Verb: Build, Part: PartReturn},
			Row{Name: recv + "ForUpdate", Verb: Build, Part: PartLock},
			Row{Name: recv + "Executor", Verb: Derive},
			Row{Name: recv + "ToSQL", Verb: ToSQL},
			Row{Name: recv + "ScanStructContext", Verb: Run, Part: PartSelect, Dest: A1},
			Row{Name: recv + "ScanValContext", Verb: Run, Part: PartSelect, Dest: A1},
			Row{Name: recv + "ScanStruct", Verb: Run, Part: PartSelect, Dest: A0},
			Row{Name: recv + "ScanVal", Verb: Run, Part: PartSelect, Dest: A0},
			Row{Name: recv + "ScanStructsContext", Verb: Run, Part: PartSelect, Dest: A1},
			Row{Name: recv + "Count", Verb: Run, Part: PartSelect, Kind: "one row"},
			Row{Name: recv + "CountContext", Verb: Run, Part: PartSelect, Kind: "one row"},
		)
		for _, m := range []string{"Prepared", "WithDialect", "Select", "Limit", "Order", "As", "Join"} {
			out = append(out, Row{Name: recv + m, Verb: Build})
		}
	}
	// Text on the database itself. ScanVal and ScanStruct have no row: they answer
	// with a boolean whether there was one, which the engine cannot tell of a text.
	for _, recv := range []string{"(*" + gq + ".Database).", "(*" + gq + ".TxDatabase)."} {
		out = append(out,
			Row{Name: recv + "Select", Verb: Build, Part: PartSelect, Handle: Recv},
			Row{Name: recv + "Exec", Verb: Exec, Handle: Recv, Text: A0, Vals: A1},
			Row{Name: recv + "ExecContext", Verb: Exec, Handle: Recv, Text: A1, Vals: A2},
			Row{Name: recv + "Query", Verb: Query, Handle: Recv, Text: A0, Vals: A1},
			Row{Name: recv + "QueryContext", Verb: Query, Handle: Recv, Text: A1, Vals: A2},
			Row{Name: recv + "QueryRow", Verb: QueryRow, Handle: Recv, Text: A0, Vals: A1},
			Row{Name: recv + "QueryRowContext", Verb: QueryRow, Handle: Recv, Text: A1, Vals: A2},
			Row{Name: recv + "Prepare", Verb: Build, Part: PartRunner, Handle: Recv, Kind: "prepare", Text: A0},
			Row{Name: recv + "PrepareContext", Verb: Build, Part: PartRunner, Handle: Recv, Kind: "prepare", Text: A1},
			Row{Name: recv + "ScanStructs", Verb: Select, Handle: Recv, Dest: A0, Text: A1, Vals: A2},
			Row{Name: recv + "ScanStructsContext", Verb: Select, Handle: Recv, Dest: A1, Text: A2, Vals: A3},
			Row{Name: recv + "ScanVals", Verb: Select, Handle: Recv, Dest: A0, Text: A1, Vals: A2},
			Row{Name: recv + "ScanValsContext", Verb: Select, Handle: Recv, Dest: A1, Text: A2, Vals: A3},
		)
	}
	return append(out,
		Row{Name: gq + ".Select", Verb: Build, Part: PartSelect},
		Row{Name: "(" + gq + ".DialectWrapper).Select", Verb: Build, Part: PartSelect},
		Row{Name: "(" + gq + ".DialectWrapper).DB", Verb: Open},
		Row{Name: gq + ".DoNothing", Verb: Build, Part: PartNothing},
		Row{Name: gq + ".DoUpdate", Verb: Build, Part: PartDoUpdate},
		Row{Name: gq + ".T", Verb: Build, Part: PartTable, Text: A0},
		Row{Name: gq + ".New", Verb: Open},
		Row{Name: "(*" + gq + ".Database).Begin", Verb: Begin, Handle: Recv},
		Row{Name: "(*" + gq + ".Database).BeginTx", Verb: Begin, Handle: Recv},
		Row{Name: "(*" + gq + ".Database).WithTx", Verb: InTx, Handle: Recv, Fn: A0},
		Row{Name: "(*" + gq + ".TxDatabase).Commit", Verb: Commit, Handle: Recv},
		Row{Name: "(*" + gq + ".TxDatabase).Rollback", Verb: Rollback, Handle: Recv},
		Row{Name: "(*" + gq + ".TxDatabase).Wrap", Verb: InTx, Handle: Recv, Fn: A0},
		Row{Name: gq + ".NewTx", Verb: Rebind, Handle: A1},
		Row{Name: "(" + gq + "/exec.QueryExecutor).ExecContext", Verb: Run},
		Row{Name: "(" + gq + "/exec.QueryExecutor).Exec", Verb: Run},
		Row{Name: "(" + gq + "/exec.QueryExecutor).ScanValContext", Verb: Run, Dest: A1},
		Row{Name: "(" + gq + "/exec.QueryExecutor).ScanStructContext", Verb: Run, Dest: A1},
		Row{Name: "(" + gq + "/exec.QueryExecutor).ScanVal", Verb: Run, Dest: A0},
		Row{Name: "(" + gq + "/exec.QueryExecutor).ScanVals", Verb: Run, Dest: A0},
		Row{Name: "(" + gq + "/exec.QueryExecutor).ScanValsContext", Verb: Run, Dest: A1},
		Row{Name: "(" + gq + "/exec.QueryExecutor).ScanStructs", Verb: Run, Dest: A0},
		Row{Name: "(" + gq + "/exec.QueryExecutor).ScanStructsContext", Verb: Run, Dest: A1},
		Row{Name: "(" + gq + "/exec.QueryExecutor).Query", Verb: Run},
		Row{Name: "(" + gq + "/exec.QueryExecutor).QueryContext", Verb: Run},
	)
}

func init() {
	register(entry{
		libs:    []Library{{gq, Stores}, {gq + "/exp", Support}},
		rows:    goquRows,
		handles: map[string]HandleKind{gq + ".Database": Pool, gq + ".TxDatabase": Tx},
		builds:  []string{gq + ".InsertDataset", gq + ".UpdateDataset", gq + ".DeleteDataset", gq + ".SelectDataset"},
	})
}

const jet = "github.com/go-jet/jet/v2/"

// jetDialect is what one dialect's package has of its own.
type jetDialect struct {
	name                   string
	insert, update, remove []string // parts of the statements that change nothing for the engine
	query                  []string
	with                   []Row
}

func jetRows() []Row {
	row := func(typ, method string, r Row) Row {
		r.Name = "(" + jet + typ + ")." + method
		return r
	}
	conflict := func(d string) []Row {
		out := []Row{
			row(d+".InsertStatement", "ON_CONFLICT", Row{Verb: Build}),
			row(d+".onConflict", "WHERE", Row{Verb: Build}),
		}
		for _, t := range []string{".onConflict", ".conflictTarget"} {
			out = append(out,
				row(d+t, "DO_NOTHING", Row{Verb: Build, Part: PartNothing}),
				row(d+t, "DO_UPDATE", Row{Verb: Build, Part: PartDoUpdate}))
		}
		return out
	}
	returning := func(d string, statements ...string) []Row {
		var out []Row
		for _, s := range statements {
			out = append(out, row(d+"."+s, "RETURNING", Row{Verb: Build, Part: PartReturn}))
		}
		return out
	}
	writable := func(typ string) []Row {
		return []Row{
			row(typ, "INSERT", Row{Verb: Build, Part: PartInsert, Text: Recv}),
			row(typ, "UPDATE", Row{Verb: Build, Part: PartUpdate, Text: Recv}),
			row(typ, "DELETE", Row{Verb: Build, Part: PartDelete, Text: Recv}),
		}
	}
	query := []string{"DISTINCT", "GROUP_BY", "HAVING", "ORDER_BY", "LIMIT", "OFFSET"}
	dialects := []jetDialect{
		{name: "postgres", remove: []string{"USING"}, query: query, with: rows(
			conflict("postgres"), returning("postgres", "InsertStatement", "UpdateStatement", "DeleteStatement"),
			writable("postgres.WritableTable"), []Row{
				row("postgres.onConflict", "ON_CONSTRAINT", Row{Verb: Build}),
				row("postgres.UpdateStatement", "FROM", Row{Verb: Build}),
			})},
		{name: "mysql", insert: []string{"AS_NEW", "OPTIMIZER_HINTS"}, update: []string{"LIMIT", "OPTIMIZER_HINTS"},
			remove: []string{"USING", "ORDER_BY", "LIMIT", "OPTIMIZER_HINTS"}, query: append([]string{"OPTIMIZER_HINTS"}, query...), with: rows(
				returning("mysql", "InsertStatement", "DeleteStatement"), []Row{
					row("mysql.InsertStatement", "ON_DUPLICATE_KEY_UPDATE", Row{Verb: Build, Part: PartConflict}),
					row("mysql.SelectStatement", "LOCK_IN_SHARE_MODE", Row{Verb: Build, Part: PartLock}),
				})},
		{name: "sqlite", insert: []string{"DEFAULT_VALUES"}, remove: []string{"ORDER_BY", "LIMIT"}, query: query, with: rows(
			conflict("sqlite"), returning("sqlite", "InsertStatement", "UpdateStatement", "DeleteStatement"), []Row{
				row("sqlite.UpdateStatement", "FROM", Row{Verb: Build}),
				row("sqlite.SelectStatement", "LOCK_IN_SHARE_MODE", Row{Verb: Build, Part: PartLock}),
			})},
	}
	var out []Row
	for _, d := range dialects {
		p := d.name + "."
		out = append(out, d.with...)
		out = append(out, writable(p+"Table")...)
		out = append(out,
			Row{Name: jet + p + "NewTable", Verb: Build, Part: PartTable, Text: A1},
			Row{Name: jet + p + "SELECT", Verb: Build, Part: PartSelect},
			row(p+"Table", "SELECT", Row{Verb: Build, Part: PartSelect, Text: Recv}),
			row(p+"ReadableTable", "SELECT", Row{Verb: Build, Part: PartSelect, Text: Recv}),
			row(p+"InsertStatement", "VALUES", Row{Verb: Build, Part: PartValues, Vals: A0}),
			row(p+"InsertStatement", "MODEL", Row{Verb: Build, Part: PartValues, Vals: A0}),
			row(p+"InsertStatement", "MODELS", Row{Verb: Build, Part: PartValues, Vals: A0}),
			row(p+"InsertStatement", "QUERY", Row{Verb: Build}),
			row(p+"UpdateStatement", "SET", Row{Verb: Build, Part: PartSet}),
			row(p+"UpdateStatement", "MODEL", Row{Verb: Build, Part: PartValues, Vals: A0}),
			row(p+"UpdateStatement", "WHERE", Row{Verb: Build, Part: PartWhere}),
			row(p+"DeleteStatement", "WHERE", Row{Verb: Build, Part: PartWhere}),
			row(p+"SelectStatement", "WHERE", Row{Verb: Build, Part: PartWhere}),
			row(p+"SelectStatement", "FROM", Row{Verb: Build, Part: PartTable, Text: A0}),
			row(p+"SelectStatement", "FOR", Row{Verb: Build, Part: PartLock}),
		)
		for _, s := range []struct {
			name string
			idle []string
		}{
			{"InsertStatement", d.insert}, {"UpdateStatement", d.update}, {"DeleteStatement", d.remove}, {"SelectStatement", d.query},
		} {
			for _, m := range s.idle {
				out = append(out, row(p+s.name, m, Row{Verb: Build}))
			}
			out = append(out,
				row(p+s.name, "Exec", Row{Verb: Run, Handle: A0}),
				row(p+s.name, "ExecContext", Row{Verb: Run, Handle: A1}),
				row(p+s.name, "Query", Row{Verb: Run, Handle: A0, Dest: A1, Const: "must find"}),
				row(p+s.name, "QueryContext", Row{Verb: Run, Handle: A1, Dest: A2, Const: "must find"}),
				row(p+s.name, "Sql", Row{Verb: ToSQL}),
			)
		}
	}
	return out
}

func init() {
	register(entry{
		libs: []Library{{"github.com/go-jet/jet/v2", Stores}},
		rows: jetRows,
		handles: map[string]HandleKind{
			jet + "qrm.DB": Either, jet + "qrm.Executable": Either, jet + "qrm.Queryable": Either,
		},
		errs: map[string]ErrorClass{jet + "qrm.ErrNoRows": NoRows},
	})
}
