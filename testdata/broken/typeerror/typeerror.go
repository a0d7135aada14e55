// Package typeerror does not compile.
package typeerror

import "github.com/segmentio/kafka-go"

// Handle has a type error.
func Handle(m kafka.Message) int { return m.Value }
