// Package typeerror does not compile, so a finding may be missing only for now.
package typeerror

import (
	"context"

	"github.com/segmentio/kafka-go"
)

// Run has a directive for what cannot be seen while undefined is not there.
func Run(ctx context.Context, r *kafka.Reader) error {
	for {
		m, err := r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		//idemlint:ignore R-KFK-IDEM-X1 the counter is an estimate
		if err := undefined.Count(ctx, string(m.Key)); err != nil {
			return err
		}
		// What is wrong with a directive itself is said all the same.
		// want +1 "no reason, so it does not count"
		//idemlint:ignore R-KFK-IDEM-X2
		if err := r.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}
