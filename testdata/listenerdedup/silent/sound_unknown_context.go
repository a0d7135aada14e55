package silent

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type tenantKey struct{}

var errNoTenant = errors.New("no tenant in the context")

// TenantWorker does its work for the tenant that its context names. Nobody is seen to name
// one, so nothing can be said of it.
type TenantWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

// Run is the loop.
func (w *TenantWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := w.store(ctx, m.Value); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (w *TenantWorker) store(ctx context.Context, body []byte) error {
	tenant, ok := ctx.Value(tenantKey{}).(string)
	if !ok {
		return errNoTenant
	}
	_, err := w.pool.Exec(ctx, `INSERT INTO received (tenant, body) VALUES ($1, $2)`, tenant, body)
	return err
}
