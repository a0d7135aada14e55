package franzcase

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"
	"github.com/twmb/franz-go/pkg/kgo"
)

type netMended struct {
	EventID string `json:"eventId"`
	NetID   string `json:"netId"`
}

// menders publishes with version 7; the client's transactional id and the net's are random.
type menders struct {
	client *kgo.Client
}

func newMenders(seeds ...string) (*menders, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.TransactionalID("menders-"+uuid.NewString()))
	return &menders{client: client}, err
}

func (m *menders) mended(ctx context.Context) error {
	body, err := json.Marshal(netMended{EventID: uuid.Must(uuid.NewV7()).String(), NetID: uuid.NewString()})
	if err != nil {
		return err
	}
	return m.client.ProduceSync(ctx, kgo.SliceRecord(body)).FirstErr()
}

// inherited: the event that follows from another is named after it.
func (m *menders) inherited(ctx context.Context, cause netHauled) error {
	body, err := json.Marshal(netMended{EventID: uuid.NewSHA1(cause.EventID, []byte("mended")).String()})
	if err != nil {
		return err
	}
	return m.client.ProduceSync(ctx, kgo.SliceRecord(body)).FirstErr()
}
