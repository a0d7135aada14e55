package main

import (
	"context"
	"log"
	"os"

	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/jmoiron/sqlx"
	"github.com/segmentio/kafka-go"

	"example.com/cases/listenerdedup/reach/mainfield/tasks"
)

// The command binds the handlers of four workers by their exported fields.
func main() {
	db, err := sqlx.Open("pgx", os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	t := &tasks.Tasks{DB: db}
	go func() { log.Print(plain(ctx, t)) }()
	go func() { log.Print(once(ctx, t)) }()
	go func() { log.Print(loose(ctx, t)) }()
	log.Print(tight(ctx, t))
}

func reader(topic string) *kafka.Reader {
	return kafka.NewReader(kafka.ReaderConfig{Brokers: []string{os.Getenv("BROKER")}, Topic: topic, GroupID: "tasks"})
}
