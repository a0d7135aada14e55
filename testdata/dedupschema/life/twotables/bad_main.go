// Command twotables has two inboxes, in another package, and no end to either.
package main

import (
	"context"
	"database/sql"

	"example.com/cases/dedupschema/life/twotables/claims"
)

func main() { // want "removes old rows of mail_inbox, post_inbox: the table"
	db, err := sql.Open("postgres", "")
	if err != nil {
		panic(err)
	}
	c := claims.New(db)
	_, _ = c.Mail(context.Background(), "1")
	_, _ = c.Post(context.Background(), "1")
}
