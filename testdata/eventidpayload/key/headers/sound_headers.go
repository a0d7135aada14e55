// Package headers reads headers for its neighbours.
package headers

import "github.com/segmentio/kafka-go"

// Get returns the header of that name, "" when there is none.
func Get(hs []kafka.Header, name string) string {
	for _, h := range hs {
		if h.Key == name {
			return string(h.Value)
		}
	}
	return ""
}

// Carrier is what OpenTelemetry calls a text map carrier.
type Carrier struct{ Msg *kafka.Message }

// Get returns a header.
func (c Carrier) Get(name string) string { return Get(c.Msg.Headers, name) }

// Keys returns the headers' names.
func (c Carrier) Keys() []string {
	out := make([]string, 0, len(c.Msg.Headers))
	for _, h := range c.Msg.Headers {
		out = append(out, h.Key)
	}
	return out
}
