package money_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/idemlint/idemlint/idem"
	"github.com/idemlint/idemlint/idem/money"
)

func ExampleTransport() {
	provider := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		fmt.Println(r.Header.Get("Idempotency-Key"))
	}))
	defer provider.Close()
	client := &http.Client{Transport: &money.Transport{}}

	// Each delivery of the event does this; Process of a store sets the event.
	ctx := idem.WithEvent(context.Background(), idem.Event{ID: "017f22e2-79b0-7cc3-98c4-dc0c0c07398f", Group: "billing"})
	ctx = money.WithStep(ctx, "charge")
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, provider.URL, strings.NewReader(`{"cents":900}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	resp, err := client.Do(req)
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = resp.Body.Close()
	// Output: c9a2204d-9e6a-8dc8-a79f-4d3f03b2308a
}
