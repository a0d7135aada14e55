// Package recid names records and events; it neither gates nor writes anything.
package recid

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/segmentio/kafka-go"
)

// Coordinates says where a record stands: fine for a log, wrong for a key.
func Coordinates(m kafka.Message) string {
	return fmt.Sprintf("%s-%d-%d", m.Topic, m.Partition, m.Offset)
}

// Place is the same for clients whose numbers have other types.
func Place(topic string, partition int32, offset int64) string {
	return fmt.Sprintf("%s-%d-%d", topic, partition, offset)
}

// Digest shortens a name.
func Digest(name string) string {
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:12])
}

// EventID reads the id out of the payload.
func EventID(body []byte) (string, error) {
	var ev struct {
		EventID string `json:"event_id"`
	}
	if err := json.Unmarshal(body, &ev); err != nil {
		return "", err
	}
	if ev.EventID == "" {
		return "", errors.New("no event_id")
	}
	return ev.EventID, nil
}
