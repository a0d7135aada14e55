package silent

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5/pgxpool"

	"example.com/cases/listenerdedup/silent/wsconn"
)

type chatLine struct {
	EventID string `json:"eventId"`
	Room    string `json:"room"`
	Text    string `json:"text"`
}

// ServeChat loops over a websocket's ReadMessage; no record of Kafka comes this way.
func ServeChat(ctx context.Context, conn *wsconn.Conn, pool *pgxpool.Pool) error {
	for {
		_, body, err := conn.ReadMessage()
		if err != nil {
			return err
		}
		var line chatLine
		if err := json.Unmarshal(body, &line); err != nil {
			return err
		}
		if _, err := pool.Exec(ctx, `INSERT INTO chat (room, line) VALUES ($1, $2)`, line.Room, line.Text); err != nil {
			return err
		}
	}
}
