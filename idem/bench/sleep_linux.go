package bench

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// kernelTimer sleeps on a timer of the kernel. Those of time.Sleep go off together, when
// the runtime next looks at the network, up to a millisecond late: the consumers would
// march in step and wait for each other, which no network's delay makes them do.
type kernelTimer struct {
	*os.File
	delay time.Duration
}

func newSleeper(d time.Duration) (sleeper, error) {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return nil, os.NewSyscallError("timerfd_create", err)
	}
	return &kernelTimer{os.NewFile(uintptr(fd), "timerfd"), d}, nil
}

// Sleep sets the timer and reads from it, which parks the goroutine like a read from the
// network, until it goes off.
func (t *kernelTimer) Sleep() error {
	raw, err := t.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	if err := raw.Control(func(fd uintptr) {
		spec := unix.ItimerSpec{Value: unix.NsecToTimespec(int64(t.delay))}
		failed = os.NewSyscallError("timerfd_settime", unix.TimerfdSettime(int(fd), 0, &spec, nil))
	}); err != nil {
		return err
	}
	if failed != nil {
		return failed
	}
	var expirations [8]byte
	_, err = t.Read(expirations[:])
	return err
}
