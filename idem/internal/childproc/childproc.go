//go:build unix

// Package childproc has what the tests' private database servers share: a user without
// privileges to run as, and an end together with the tests, however those end.
package childproc

import (
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// Unprivileged returns the attributes of a process that owns dir. For root that is user
// nobody, since database servers refuse to run as root.
func Unprivileged(dir string) (*syscall.SysProcAttr, error) {
	attr := &syscall.SysProcAttr{Setpgid: true} // a Ctrl-C at the tests is not for the server
	if os.Geteuid() != 0 {
		return attr, nil
	}
	u, err := user.Lookup("nobody")
	if err != nil {
		return nil, err
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return nil, err
	}
	attr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return attr, os.Chown(dir, int(uid), int(gid))
}

// Watch kills process pid and removes dir when this process ends without having called
// stop, by a panic or a kill.
func Watch(pid int, dir string) (stop func(), err error) {
	watcher := exec.Command("sh", "-c", `cat >/dev/null; kill -QUIT "$1"; sleep 1; rm -rf "$2"`, "sh", strconv.Itoa(pid), dir)
	watcher.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stdin, err := watcher.StdinPipe() // reads its end when this process is gone
	if err != nil {
		return nil, err
	}
	if err := watcher.Start(); err != nil {
		return nil, err
	}
	return func() {
		_ = watcher.Process.Kill()
		_ = stdin.Close()
		_ = watcher.Wait()
	}, nil
}
