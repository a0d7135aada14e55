package main

import (
	"context"

	"example.com/cases/listenerdedup/reach/mainfield/listener"
	"example.com/cases/listenerdedup/reach/mainfield/tasks"
)

// once fills the field in the literal; sound: the method marks the event.
func once(ctx context.Context, t *tasks.Tasks) error {
	w := &listener.OnceWorker{Reader: reader("once"), Handle: t.AddOnce}
	return w.Run(ctx)
}

// tight assigns the field; sound: the method marks the event.
func tight(ctx context.Context, t *tasks.Tasks) error {
	w := &listener.TightWorker{Reader: reader("tight")}
	w.Handle = t.AddOnce
	return w.Run(ctx)
}
