package idemtest_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemlint/idemlint/idem/idemtest"
)

// The test of a handler that is a function of a pool and an order's id.
func Example() {
	var handle func(ctx context.Context, pool *pgxpool.Pool, order string) error
	var pool *pgxpool.Pool // the test's own

	test := func(t *testing.T) {
		orders := []string{"order-1", "order-2", "order-3"}
		idemtest.Test(t, idemtest.Consumer[string]{
			DSN:     pool.Config().ConnString(),
			Records: orders,
			Start: func(ctx context.Context, dsn string) (idemtest.Process[string], error) {
				pool, err := pgxpool.New(ctx, dsn)
				if err != nil {
					return idemtest.Process[string]{}, err
				}
				return idemtest.Process[string]{
					Deliver: idemtest.Each(func(ctx context.Context, order string) error { return handle(ctx, pool, order) }),
					Stop:    pool.Close,
				}, nil
			},
			Reset: func(ctx context.Context) error {
				_, err := pool.Exec(ctx, `DELETE FROM invoice; DELETE FROM processed_event`)
				return err
			},
			Check: func(ctx context.Context) error {
				var wrong []error
				for _, order := range orders {
					var n int
					if err := pool.QueryRow(ctx, `SELECT count(*) FROM invoice WHERE order_id = $1`, order).Scan(&n); err != nil {
						return err
					}
					if n != 1 {
						wrong = append(wrong, fmt.Errorf("%s has %d invoices", order, n))
					}
				}
				return errors.Join(wrong...)
			},
		})
	}
	_ = test
}

// A proxy in a test of one's own: the answer to the first COMMIT is lost.
func ExampleNewProxy() {
	lost := false
	proxy, err := idemtest.NewProxy("postgres://localhost/billing_test", func(p idemtest.Point) idemtest.Verdict {
		if p.Commit && p.Answered && !lost {
			lost = true
			return idemtest.Cut
		}
		return idemtest.Pass
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer proxy.Close()
	conn, err := pgx.Connect(context.Background(), proxy.DSN())
	_, _ = conn, err
}
