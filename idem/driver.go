package idem

import "context"

// Driver is what a [Store] needs of a database. Tx is the type of its transactions.
// Packages idempgx and idemsql have the drivers; a test may bring its own.
//
// The Config that a driver gets is complete, see [Config.WithDefaults]. The claims are
// distinct, in the order of [CompareEvents], and on the partitioned schema in the id's canonical
// spelling.
type Driver[Tx any] interface {
	// Check returns an error when the database cannot do what cfg asks for.
	Check(cfg Config) error
	// Begin begins a transaction and claims in it, in as few round trips as it can. With
	// an error there is no transaction left to roll back.
	Begin(ctx context.Context, cfg Config, claims []Event) (tx Tx, first []bool, err error)
	// Claim inserts the claims that are not in the table yet, in one statement and in the
	// order given, and says for each whether it was inserted. It waits for transactions
	// that hold one of them.
	Claim(ctx context.Context, cfg Config, tx Tx, claims []Event) (first []bool, err error)
	// Commit commits what Begin began and frees it, also when it fails.
	Commit(ctx context.Context, tx Tx) error
	// Rollback undoes what Begin began and frees it, even if ctx is done.
	Rollback(ctx context.Context, tx Tx)
	// Fault says what kind of failure err is.
	Fault(err error) Fault
}

// Fault is what a [Driver] reads out of an error.
type Fault struct {
	Kind FaultKind
	// Code is the SQLSTATE or the database's own number; "connection" where there is none.
	Code string
}

// FaultKind tells apart the failures that a [Store] treats differently.
type FaultKind int

const (
	// Permanent is a failure that comes again when the same is tried again.
	Permanent FaultKind = iota
	// Transient is a transaction that the database gave up for reasons of timing: a
	// serialization failure, a deadlock, a lock timeout.
	Transient
	// Lost is a connection that broke. What was sent last may have been done or not.
	Lost
	// NoPartition is a claim outside of all partitions.
	NoPartition
)
