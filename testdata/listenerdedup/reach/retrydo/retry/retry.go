package retry

import (
	"context"
	"time"
)

// Do calls fn until it succeeds, n times at most.
func Do(ctx context.Context, n int, fn func(ctx context.Context) error) error {
	var err error
	for i := range n {
		if err = fn(ctx); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Duration(i+1) * 100 * time.Millisecond):
		}
	}
	return err
}
