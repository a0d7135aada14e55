package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/idemlint/idemlint/internal/inventory"
	"github.com/idemlint/idemlint/internal/report"
)

const examples = "../../examples"

// inventoryIn takes the complete inventory of packages as JSON.
func inventoryIn(t *testing.T, dir string, args ...string) *inventory.Program {
	t.Helper()
	file := filepath.Join(t.TempDir(), "inventory.json")
	out, code := runIn(t, dir, tool, append([]string{"inventory", "-format", "json", "-o", file}, args...)...)
	if code != 0 {
		t.Fatalf("exit code %d, want 0\n%s", code, out)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p := new(inventory.Program)
	if err := json.Unmarshal(data, p); err != nil {
		t.Fatal(err)
	}
	return p
}

// verdicts lists the verdicts of the listeners, a line each.
func verdicts(p *inventory.Program) []string {
	var out []string
	for _, l := range p.Listeners {
		line := fmt.Sprintf("%s %s %v %v:", strings.TrimPrefix(l.Bound, p.Module+"/"), l.Name, l.Topics, l.Groups)
		for _, r := range l.Rules {
			if r.State != report.None {
				line += " " + r.Name + "=" + string(r.State)
			}
		}
		out = append(out, line)
	}
	return out
}

// The inventory of the two example services, by either way of loading, and from go
// vet's cache.
func TestInventoryOfExamples(t *testing.T) {
	const sound = "eventidpayload=proven onconflict=proven dedupschema=proven deduptx=proven listenerdedup=proven offsetkey=proven"
	want := []string{
		"broken (*consumer.Amended).Run [order.amended] [billing-amended]: eventidpayload=violated onconflict=violated dedupschema=violated deduptx=violated listenerdedup=proven offsetkey=proven",
		"broken (*consumer.Cancelled).Run [order.cancelled] [billing-cancelled]: eventidpayload=unknown onconflict=violated dedupschema=violated deduptx=proven listenerdedup=proven offsetkey=violated",
		"broken (*consumer.Placed).Run [order.placed] [billing-placed]: eventidpayload=proven onconflict=proven dedupschema=violated listenerdedup=violated offsetkey=proven",
		"broken (*consumer.Refunded).Run [order.refunded] [billing-refunded]: listenerdedup=violated",
		"broken (*consumer.Renewed).Run [order.renewed] [billing-renewed]: eventidpayload=proven onconflict=proven dedupschema=violated deduptx=violated listenerdedup=proven offsetkey=proven",
		"sound (*consumer.Amended).Run [order.amended] [billing-amended]: " + sound,
		"sound (*consumer.Cancelled).Run [order.cancelled] [billing-cancelled]: " + sound,
		"sound (*consumer.Placed).Run [order.placed] [billing-placed]: " + sound,
		"sound (*consumer.Refunded).Run [order.refunded] [billing-refunded]: " + sound,
		"sound (*consumer.Renewed).Run [order.renewed] [billing-renewed]: " + sound,
	}
	for name, args := range map[string][]string{"vet": {"./..."}, "cached": {"./..."}, "source": {"-load=source", "./..."}} {
		p := inventoryIn(t, examples, args...)
		if got := verdicts(p); !slices.Equal(got, want) {
			t.Errorf("%s:\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		var others []string
		for _, o := range p.Others {
			others = append(others, o.Rule+" "+o.At.File)
		}
		slices.Sort(others)
		if want := []string{"eventidv7 broken/internal/events/events.go", "moneykey broken/internal/payments/payments.go"}; !slices.Equal(others, want) {
			t.Errorf("%s: findings that concern no listener: %v, want %v", name, others, want)
		}
	}
}

// go vet sees a package that has tests together with them, and not without.
func TestInventoryOfTestedPackage(t *testing.T) {
	dir := copyOfExamples(t)
	test := "package consumer\n\nimport \"testing\"\n\nfunc TestGroup(t *testing.T) { t.Log(PlacedGroup) }\n"
	if err := os.WriteFile(filepath.Join(dir, "sound", "internal", "consumer", "group_test.go"), []byte(test), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, load := range []string{"-load=vet", "-load=source"} {
		own := inventoryIn(t, dir, load, "./sound/internal/consumer")
		if all := inventoryIn(t, dir, load, "./sound/..."); len(own.Listeners) != 5 || len(all.Listeners) != 5 || all.Listeners[0].Bound == "" {
			t.Errorf("%s: %d listeners in the package, %d in the program, want 5: %v", load, len(own.Listeners), len(all.Listeners), verdicts(all))
		}
	}
}

// The way of a record names each line from the listener to the operation.
func TestInventoryPath(t *testing.T) {
	p := inventoryIn(t, examples, "./...")
	i := slices.IndexFunc(p.Listeners, func(l inventory.Listener) bool {
		return l.Name == "(*consumer.Placed).Run" && strings.HasSuffix(l.Bound, "/sound")
	})
	l := p.Listeners[i]
	if l.Client != "github.com/segmentio/kafka-go" || !slices.Equal(l.Handlers, []string{"(*consumer.Placed).handle"}) {
		t.Errorf("client %q, handlers %v", l.Client, l.Handlers)
	}
	var kinds []string
	txs := make(map[string]int)
	for _, o := range l.Ways[0].Ops {
		kinds = append(kinds, o.Kind)
		if o.Tx > 0 {
			txs[o.Kind] = o.Tx
		}
		for _, at := range o.Path {
			data, err := os.ReadFile(filepath.Join(examples, at.File))
			if err != nil {
				t.Fatal(err)
			}
			if line := strings.Split(string(data), "\n")[at.Line-1]; strings.TrimSpace(line) != at.Source || at.Source == "" {
				t.Errorf("%s:%d: source %q, the file says %q", at.File, at.Line, at.Source, line)
			}
		}
		if o.Kind == inventory.Gate && (o.Key != "the payload, a setting" && o.Key != "the payload") {
			t.Errorf("the gate's key comes from %q", o.Key)
		}
	}
	gate, effect, commit, ack := slices.Index(kinds, inventory.Gate), slices.Index(kinds, inventory.Effect), slices.Index(kinds, inventory.Commit), slices.Index(kinds, inventory.Ack)
	if gate < 0 || effect < gate || commit < effect || ack < commit {
		t.Errorf("the order of the operations is %v", kinds)
	}
	if txs[inventory.Gate] != 1 || txs[inventory.Effect] != 1 {
		t.Errorf("transactions %v, want the gate and the effect in the first", txs)
	}
}

// What the rules report, the inventory calls violated, and nothing sound is; what was not
// seen is unknown.
func TestInventoryAgreesWithTheRules(t *testing.T) {
	pkgs := []string{"./listenerdedup/gates/...", "./listenerdedup/silent/...", "./deduptx/layers/...", "./deduptx/retry", "./listenerdedup/runtime", "./eventidpayload/first/order", "./offsetkey/..."}
	out, _ := run(t, tool, append([]string{"-format", "json"}, pkgs...)...)
	var reported []struct {
		Rule    string `json:"rule"`
		ID      string `json:"id"`
		Message string `json:"message"`
	}
	if err := json.Unmarshal([]byte(out), &reported); err != nil {
		t.Fatal(err)
	}
	if len(reported) < 50 {
		t.Fatalf("only %d findings", len(reported))
	}
	p := inventoryIn(t, "../../testdata", pkgs...)
	said := make(map[string]bool)
	for _, o := range p.Others {
		said[o.Rule+" "+o.Message] = true
	}
	states := make(map[string]report.State)
	for _, l := range p.Listeners {
		for _, r := range l.Rules {
			if r.State == report.Violated {
				said[r.Name+" "+r.Why] = true
			}
			rule, _, _ := strings.Cut(l.At.File, "/")
			sound := strings.HasPrefix(filepath.Base(l.At.File), "sound_")
			if r.Name == rule && sound && r.State == report.Violated && r.Exempt == "" {
				t.Errorf("%s: %s is violated: %s", l.At.File, r.Name, r.Why)
			}
			if r.Name == rule && r.State == report.Proven && l.Ways == nil {
				t.Errorf("%s: proven without a way", l.At.File)
			}
			states[l.Name+" "+r.Name] = r.State
		}
	}
	concerned := 0
	for _, f := range reported {
		if said[f.Rule+" "+strings.TrimPrefix(f.Message, f.ID+": ")] {
			concerned++
		}
	}
	// Where a listener has several findings of one rule, its verdict shows the first.
	if concerned*10 < len(reported)*9 {
		t.Errorf("of %d findings the inventory shows %d", len(reported), concerned)
	}
	for name, want := range map[string]report.State{
		"silent.RelayAll listenerdedup":            report.Unknown, // an interface whose implementation is elsewhere
		"(*silent.RelayWorker).Run listenerdedup":  report.Unknown, // a function value
		"silent.RelayAll moneykey":                 report.Unknown,
		"(*silent.TenantWorker).Run listenerdedup": report.Unknown, // what a context carries
		"(*runtime.Depot).Run eventidpayload":      report.Proven,  // events that a loop appends
		"(*order.Press).Run eventidpayload":        report.Proven,  // a time beside the event
		"(*retry.Depot).InTx deduptx":              report.Proven,  // a transaction that a loop tries again
		"(*retry.Depot).Begin deduptx":             report.Proven,
		"(*retry.Depot).Until deduptx":             report.Proven,
	} {
		if states[name] != want {
			t.Errorf("%s is %s, want %s", name, states[name], want)
		}
	}
}

// A list with a package missing says so, in its exit code and in each form.
func TestInventoryIncomplete(t *testing.T) {
	for _, format := range []string{"table", "json", "html"} {
		out, code := run(t, tool, "inventory", "-format", format, "./broken/typeerror", "./listenerdedup/direct/kafkago")
		if code != 1 || !strings.Contains(out, "typeerror.go:7") || format != "json" && !strings.Contains(out, "incomplete") || format == "json" && !strings.Contains(out, `"problems": "`) {
			t.Errorf("%s: exit code %d\n%.2000s", format, code, out)
		}
		if !strings.Contains(out, "kafkago") {
			t.Errorf("%s: the other package is not listed", format)
		}
	}
}

func TestInventoryFlags(t *testing.T) {
	for args, want := range map[string]string{
		"-format xml ./...":  "-format xml: it may be html, json, table",
		"-load quick ./...":  "-load quick: it may be source, vet",
		"":                   "usage: idemlint inventory",
		"-wrong ./...":       "flag provided but not defined: -wrong",
		"-format table -h":   "usage: idemlint inventory",
		"./nothing/like/it ": "nothing/like/it",
	} {
		out, code := run(t, tool, append([]string{"inventory"}, strings.Fields(args)...)...)
		wantCode := 2
		switch {
		case strings.Contains(args, "-h"):
			wantCode = 0
		case strings.Contains(args, "nothing"):
			wantCode = 1
		}
		if code != wantCode || !strings.Contains(out, want) {
			t.Errorf("%q: exit code %d, want %d and %q\n%s", args, code, wantCode, want, out)
		}
	}
}

// browser runs Debian's Chromium without a window.
func browser(t *testing.T, args ...string) string {
	t.Helper()
	bin, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatal("the page is tried in a browser, which is not here: apt-get install chromium")
	}
	args = append([]string{
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--user-data-dir=" + t.TempDir(),
	}, args...)
	out, err := exec.Command(bin, args...).Output()
	if err != nil {
		t.Fatalf("chromium: %v", err)
	}
	return string(out)
}

// The page stands alone, and its script opens a row by the page's address.
func TestInventoryPage(t *testing.T) {
	page := filepath.Join(t.TempDir(), "inventory.html")
	if out, code := runIn(t, examples, tool, "inventory", "-format", "html", "-o", page, "./..."); code != 0 {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if loads := regexp.MustCompile(`(?i)\b(src|<link|@import|url\()\s*=?`).FindAllString(string(text), -1); loads != nil {
		t.Errorf("the page loads something: %q", loads)
	}
	opened := regexp.MustCompile(`<details[^>]*\bopen=""`)
	for hash, want := range map[string]int{"": 0, "#all": 10, "#listener-2": 1} {
		dom := browser(t, "--dump-dom", "file://"+page+hash)
		if got := len(opened.FindAllString(dom, -1)); got != want {
			t.Errorf("%q: %d of the rows are open, want %d", hash, got, want)
		}
		if n := strings.Count(dom, "<svg "); n != 10 {
			t.Errorf("%d drawings, want 10", n)
		}
	}
	shot := filepath.Join(t.TempDir(), "page.png")
	browser(t, "--window-size=1400,1600", "--screenshot="+shot, "file://"+page+"#listener-0")
	if info, err := os.Stat(shot); err != nil || info.Size() < 50_000 {
		t.Errorf("the picture of the page is missing or empty: %v", err)
	}
}
