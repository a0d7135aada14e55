package closure

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/twmb/franz-go/pkg/kgo"
)

type reelWound struct {
	EventID string `json:"eventId"`
	Reel    string `json:"reel"`
	Metres  int    `json:"metres"`
}

// WindReels passes a closure to the package's loop; it adds at every delivery.
func WindReels(ctx context.Context, client *kgo.Client, db *sql.DB) error {
	return eachRecord(ctx, client, func(r *kgo.Record) error {
		var e reelWound
		if err := json.Unmarshal(r.Value, &e); err != nil {
			return err
		}
		_, err := db.ExecContext(ctx, `UPDATE reels SET metres = metres + $1 WHERE id = $2`, e.Metres, e.Reel) // want "R-KFK-IDEM-X1"
		return err
	})
}
