package silent

import (
	"context"
	"fmt"
	"net/http"

	"github.com/segmentio/kafka-go"
)

// Served answers requests beside its loop, with a function that returns nothing given
// to one that returns an error; right: nothing is done for a record.
func Served(ctx context.Context, r *kafka.Reader) error {
	go func() {
		err := http.ListenAndServe(":8080", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprintln(w, "ok")
		}))
		fmt.Println(err)
	}()
	for {
		m, err := r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		fmt.Println(string(m.Value))
		if err := r.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}
