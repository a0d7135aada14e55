package saramacase

import (
	"encoding/json"

	"github.com/IBM/sarama"
	"gorm.io/gorm"
)

type invoiceIssued struct {
	EventID string `json:"eventId"`
	Number  string `json:"number"`
	Cents   int64  `json:"cents"`
}

type invoiceRow struct {
	ID     uint `gorm:"primaryKey"`
	Number string
	Cents  int64
}

// RunInvoices reads one partition and keeps the group's offset itself; a crash before the mark inserts the invoice again.
func RunInvoices(client sarama.Client, db *gorm.DB) error {
	offsets, err := sarama.NewOffsetManagerFromClient("invoices", client)
	if err != nil {
		return err
	}
	defer offsets.Close()
	pom, err := offsets.ManagePartition("invoices", 0)
	if err != nil {
		return err
	}
	consumer, err := sarama.NewConsumerFromClient(client)
	if err != nil {
		return err
	}
	next, _ := pom.NextOffset()
	pc, err := consumer.ConsumePartition("invoices", 0, next)
	if err != nil {
		return err
	}
	defer pc.Close()
	for msg := range pc.Messages() {
		var e invoiceIssued
		if err := json.Unmarshal(msg.Value, &e); err != nil {
			return err
		}
		if err := db.Create(&invoiceRow{Number: e.Number, Cents: e.Cents}).Error; err != nil { // want "R-KFK-IDEM-X1"
			return err
		}
		pom.MarkOffset(msg.Offset+1, "")
	}
	return nil
}
