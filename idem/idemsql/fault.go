package idemsql

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"reflect"
	"strconv"
	"strings"

	"github.com/idemlint/idemlint/idem"
)

func (postgres) fault(err error) idem.Fault {
	var coded interface{ SQLState() string } // pgx and lib/pq have it
	if !errors.As(err, &coded) {
		return connection(err)
	}
	fault := idem.Fault{Code: coded.SQLState()}
	switch fault.Code {
	case "40001", "40P01", "55P03": // serialization failure, deadlock, lock timeout
		fault.Kind = idem.Transient
	case "57P01", "57P02", "57P03": // the server shuts down, has crashed, is starting
		fault.Kind = idem.Lost
	case "23514":
		// A CHECK is violated as well; the table of the store has none.
		fault.Kind = idem.NoPartition
	}
	if strings.HasPrefix(fault.Code, "08") { // connection exceptions
		fault.Kind = idem.Lost
	}
	return fault
}

func (mysql) fault(err error) idem.Fault {
	code, ok := field(err, "go-sql-driver/mysql", "Number")
	if !ok {
		return connection(err)
	}
	fault := idem.Fault{Code: strconv.FormatInt(code, 10)}
	switch code {
	case 1213, 1205: // deadlock, lock wait timeout
		fault.Kind = idem.Transient
	case 1053, 1927: // the server shuts down, the connection was killed
		fault.Kind = idem.Lost
	}
	return fault
}

func (sqlite) fault(err error) idem.Fault {
	var code int64
	var coded interface{ Code() int } // modernc's
	if errors.As(err, &coded) {
		code = int64(coded.Code())
	} else if number, ok := field(err, "mattn/go-sqlite3", "Code"); ok {
		code = number
	}
	fault := idem.Fault{Code: strconv.FormatInt(code, 10)}
	switch code & 0xff { // the rest says more of the same
	case 5, 6: // busy, locked
		fault.Kind = idem.Transient
	}
	return fault
}

// connection tells a broken connection from the other errors that come from no server.
func connection(err error) idem.Fault {
	var network net.Error
	var unsent interface{ SafeToRetry() bool } // pgx's
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, sql.ErrTxDone):
		return idem.Fault{}
	case errors.Is(err, driver.ErrBadConn), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed),
		errors.As(err, &network), errors.As(err, &unsent), isInvalidConn(err):
		return idem.Fault{Kind: idem.Lost, Code: "connection"}
	}
	return idem.Fault{}
}

// isInvalidConn recognizes ErrInvalidConn of the MySQL driver by its text.
func isInvalidConn(err error) bool {
	for ; err != nil; err = errors.Unwrap(err) {
		if err.Error() == "invalid connection" {
			return true
		}
	}
	return false
}

// field returns an integer field of the error in err's chain whose type is of a package:
// the drivers that give their codes in fields alone are not imported for them.
func field(err error, pkg, name string) (int64, bool) {
	for ; err != nil; err = errors.Unwrap(err) {
		v := reflect.Indirect(reflect.ValueOf(err))
		if v.Kind() != reflect.Struct || !strings.HasSuffix(v.Type().PkgPath(), pkg) {
			continue
		}
		f := v.FieldByName(name)
		switch {
		case f.CanInt():
			return f.Int(), true
		case f.CanUint():
			return int64(f.Uint()), true
		}
	}
	return 0, false
}
