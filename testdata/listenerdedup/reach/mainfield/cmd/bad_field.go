package main

import (
	"context"

	"example.com/cases/listenerdedup/reach/mainfield/listener"
	"example.com/cases/listenerdedup/reach/mainfield/tasks"
)

// plain fills the field in the literal with a method that has no gate.
func plain(ctx context.Context, t *tasks.Tasks) error {
	w := &listener.PlainWorker{Reader: reader("plain"), Handle: t.Add} // want "R-KFK-IDEM-X1"
	return w.Run(ctx)
}

// loose assigns the field with a method that has no gate.
func loose(ctx context.Context, t *tasks.Tasks) error {
	w := &listener.LooseWorker{Reader: reader("loose")}
	w.Handle = t.Add // want "R-KFK-IDEM-X1"
	return w.Run(ctx)
}
