package report

// State is what is known of one listener under one rule.
type State string

// The states. None is not Proven: the rule's subject does not arise, and everything that
// the listener leads to was seen.
const (
	Proven   State = "proven"
	Violated State = "violated"
	Unknown  State = "unknown"
	None     State = "none"
)

// Verdict is what a rule says of one listener.
type Verdict struct {
	State State
	Why   string
	// If is what must also be found Sound, in whatever package, for Proven to stand.
	If []Condition
}

// Condition is something that another package may have seen, see Reporter.Sound.
type Condition struct {
	About string `json:"about"`
	Else  string `json:"else"` // why the verdict is unknown when nobody has
}

// A Ledger gathers what a rule sees of the parts of a listener into one verdict: what is
// violated outweighs what is unknown, that what is proven.
type Ledger struct{ worst Verdict }

var weight = map[State]int{None: 1, Proven: 2, Unknown: 3, Violated: 4}

// Add enters what one part says.
func (l *Ledger) Add(s State, why string) {
	if weight[s] > weight[l.worst.State] {
		l.worst.State, l.worst.Why = s, why
	}
}

// If adds a condition to the verdict, and why it is unknown where that does not hold.
func (l *Ledger) If(about, otherwise string) {
	l.worst.If = append(l.worst.If, Condition{about, otherwise})
}

// Verdict returns the verdict; none says why the rule's subject does not arise when
// nothing was entered.
func (l *Ledger) Verdict(none string) Verdict {
	if l.worst.State == "" {
		return Verdict{State: None, Why: none}
	}
	return l.worst
}
