package generators

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"time"
)

// quaySwept is an event of the harbour.
type quaySwept struct {
	EventID    string    `json:"eventId"`
	Type       string    `json:"type"`
	OccurredAt time.Time `json:"occurredAt"`
	Quay       string    `json:"quay"`
}

func sweepQuay(quay string) (quaySwept, error) {
	b := make([]byte, 16)
	if _, err := rand.Read(b); err != nil { // want "R-KFK-IDEM-1"
		return quaySwept{}, err
	}
	return quaySwept{EventID: hex.EncodeToString(b), Type: "quay.swept", OccurredAt: time.Now(), Quay: quay}, nil
}

// sweepQuayArray slices an array and formats it.
func sweepQuayArray(quay string) quaySwept {
	var b [12]byte
	rand.Read(b[:]) // want "R-KFK-IDEM-1"
	return quaySwept{EventID: fmt.Sprintf("%x", b), Type: "quay.swept", OccurredAt: time.Now(), Quay: quay}
}

// sweepQuayBase64 goes through base64.
func sweepQuayBase64(quay string) quaySwept {
	b := make([]byte, 18)
	_, _ = rand.Read(b) // want "R-KFK-IDEM-1"
	return quaySwept{EventID: base64.RawURLEncoding.EncodeToString(b), Type: "quay.swept", OccurredAt: time.Now(), Quay: quay}
}

// sweepQuayReader reads from the package's reader.
func sweepQuayReader(quay string) (quaySwept, error) {
	b := make([]byte, 16)
	if _, err := io.ReadFull(rand.Reader, b); err != nil { // want "R-KFK-IDEM-1"
		return quaySwept{}, err
	}
	return quaySwept{EventID: hex.EncodeToString(b), Type: "quay.swept", OccurredAt: time.Now(), Quay: quay}, nil
}

// sweepQuayText uses the standard library's random text.
func sweepQuayText(quay string) quaySwept {
	return quaySwept{EventID: rand.Text(), Type: "quay.swept", OccurredAt: time.Now(), Quay: quay} // want "R-KFK-IDEM-1"
}

// handmade builds a version 4 by hand.
func handmade(quay string) (quaySwept, error) {
	var b [16]byte
	if _, err := rand.Read(b[:]); err != nil { // want "R-KFK-IDEM-1"
		return quaySwept{}, err
	}
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	id := fmt.Sprintf("%x-%x-%x-%x-%x", b[0:4], b[4:6], b[6:8], b[8:10], b[10:])
	return quaySwept{EventID: id, Type: "quay.swept", OccurredAt: time.Now(), Quay: quay}, nil
}
