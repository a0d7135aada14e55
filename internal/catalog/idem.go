package catalog

// The reference runtime. Its rows say what its functions are for, which its bodies, written
// over interfaces, would not show.

const (
	idem    = "github.com/idemlint/idemlint/idem"
	idemPGX = idem + "/idempgx"
	idemSQL = idem + "/idemsql"
)

func init() {
	register(entry{
		libs: []Library{{idem, Runtime}, {idem + "/consumer", Records}},
		rows: func() []Row {
			return []Row{
				{Name: "(*" + idem + ".Store).TryMarkProcessed", Verb: PutAbsent, Store: SQL, Handle: A1, Key: A2, Own: true},
				{Name: "(*" + idem + ".Store).Process", Verb: Once, Store: SQL, Key: A1, Fn: A2, Field: "ID", Own: true},
				{Name: "(*" + idem + ".Store).ProcessBatch", Verb: Once, Store: SQL, Key: A1, Fn: A2, Field: "ID", Own: true},
				{Name: idem + "/consumer.New", Verb: Processor, Store: SQL, Key: A0, Field: "Decode ID Handle HandleBatch", Own: true, Wire: &Wiring{Group: names(A0, "Group")}},
				{Name: "(*" + idemPGX + ".Maintainer).Run", Verb: Upkeep},
				{Name: "(*" + idemPGX + ".Maintainer).Maintain", Verb: Upkeep},
				{Name: idemSQL + ".Prune", Verb: Upkeep},
				{Name: idem + "/eventid.New", Verb: Generate, Gen: UUIDv7},
				{Name: idem + "/eventid.Parse", Verb: ParseID},
			}
		},
		keyed: []string{idem + "/money.Transport", idem + "/moneygrpc.Interceptor"},
	})
}
