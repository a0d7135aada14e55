package idempgx

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemlint/idemlint/idem"
)

// Upkeep says how a table is kept. Every field has a default.
type Upkeep struct {
	// Width is the time that a partition covers, in whole hours. The default is a day.
	Width time.Duration
	// Ahead is how far the partitions reach beyond now and the store's Skew: how long the
	// upkeep may fail before the consumers stop. The default is 3 days.
	Ahead time.Duration
	// Grace is how long a table stays after its partition was detached, to look up what
	// was processed. The default is 3 days.
	Grace time.Duration
	// LockTimeout bounds the wait of each statement for a lock. The default is 5 seconds.
	LockTimeout time.Duration
	// Chunk is the number of rows that one DELETE takes from a plain table. The default is
	// 10000.
	Chunk int
	// OnReport, if set, is told how each upkeep ended, those of Run included: for metrics,
	// see package otelidem.
	OnReport func(ctx context.Context, r Report, err error)
}

// Report is what an upkeep has done.
type Report struct {
	// Busy says that another runner was at work, and this one did nothing.
	Busy bool
	// Made, Detached and Dropped are the names of the partitions concerned.
	Made, Detached, Dropped []string
	// Pending is a partition whose detachment has begun and waits for old transactions. It
	// takes no events any more; a later run finishes it.
	Pending string
	// Left is how far ahead of now the partitions reach: when that has passed, no event is
	// processed. Zero says nothing: the upkeep failed before it knew, was Busy, or kept a
	// plain table.
	Left time.Duration
	// Deleted is the number of rows deleted from a plain table.
	Deleted int64
}

// Maintainer keeps a dedup table: it makes partitions ahead of time and removes those
// that are older than the retention. It needs PostgreSQL 14 or newer, the ownership of
// the table, and connections of its own: not such as a pooler shares by transaction.
type Maintainer struct {
	pool   *pgxpool.Pool
	cfg    idem.Config
	upkeep Upkeep
}

// NewMaintainer returns a maintainer of the table of cfg, which should be the Config of
// the store. It fails when a setting cannot be used.
func NewMaintainer(pool *pgxpool.Pool, cfg idem.Config, upkeep Upkeep) (*Maintainer, error) {
	cfg, err := cfg.WithDefaults()
	if err != nil {
		return nil, err
	}
	for _, d := range []struct {
		name     string
		value    *time.Duration
		standard time.Duration
	}{
		{"Width", &upkeep.Width, 24 * time.Hour},
		{"Ahead", &upkeep.Ahead, 72 * time.Hour},
		{"Grace", &upkeep.Grace, 72 * time.Hour},
		{"LockTimeout", &upkeep.LockTimeout, 5 * time.Second},
	} {
		if *d.value < 0 {
			return nil, fmt.Errorf("idempgx: Upkeep.%s is %s; it must not be negative", d.name, *d.value)
		}
		if *d.value == 0 {
			*d.value = d.standard
		}
	}
	if upkeep.Width%time.Hour != 0 {
		return nil, fmt.Errorf("idempgx: Upkeep.Width is %s; it must be whole hours", upkeep.Width)
	}
	if upkeep.Chunk < 0 {
		return nil, fmt.Errorf("idempgx: Upkeep.Chunk is %d; it must not be negative", upkeep.Chunk)
	}
	if upkeep.Chunk == 0 {
		upkeep.Chunk = 10000
	}
	return &Maintainer{pool, cfg, upkeep}, nil
}

// Run maintains the table at once and then at every interval, until ctx is done, whose
// error it returns. An upkeep that fails is logged and tried again at the next interval:
// Ahead says how often that may happen. An hour is a good interval.
func (m *Maintainer) Run(ctx context.Context, interval time.Duration) error {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		report, err := m.Maintain(ctx)
		if err != nil && ctx.Err() == nil {
			m.cfg.Logger.LogAttrs(ctx, slog.LevelError, "idem: the upkeep failed", slog.String("table", m.cfg.Table), slog.Any("error", err))
		} else if !report.Busy {
			m.cfg.Logger.LogAttrs(ctx, slog.LevelInfo, "idem: upkeep", slog.String("table", m.cfg.Table), slog.Any("made", report.Made),
				slog.Any("detached", report.Detached), slog.Any("dropped", report.Dropped), slog.Duration("left", report.Left), slog.Int64("deleted", report.Deleted))
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Maintain does the upkeep once. It is safe to run while consumers work, and from several
// processes: one works, the others return with Busy. None of its statements holds up the
// consumers for longer than the moment it takes, however long their transactions are.
//
// It makes partitions only ahead of those that are there: a partition that is made again
// after its rows were removed would let its events be processed a second time. Only for a
// table that never had one does it begin with the retention's oldest.
//
// With an error, the report says what was done before it.
func (m *Maintainer) Maintain(ctx context.Context) (report Report, err error) {
	if f := m.upkeep.OnReport; f != nil {
		defer func() { f(ctx, report, err) }()
	}
	conn, err := m.connect(ctx)
	if err != nil {
		return report, fmt.Errorf("idempgx: the upkeep of %s: %w", m.cfg.Table, err)
	}
	defer release(ctx, conn)
	var mine bool
	if err := conn.QueryRow(ctx, "SELECT pg_try_advisory_lock(hashtextextended($1, 0))", "idem upkeep "+m.cfg.Table).Scan(&mine); err != nil {
		return report, fmt.Errorf("idempgx: the upkeep of %s: %w", m.cfg.Table, err)
	}
	if !mine {
		report.Busy = true
		return report, nil
	}
	u := &upkeepRun{Maintainer: m, conn: conn, now: m.cfg.Now().UTC(), report: &report}
	steps := []func(context.Context) error{u.finalize, u.makeAhead, u.detachExpired, u.dropDetached}
	if m.cfg.Schema == idem.Plain {
		steps = []func(context.Context) error{u.deleteExpired}
	}
	var failed []error
	for _, step := range steps {
		// A step that fails, with a lock timeout perhaps, is no reason to leave out the
		// next: partitions must be made even if one cannot be removed.
		failed = append(failed, step(ctx))
	}
	if err := errors.Join(failed...); err != nil {
		return report, fmt.Errorf("idempgx: the upkeep of %s: %w", m.cfg.Table, err)
	}
	return report, nil
}

// connect takes a connection out of the pool for good.
func (m *Maintainer) connect(ctx context.Context) (*pgx.Conn, error) {
	pooled, err := m.pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	conn := pooled.Hijack()
	if _, err := conn.Exec(ctx, fmt.Sprintf("SET lock_timeout = %d", m.upkeep.LockTimeout.Milliseconds())); err != nil {
		_ = conn.Close(ctx)
		return nil, err
	}
	return conn, nil
}

// release closes the connection, and its lock and settings with it. The lock is given up
// first, since the server notices the end of a connection a little later.
func release(ctx context.Context, conn *pgx.Conn) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	_, _ = conn.Exec(ctx, "SELECT pg_advisory_unlock_all()")
	_ = conn.Close(ctx)
}

// upkeepRun is one upkeep.
type upkeepRun struct {
	*Maintainer
	conn   *pgx.Conn
	now    time.Time
	report *Report
}

// finalize ends a detachment that a lock timeout or a cancelled run left pending: before
// that, no other partition can be detached.
func (u *upkeepRun) finalize(ctx context.Context) error {
	parts, err := partitions(ctx, u.conn, u.cfg.Table)
	if err != nil {
		return err
	}
	for _, p := range parts {
		if !p.pending {
			continue
		}
		_, err := u.conn.Exec(ctx, "ALTER TABLE "+u.cfg.Table+" DETACH PARTITION "+p.name+" FINALIZE")
		if isLockTimeout(err) {
			u.report.Pending = p.name
			return nil
		}
		if err != nil {
			return fmt.Errorf("finish the detachment of %s: %w", p.name, err)
		}
		u.report.Detached = append(u.report.Detached, p.name)
	}
	return nil
}

// makeAhead makes the partitions that are missing. CREATE TABLE … PARTITION OF would lock
// the whole table against every insert, and wait for the longest transaction before that;
// a table made on its own and attached takes a lock that inserts don't mind.
func (u *upkeepRun) makeAhead(ctx context.Context) error {
	parts, err := partitions(ctx, u.conn, u.cfg.Table)
	if err != nil {
		return err
	}
	from, err := u.firstMissing(ctx, parts)
	if err != nil {
		return err
	}
	u.report.Left = from.Sub(u.now) // known even if none can be made
	for end := u.now.Add(u.cfg.Skew + u.upkeep.Ahead); from.Before(end); {
		to := from.Truncate(u.upkeep.Width).Add(u.upkeep.Width)
		if err := u.attach(ctx, from, to); err != nil {
			return err
		}
		from = to
		u.report.Left = from.Sub(u.now)
	}
	return nil
}

// firstMissing returns where the partitions are to be continued.
func (u *upkeepRun) firstMissing(ctx context.Context, parts []partition) (time.Time, error) {
	oldest := u.now.Add(-u.cfg.Retention).Truncate(u.upkeep.Width)
	if len(parts) == 0 {
		detached, err := detachedTables(ctx, u.conn, u.cfg.Table)
		if err != nil {
			return time.Time{}, err
		}
		if len(detached) > 0 { // it had partitions: what they held must stay refused
			return u.now.Truncate(u.upkeep.Width), nil
		}
		return oldest, nil
	}
	last := parts[len(parts)-1].to
	if last.Before(oldest) {
		return oldest, nil
	}
	return last, nil
}

func (u *upkeepRun) attach(ctx context.Context, from, to time.Time) error {
	name := fmt.Sprintf("%s_p%s", u.cfg.Table, from.Format("2006010215"))
	err := pgx.BeginFunc(ctx, u.conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "CREATE TABLE "+name+" (LIKE "+u.cfg.Table+" INCLUDING ALL)"); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, fmt.Sprintf("ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM ('%s') TO ('%s')", u.cfg.Table, name, bound(from), bound(to)))
		return err
	})
	if err != nil {
		return fmt.Errorf("make %s: %w", name, err)
	}
	u.report.Made = append(u.report.Made, name)
	return nil
}

// detachExpired detaches what is older than the retention. A plain DETACH or a DROP would
// lock the whole table, after having waited for the longest transaction; CONCURRENTLY
// waits without a lock.
func (u *upkeepRun) detachExpired(ctx context.Context) error {
	parts, err := partitions(ctx, u.conn, u.cfg.Table)
	if err != nil {
		return err
	}
	for _, p := range parts {
		if p.pending {
			return nil // only one may be
		}
		if p.to.After(u.now.Add(-u.cfg.Retention - u.cfg.Skew)) {
			continue
		}
		// The comment is how a later run knows whose table it is and when it may go.
		if _, err := u.conn.Exec(ctx, "COMMENT ON TABLE "+p.name+" IS '"+detachedFrom(u.cfg.Table)+u.now.Format(time.RFC3339)+"'"); err != nil {
			return fmt.Errorf("detach %s: %w", p.name, err)
		}
		_, err := u.conn.Exec(ctx, "ALTER TABLE "+u.cfg.Table+" DETACH PARTITION "+p.name+" CONCURRENTLY")
		if isLockTimeout(err) {
			u.report.Pending = p.name
			return nil
		}
		if err != nil {
			return fmt.Errorf("detach %s: %w", p.name, err)
		}
		u.report.Detached = append(u.report.Detached, p.name)
	}
	return nil
}

func (u *upkeepRun) dropDetached(ctx context.Context) error {
	tables, err := detachedTables(ctx, u.conn, u.cfg.Table)
	if err != nil {
		return err
	}
	for _, d := range tables {
		if u.now.Sub(d.since) < u.upkeep.Grace {
			continue
		}
		if _, err := u.conn.Exec(ctx, "DROP TABLE "+d.name); err != nil {
			return fmt.Errorf("drop %s: %w", d.name, err)
		}
		u.report.Dropped = append(u.report.Dropped, d.name)
	}
	return nil
}

// deleteExpired deletes from a plain table in chunks, so that no transaction is long.
func (u *upkeepRun) deleteExpired(ctx context.Context) error {
	if u.cfg.Retention == 0 {
		return nil
	}
	statement := fmt.Sprintf("DELETE FROM %[1]s WHERE ctid = ANY (ARRAY(SELECT ctid FROM %[1]s WHERE processed_at < now() - make_interval(secs => $1) ORDER BY processed_at LIMIT %[2]d))", u.cfg.Table, u.upkeep.Chunk)
	for {
		tag, err := u.conn.Exec(ctx, statement, u.cfg.Retention.Seconds())
		if err != nil {
			return fmt.Errorf("delete expired rows: %w", err)
		}
		u.report.Deleted += tag.RowsAffected()
		if tag.RowsAffected() < int64(u.upkeep.Chunk) {
			return nil
		}
	}
}

func isLockTimeout(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == "55P03"
}
