package catalog

// database/sql, sqlx and pgx: statements as text.

func stdSQL() []Row {
	var out []Row
	for _, t := range []string{"DB", "Tx", "Conn"} {
		recv := "(*database/sql." + t + ")."
		out = append(out,
			Row{Name: recv + "Exec", Verb: Exec, Handle: Recv, Text: A0, Vals: A1},
			Row{Name: recv + "ExecContext", Verb: Exec, Handle: Recv, Text: A1, Vals: A2},
			Row{Name: recv + "Query", Verb: Query, Handle: Recv, Text: A0, Vals: A1},
			Row{Name: recv + "QueryContext", Verb: Query, Handle: Recv, Text: A1, Vals: A2},
			Row{Name: recv + "QueryRow", Verb: QueryRow, Handle: Recv, Text: A0, Vals: A1},
			Row{Name: recv + "QueryRowContext", Verb: QueryRow, Handle: Recv, Text: A1, Vals: A2},
			Row{Name: recv + "Prepare", Verb: Build, Part: PartRunner, Handle: Recv, Kind: "prepare", Text: A0},
			Row{Name: recv + "PrepareContext", Verb: Build, Part: PartRunner, Handle: Recv, Kind: "prepare", Text: A1},
		)
	}
	return append(out,
		Row{Name: "(*database/sql.DB).Begin", Verb: Begin, Handle: Recv},
		Row{Name: "(*database/sql.DB).BeginTx", Verb: Begin, Handle: Recv},
		Row{Name: "(*database/sql.Conn).BeginTx", Verb: Begin, Handle: Recv},
		Row{Name: "(*database/sql.DB).Conn", Verb: Derive},
		Row{Name: "(*database/sql.Tx).Commit", Verb: Commit, Handle: Recv},
		Row{Name: "(*database/sql.Tx).Rollback", Verb: Rollback, Handle: Recv},
		Row{Name: "(*database/sql.Tx).Stmt", Verb: Rebind, Handle: A0},
		Row{Name: "database/sql.Open", Verb: Open},
		Row{Name: "database/sql.OpenDB", Verb: Open},
		Row{Name: "(database/sql.Result).RowsAffected", Verb: RowsAffected},
		Row{Name: "(*database/sql.Row).Scan", Verb: Scan, Vals: A0},
		Row{Name: "(*database/sql.Row).Err", Verb: Answered},
		Row{Name: "(*database/sql.Rows).Scan", Verb: Scan, Vals: A0},
		Row{Name: "(*database/sql.Rows).Next", Verb: NextRow},
		Row{Name: "(*database/sql.Rows).Err", Verb: Answered},
		Row{Name: "(*database/sql.Stmt).Exec", Verb: Run, Handle: None, Vals: A0, Part: PartValues},
		Row{Name: "(*database/sql.Stmt).ExecContext", Verb: Run, Vals: A1, Part: PartValues},
		Row{Name: "(*database/sql.Stmt).Query", Verb: Run, Vals: A0, Part: PartValues},
		Row{Name: "(*database/sql.Stmt).QueryContext", Verb: Run, Vals: A1, Part: PartValues},
		Row{Name: "(*database/sql.Stmt).QueryRow", Verb: Run, Vals: A0, Part: PartValues},
		Row{Name: "(*database/sql.Stmt).QueryRowContext", Verb: Run, Vals: A1, Part: PartValues},
	)
}

var sqlErrors = map[string]ErrorClass{
	"database/sql.ErrNoRows":                                                              NoRows,
	"github.com/jackc/pgx/v5.ErrNoRows":                                                   NoRows,
	"github.com/jackc/pgx/v4.ErrNoRows":                                                   NoRows,
	"gorm.io/gorm.ErrRecordNotFound":                                                      NoRows,
	"github.com/jackc/pgx/v5/pgconn.PgError":                                              Violation,
	"github.com/jackc/pgconn.PgError":                                                     Violation,
	"github.com/lib/pq.Error":                                                             Violation,
	"github.com/go-sql-driver/mysql.MySQLError":                                           Violation,
	"github.com/mattn/go-sqlite3.Error":                                                   Violation,
	"gorm.io/gorm.ErrDuplicatedKey":                                                       Violation,
	"github.com/redis/go-redis/v9.Nil":                                                    NoRows,
	"github.com/go-redis/redis/v8.Nil":                                                    NoRows,
	"github.com/redis/go-redis/v9/internal/proto.RedisError":                              NoRows,
	"github.com/go-redis/redis/v8/internal/proto.RedisError":                              NoRows,
	"github.com/redis/go-redis/v9/internal/proto.Nil":                                     NoRows,
	"github.com/gomodule/redigo/redis.ErrNil":                                             NoRows,
	"github.com/bradfitz/gomemcache/memcache.ErrNotStored":                                Violation,
	"github.com/bradfitz/gomemcache/memcache.ErrCacheMiss":                                NoRows,
	"go.mongodb.org/mongo-driver/mongo.ErrNoDocuments":                                    NoRows,
	"go.mongodb.org/mongo-driver/v2/mongo.ErrNoDocuments":                                 NoRows,
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types.ConditionalCheckFailedException": Violation,
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types.TransactionCanceledException":    Violation,
}

func init() {
	register(entry{
		libs: []Library{
			{"database/sql", Stores}, {"github.com/lib/pq", Stores}, {"github.com/go-sql-driver/mysql", Stores},
			{"github.com/mattn/go-sqlite3", Stores}, {"modernc.org/sqlite", Stores},
		},
		rows: stdSQL,
		handles: map[string]HandleKind{
			"database/sql.DB": Pool, "database/sql.Tx": Tx, "database/sql.Conn": Pool,
		},
		errs:   sqlErrors,
		builds: []string{"database/sql.Stmt"},
	})
}

const sqlx = "github.com/jmoiron/sqlx"

func sqlxRows() []Row {
	var out []Row
	recvs := []string{"(*" + sqlx + ".DB).", "(*" + sqlx + ".Tx).", "(*" + sqlx + ".Conn).", "(" + sqlx + ".ExtContext).", "(" + sqlx + ".ExecerContext).", "(" + sqlx + ".QueryerContext).", "(" + sqlx + ".Ext).", "(" + sqlx + ".Execer).", "(" + sqlx + ".Queryer)."}
	for _, recv := range recvs {
		out = append(out,
			Row{Name: recv + "Exec", Verb: Exec, Handle: Recv, Text: A0, Vals: A1},
			Row{Name: recv + "ExecContext", Verb: Exec, Handle: Recv, Text: A1, Vals: A2},
			Row{Name: recv + "MustExec", Verb: Exec, Handle: Recv, Text: A0, Vals: A1},
			Row{Name: recv + "MustExecContext", Verb: Exec, Handle: Recv, Text: A1, Vals: A2},
			Row{Name: recv + "NamedExec", Verb: Exec, Handle: Recv, Text: A0, Vals: A1},
			Row{Name: recv + "NamedExecContext", Verb: Exec, Handle: Recv, Text: A1, Vals: A2},
			Row{Name: recv + "NamedQuery", Verb: Query, Handle: Recv, Text: A0, Vals: A1},
			Row{Name: recv + "NamedQueryContext", Verb: Query, Handle: Recv, Text: A1, Vals: A2},
			Row{Name: recv + "Queryx", Verb: Query, Handle: Recv, Text: A0, Vals: A1},
			Row{Name: recv + "QueryxContext", Verb: Query, Handle: Recv, Text: A1, Vals: A2},
			Row{Name: recv + "Query", Verb: Query, Handle: Recv, Text: A0, Vals: A1},
			Row{Name: recv + "QueryContext", Verb: Query, Handle: Recv, Text: A1, Vals: A2},
			Row{Name: recv + "QueryRow", Verb: QueryRow, Handle: Recv, Text: A0, Vals: A1},
			Row{Name: recv + "QueryRowContext", Verb: QueryRow, Handle: Recv, Text: A1, Vals: A2},
			Row{Name: recv + "QueryRowx", Verb: QueryRow, Handle: Recv, Text: A0, Vals: A1},
			Row{Name: recv + "QueryRowxContext", Verb: QueryRow, Handle: Recv, Text: A1, Vals: A2},
			Row{Name: recv + "Get", Verb: GetInto, Handle: Recv, Dest: A0, Text: A1, Vals: A2},
			Row{Name: recv + "GetContext", Verb: GetInto, Handle: Recv, Dest: A1, Text: A2, Vals: A3},
			Row{Name: recv + "Select", Verb: Select, Handle: Recv, Dest: A0, Text: A1, Vals: A2},
			Row{Name: recv + "SelectContext", Verb: Select, Handle: Recv, Dest: A1, Text: A2, Vals: A3},
			Row{Name: recv + "Rebind", Verb: Derive, Key: A0},
			Row{Name: recv + "BindNamed", Verb: Derive, Key: A0},
			Row{Name: recv + "PrepareNamed", Verb: Build, Handle: Recv, Text: A0, Kind: "prepare"},
			Row{Name: recv + "PrepareNamedContext", Verb: Build, Handle: Recv, Text: A1, Kind: "prepare"},
			Row{Name: recv + "Preparex", Verb: Build, Handle: Recv, Text: A0, Kind: "prepare"},
			Row{Name: recv + "PreparexContext", Verb: Build, Handle: Recv, Text: A1, Kind: "prepare"},
			Row{Name: recv + "Unsafe", Verb: Derive},
		)
	}
	for _, f := range []string{"BeginTxx", "Beginx", "MustBegin", "MustBeginTx", "Begin", "BeginTx"} {
		out = append(out, Row{Name: "(*" + sqlx + ".DB)." + f, Verb: Begin, Handle: Recv})
	}
	out = append(out, Row{Name: "(*" + sqlx + ".Conn).BeginTxx", Verb: Begin, Handle: Recv})
	for _, recv := range []string{"(*" + sqlx + ".Stmt).", "(*" + sqlx + ".NamedStmt)."} {
		out = append(out,
			Row{Name: recv + "MustExec", Verb: Run, Vals: A0, Part: PartValues},
			Row{Name: recv + "MustExecContext", Verb: Run, Vals: A1, Part: PartValues},
			Row{Name: recv + "Queryx", Verb: Run, Vals: A0, Part: PartValues},
			Row{Name: recv + "QueryxContext", Verb: Run, Vals: A1, Part: PartValues},
			Row{Name: recv + "QueryRowx", Verb: Run, Vals: A0, Part: PartValues},
			Row{Name: recv + "QueryRowxContext", Verb: Run, Vals: A1, Part: PartValues},
			Row{Name: recv + "Get", Verb: Run, Dest: A0, Vals: A1, Part: PartValues, Const: "must find"},
			Row{Name: recv + "GetContext", Verb: Run, Dest: A1, Vals: A2, Part: PartValues, Const: "must find"},
			Row{Name: recv + "Select", Verb: Run, Dest: A0, Vals: A1, Part: PartValues},
			Row{Name: recv + "SelectContext", Verb: Run, Dest: A1, Vals: A2, Part: PartValues},
			Row{Name: recv + "Unsafe", Verb: Derive},
		)
	}
	for _, f := range []string{"Connect", "ConnectContext", "MustConnect", "MustOpen", "Open", "NewDb"} {
		out = append(out, Row{Name: sqlx + "." + f, Verb: Open})
	}
	return append(out,
		Row{Name: "(*" + sqlx + ".Tx).Commit", Verb: Commit, Handle: Recv},
		Row{Name: "(*" + sqlx + ".Tx).Rollback", Verb: Rollback, Handle: Recv},
		Row{Name: sqlx + ".Get", Verb: GetInto, Handle: A0, Dest: A1, Text: A2, Vals: A3},
		Row{Name: sqlx + ".GetContext", Verb: GetInto, Handle: A1, Dest: A2, Text: A3, Vals: A4},
		Row{Name: sqlx + ".Select", Verb: Select, Handle: A0, Dest: A1, Text: A2, Vals: A3},
		Row{Name: sqlx + ".SelectContext", Verb: Select, Handle: A1, Dest: A2, Text: A3, Vals: A4},
		Row{Name: sqlx + ".NamedExec", Verb: Exec, Handle: A0, Text: A1, Vals: A2},
		Row{Name: sqlx + ".NamedExecContext", Verb: Exec, Handle: A1, Text: A2, Vals: A3},
		Row{Name: sqlx + ".Named", Verb: Derive, Key: A0},
		Row{Name: sqlx + ".In", Verb: Derive, Key: A0},
		Row{Name: sqlx + ".Rebind", Verb: Derive, Key: A1},
		Row{Name: "(*" + sqlx + ".NamedStmt).Exec", Verb: Run, Vals: A0, Part: PartValues},
		Row{Name: "(*" + sqlx + ".NamedStmt).ExecContext", Verb: Run, Vals: A1, Part: PartValues},
		Row{Name: "(*" + sqlx + ".NamedStmt).Query", Verb: Run, Vals: A0, Part: PartValues},
		Row{Name: "(*" + sqlx + ".NamedStmt).QueryContext", Verb: Run, Vals: A1, Part: PartValues},
		Row{Name: "(*" + sqlx + ".NamedStmt).QueryRow", Verb: Run, Vals: A0, Part: PartValues},
		Row{Name: "(*" + sqlx + ".NamedStmt).QueryRowContext", Verb: Run, Vals: A1, Part: PartValues},
		Row{Name: "(*" + sqlx + ".Row).Scan", Verb: Scan, Vals: A0},
		Row{Name: "(*" + sqlx + ".Row).StructScan", Verb: Scan, Vals: A0},
		Row{Name: "(*" + sqlx + ".Row).Err", Verb: Answered},
		Row{Name: "(*" + sqlx + ".Rows).StructScan", Verb: Scan, Vals: A0},
		Row{Name: "(*" + sqlx + ".Rows).Next", Verb: NextRow},
		Row{Name: "(*" + sqlx + ".Rows).Scan", Verb: Scan, Vals: A0},
	)
}

func init() {
	register(entry{
		libs: []Library{{sqlx, Stores}},
		rows: sqlxRows,
		handles: map[string]HandleKind{
			sqlx + ".DB": Pool, sqlx + ".Tx": Tx, sqlx + ".Conn": Pool,
			sqlx + ".ExtContext": Either, sqlx + ".ExecerContext": Either, sqlx + ".QueryerContext": Either, sqlx + ".Ext": Either, sqlx + ".Execer": Either, sqlx + ".Queryer": Either,
		},
	})
}

// pgxRows are the rows that v4 and v5 share.
func pgxRows(p string) []Row {
	var out []Row
	for _, recv := range []string{
		"(*" + p + ".Conn).", "(" + p + ".Tx).", "(*" + p + "/pgxpool.Pool).", "(*" + p + "/pgxpool.Conn).", "(*" + p + "/pgxpool.Tx).",
	} {
		out = append(out,
			Row{Name: recv + "Exec", Verb: Exec, Handle: Recv, Text: A1, Vals: A2},
			Row{Name: recv + "Query", Verb: Query, Handle: Recv, Text: A1, Vals: A2},
			Row{Name: recv + "QueryRow", Verb: QueryRow, Handle: Recv, Text: A1, Vals: A2},
			Row{Name: recv + "CopyFrom", Verb: Copy, Handle: Recv, Text: A1, Vals: A3},
			Row{Name: recv + "SendBatch", Verb: RunBatch, Handle: Recv, Key: A1},
			Row{Name: recv + "Begin", Verb: Begin, Handle: Recv},
		)
	}
	for _, recv := range []string{"(*" + p + ".Conn).", "(*" + p + "/pgxpool.Pool).", "(*" + p + "/pgxpool.Conn)."} {
		out = append(out, Row{Name: recv + "BeginTx", Verb: Begin, Handle: Recv})
	}
	for _, recv := range []string{"(" + p + ".Tx).", "(*" + p + "/pgxpool.Conn).", "(*" + p + "/pgxpool.Tx)."} {
		out = append(out, Row{Name: recv + "Conn", Verb: Derive})
	}
	for _, recv := range []string{"(" + p + ".Tx).", "(*" + p + "/pgxpool.Tx)."} {
		out = append(out,
			Row{Name: recv + "Commit", Verb: Commit, Handle: Recv},
			Row{Name: recv + "Rollback", Verb: Rollback, Handle: Recv})
	}
	return append(out,
		Row{Name: "(*" + p + "/pgxpool.Pool).Acquire", Verb: Derive},
		Row{Name: p + ".Connect", Verb: Open},
		Row{Name: p + ".ConnectConfig", Verb: Open},
		Row{Name: "(" + p + ".Row).Scan", Verb: Scan, Vals: A0},
		Row{Name: "(" + p + ".Rows).Scan", Verb: Scan, Vals: A0},
		Row{Name: "(" + p + ".Rows).Next", Verb: NextRow},
		Row{Name: "(" + p + ".Rows).Err", Verb: Answered},
		Row{Name: "(*" + p + ".Batch).Queue", Verb: Queue, Text: A0, Vals: A1},
		Row{Name: "(" + p + ".BatchResults).Exec", Verb: RowsAffected, Kind: "answer"},
		Row{Name: "(" + p + ".BatchResults).QueryRow", Verb: RowsAffected, Kind: "answer"},
	)
}

// pgx5Rows are the rows of v5 alone: there a closure's transaction is begun by
// a function of the package.
func pgx5Rows(p string) []Row {
	return []Row{
		{Name: p + ".BeginFunc", Verb: InTx, Handle: A1, Fn: A2},
		{Name: p + ".BeginTxFunc", Verb: InTx, Handle: A1, Fn: A3},
		{Name: p + "/pgxpool.New", Verb: Open},
		{Name: p + "/pgxpool.NewWithConfig", Verb: Open},
		{Name: "(" + p + "/pgconn.CommandTag).RowsAffected", Verb: RowsAffected},
		{Name: p + ".CollectRows", Verb: Scan, Kind: "collect"},
		{Name: p + ".CollectOneRow", Verb: Scan, Kind: "collect"},
		{Name: p + ".CollectExactlyOneRow", Verb: Scan, Kind: "collect"},
	}
}

// pgx4Rows are the rows of v4 alone: there it is begun by a method.
func pgx4Rows(p string) []Row {
	out := []Row{
		{Name: p + "/pgxpool.Connect", Verb: Open},
		{Name: p + "/pgxpool.ConnectConfig", Verb: Open},
	}
	for _, recv := range []string{"(*" + p + ".Conn).", "(*" + p + "/pgxpool.Pool).", "(*" + p + "/pgxpool.Conn)."} {
		out = append(out,
			Row{Name: recv + "BeginFunc", Verb: InTx, Handle: Recv, Fn: A1},
			Row{Name: recv + "BeginTxFunc", Verb: InTx, Handle: Recv, Fn: A2})
	}
	for _, recv := range []string{"(" + p + ".Tx).", "(*" + p + "/pgxpool.Tx)."} {
		out = append(out, Row{Name: recv + "BeginFunc", Verb: InTx, Handle: Recv, Fn: A1})
	}
	return out
}

func pgxEntry(p string, own []Row) entry {
	return entry{
		libs: []Library{{p, Stores}},
		rows: func() []Row { return rows(pgxRows(p), own) },
		handles: map[string]HandleKind{
			p + ".Conn": Pool, p + ".Tx": Tx, p + "/pgxpool.Pool": Pool, p + "/pgxpool.Conn": Pool, p + "/pgxpool.Tx": Tx,
		},
	}
}

const (
	pgx4 = "github.com/jackc/pgx/v4"
	pgx5 = "github.com/jackc/pgx/v5"
)

func init() {
	register(pgxEntry(pgx5, pgx5Rows(pgx5)))
}
func init() {
	register(pgxEntry(pgx4, pgx4Rows(pgx4)))
}
func init() {
	register(entry{
		libs: []Library{{"github.com/jackc/pgconn", Stores}, {"github.com/jackc/pgerrcode", Support}},
		rows: func() []Row {
			return []Row{{Name: "(github.com/jackc/pgconn.CommandTag).RowsAffected", Verb: RowsAffected}}
		},
	})
}
