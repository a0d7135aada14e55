//go:build unix && !linux

package bench

import "time"

// runtimeTimer sleeps as exactly as the runtime can, see kernelTimer.
type runtimeTimer time.Duration

func newSleeper(d time.Duration) (sleeper, error) { return runtimeTimer(d), nil }

func (t runtimeTimer) Sleep() error {
	time.Sleep(time.Duration(t))
	return nil
}

func (runtimeTimer) Close() error { return nil }
