package idem

import (
	"context"
	"math/rand/v2"
	"time"
)

// longestPause keeps a consumer within its poll interval however many attempts it has.
const longestPause = time.Second

// pause waits before the attempt that follows the given one, for a random part of a time
// that doubles, so that two transactions which got into each other's way part. It returns
// early with ctx's error.
func pause(ctx context.Context, backoff time.Duration, attempt int) error {
	limit := min(backoff<<min(attempt-1, 16), longestPause)
	timer := time.NewTimer(rand.N(limit + 1))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
