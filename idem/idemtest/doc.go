// Package idemtest tries a consumer of events for what Kafka and a network do to it:
// duplicates, replays, crashes, lost connections, cancellations, two owners at once. It is
// run on the consumer's own code, in its own test, against a PostgreSQL:
//
//	func TestBillingSurvives(t *testing.T) {
//		idemtest.Test(t, idemtest.Consumer[Order]{
//			DSN:     dsn,
//			Records: orders, // a few: they show each branch of the handler
//			Start: func(ctx context.Context, dsn string) (idemtest.Process[Order], error) {
//				pool, err := pgxpool.New(ctx, dsn)
//				if err != nil {
//					return idemtest.Process[Order]{}, err
//				}
//				h := billing.NewHandler(pool)
//				return idemtest.Process[Order]{Deliver: idemtest.Each(h.Handle), Stop: pool.Close}, nil
//			},
//			Reset: func(ctx context.Context) error { … TRUNCATE … },
//			Check: func(ctx context.Context) error { … one invoice for each order … },
//		})
//	}
//
// The package knows no Kafka client: a record is any value, and Deliver is what the
// consumer does with one after the poll. A delivery that returns nil is acknowledged; one
// that returns an error comes again, as does one that a crash interrupts. A consumer that
// acknowledges earlier says so by [Ack].
//
// # What is tried
//
//   - twice: every record twice in a row;
//   - replay: the whole stream, and the whole stream again in a new process;
//   - restart: after each poll a new process, which gets the last polls again;
//   - crash@k: the process ends at point k and a new one goes on from what was
//     acknowledged;
//   - cut@k: the connection breaks at point k, and the process goes on;
//   - cancel@k: the context of the delivery is cancelled at point k;
//   - overlap@k: the process is held up before its request k, while another one gets what
//     was not acknowledged, as after a rebalance that the first has not noticed;
//   - random@seed: several of these at once, at random.
//
// A point is the moment before PostgreSQL gets a request of the process or after it has
// done it and before the process knows: before and after the COMMIT above all. The points
// are counted through the whole stream, and each is tried, until a run has no further one.
// The number of runs grows with the number of records, and each run delivers all of them:
// three to six records are enough, and take some seconds.
//
// After each schedule the invariant is checked. Where the schedule itself has not delivered
// again what may have been done, the whole stream then comes once more, and it is checked
// again. A failure names its schedule; the environment variable
// [ScheduleVariable] runs that one alone.
//
// # What is not tried
//
// The points are those of the requests to PostgreSQL. A crash between two calls elsewhere
// is tried only where a request lies between them, and a consumer that uses several
// goroutines for one delivery meets its points in a different order each time.
package idemtest
