package moneykey

import (
	"regexp"
	"strings"
	"sync"

	"github.com/idemlint/idemlint/internal/catalog"
	"github.com/idemlint/idemlint/internal/flow"
)

const verbs = `(?:charge|capture|refund|payout|pay_?out|transfer|withdraw|withdrawal|debit|credit|top_?up|disburse|disbursement)`

var (
	// moneyPath matches the paths of requests that move money: a collection that
	// gets a new member, or an action on one.
	moneyPath = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)(?:^|/)(?:(?:charge|payment|payment[-_]?intent|payout|refund|transfer|capture|withdrawal|debit|credit|top[-_]?up|disbursement)s?)(?:/[^/?]*(?:[{%:]|` + flow.Hole + `|\d)[^/?]*)?(?:/(?:charge|capture|confirm|execute|refund|submit|payout)s?)?/?(?:\?.*)?$`)
	})
	// moneyFunc matches the names of functions that do.
	moneyFunc = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(?:do|create|make|send|submit|execute|process|issue|initiate|perform|request|post)?_?(?:` + verbs + `_?(?:card|customer|payment|payments|money|funds|order|amount|account|wallet|invoice|balance)?|(?:create|make|process|submit|execute|confirm|capture|initiate)_?payment(?:_?intent)?|pay)$`)
	})
	// aside matches what is done beside the payment.
	aside = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)(?:^|/)(?:e?mails?|notifications?|webhooks?|sms|receipts?|metrics|events?|logs?|audit|quotes?|search|login|token|updates?|status(?:es)?|callbacks?|hooks?|reports?|history|exports?)(?:/|$|\?)`)
	})
)

// MovesMoney reports whether an operation is a money call: by the SDK's function,
// by its path, or by the name of the function around it when the path does not
// tell.
func MovesMoney(o *flow.Op) bool {
	if o.Kind != flow.External {
		return false
	}
	if o.Row != nil && o.Row.Money {
		return true
	}
	switch {
	case o.Row == nil: // gRPC
		return moneyFunc().MatchString(o.Name[strings.LastIndexByte(o.Name, '.')+1:])
	case o.Row.Verb != catalog.Send || !strings.Contains(o.What, "POST") && !strings.Contains(o.What, "PUT") && !strings.Contains(o.What, "PATCH"):
		return false
	}
	for _, url := range strings.Fields(o.URL) {
		if aside().MatchString(path(url)) {
			return false
		}
		if moneyPath().MatchString(path(url)) {
			return true
		}
	}
	if told(o.URL) {
		return false
	}
	for _, s := range o.Steps() {
		name := s.Func.Name
		if i := strings.IndexByte(name, '$'); i >= 0 {
			name = name[:i]
		}
		if moneyFunc().MatchString(name[strings.LastIndexByte(name, '.')+1:]) {
			return true
		}
	}
	return false
}

// path cuts scheme and host from a URL.
func path(url string) string {
	if _, rest, ok := strings.Cut(url, "://"); ok {
		if i := strings.IndexByte(rest, '/'); i >= 0 {
			return rest[i:]
		}
		return "/"
	}
	return url
}

// told reports whether the known part of a URL names a resource.
func told(url string) bool {
	rest := strings.Trim(strings.ReplaceAll(path(url), flow.Hole, ""), "/ ")
	return rest != "" && !strings.HasPrefix(rest, "v") || len(rest) > 3
}
