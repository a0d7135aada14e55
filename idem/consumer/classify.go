package consumer

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"strings"
)

// Verdict says what an error means for the record that was being processed.
type Verdict int

const (
	// Retry means that the event may be at fault. The attempt counts.
	Retry Verdict = iota
	// Wait means that something is out of reach and the event is not at fault. It is
	// tried again without end, and the attempt does not count.
	Wait
	// Reject means that the event cannot be processed, ever. It is dead-lettered at once.
	Reject
)

// String returns the verdict's name, as logs have it.
func (v Verdict) String() string {
	switch v {
	case Wait:
		return "wait"
	case Reject:
		return "reject"
	}
	return "retry"
}

// Classify is the default of Config.Classify. It returns Wait when a connection, to the
// database or to any other service, could not be made or broke, and for SQLSTATEs by which
// PostgreSQL gives up for reasons other than the statement: the classes 08 (connection),
// 40 (rolled back because of others), 53 (out of resources), 57 (operator intervention, a
// statement timeout excepted), and 25006 (read-only, after a failover) and 55P03 (lock
// timeout). It returns Retry otherwise: also when an answer does not come in time, since it
// may be the event that takes so long. Of MySQL and SQLite it knows broken connections
// alone.
//
// A Config.Classify of one's own looks for the errors it knows, such as a provider's "card
// declined" for Reject or its 503 for Wait, and leaves the rest to this one.
func Classify(err error) Verdict {
	var coded interface{ SQLState() string } // pgx and lib/pq have it
	if errors.As(err, &coded) {
		return classifySQLState(coded.SQLState())
	}
	var network *net.OpError
	var unsent interface{ SafeToRetry() bool } // pgx's, of a connection that is closed
	switch {
	case errors.As(err, &network) && network.Op == "dial":
		return Wait
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return Retry // pgx's error of a context that was done before it calls itself safe to retry
	case errors.As(err, &network) && !network.Timeout(),
		errors.As(err, &unsent) && unsent.SafeToRetry(),
		errors.Is(err, driver.ErrBadConn), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed):
		return Wait
	}
	return Retry
}

func classifySQLState(code string) Verdict {
	switch code {
	case "25006", "55P03":
		return Wait
	case "57014": // query canceled, by statement_timeout as a rule
		return Retry
	}
	for _, class := range [...]string{"08", "40", "53", "57"} {
		if strings.HasPrefix(code, class) {
			return Wait
		}
	}
	return Retry
}
