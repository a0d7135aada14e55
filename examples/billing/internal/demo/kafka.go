package demo

import (
	"context"
	"fmt"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// kafka is what a run asks of the cluster.
type kafka struct {
	client *kgo.Client
	admin  *kadm.Client
}

func (k kafka) create(ctx context.Context, topics ...string) error {
	responses, err := k.admin.CreateTopics(ctx, partitions, -1, nil, topics...)
	if err == nil {
		err = responses.Error()
	}
	if err != nil {
		return fmt.Errorf("demo: create the topics: %w", err)
	}
	return nil
}

// remove deletes the topics of the run. They harm nobody when that fails.
func (k kafka) remove(ctx context.Context, topics ...string) {
	_, _ = k.admin.DeleteTopics(ctx, topics...)
}

// behind returns how many records of the topic the group has not acknowledged.
func (k kafka) behind(ctx context.Context, topic, group string) (int64, error) {
	ends, err := k.admin.ListEndOffsets(ctx, topic)
	if err != nil {
		return 0, fmt.Errorf("demo: the end of %s: %w", topic, err)
	}
	committed, err := k.admin.FetchOffsetsForTopics(ctx, group, topic)
	if err != nil {
		return 0, fmt.Errorf("demo: the offsets of %s: %w", group, err)
	}
	var behind int64
	ends.Each(func(end kadm.ListedOffset) {
		at := int64(0)
		if c, ok := committed.Lookup(topic, end.Partition); ok && c.At > 0 {
			at = c.At
		}
		behind += end.Offset - at
	})
	return behind, nil
}

// rewind sets the group back to the beginning of the topic. The group must have stopped.
func (k kafka) rewind(ctx context.Context, topic, group string) error {
	var offsets kadm.Offsets
	for p := range int32(partitions) {
		offsets.AddOffset(topic, p, 0, -1)
	}
	responses, err := k.admin.CommitOffsets(ctx, group, offsets)
	if err == nil {
		err = responses.Error()
	}
	if err != nil {
		return fmt.Errorf("demo: set %s back to the earliest offset: %w", group, err)
	}
	return nil
}
