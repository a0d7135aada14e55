// Command gormdelete cleans up by its ORM, in a package of its own.
package main

import (
	"time"

	"gorm.io/gorm"

	"example.com/cases/dedupschema/life/gormdelete/inbox"
)

func main() {
	db, err := gorm.Open(nil)
	if err != nil {
		panic(err)
	}
	repo := &inbox.Repo{DB: db}
	go func() {
		for range time.Tick(time.Hour) {
			_ = repo.Expire(time.Now().Add(-14 * 24 * time.Hour))
		}
	}()
	_, _ = repo.Claim("1")
}
