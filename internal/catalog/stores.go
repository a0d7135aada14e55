package catalog

// Stores without a transaction around the business result, and document stores.

// goRedis are the rows of a version of the library: SetEx was called SetEX in v8.
func goRedis(p, setEx string) entry {
	c := "(*" + p + ".Client)."
	out := []Row{}
	for _, recv := range []string{c, "(" + p + ".cmdable).", "(" + p + ".Cmdable).", "(" + p + ".UniversalClient).", "(*" + p + ".ClusterClient).", "(*" + p + ".Ring).", "(" + p + ".Pipeliner).", "(" + p + ".StatefulCmdable)."} {
		out = append(out,
			Row{Name: recv + "SetNX", Verb: PutAbsent, Store: Redis, Key: A1, Life: A3},
			Row{Name: recv + "SetArgs", Verb: PutAbsent, Store: Redis, Key: A1, Field: "Mode=NX", Const: "error tells", Kind: "no rows"},
			Row{Name: recv + "HSetNX", Verb: PutAbsent, Store: Redis, Key: A2, Text: A1},
			Row{Name: recv + "SAdd", Verb: PutAbsent, Store: Redis, Key: A2},
			Row{Name: recv + "Set", Verb: Put, Store: Redis, Key: A1},
			Row{Name: recv + setEx, Verb: Put, Store: Redis, Key: A1},
			Row{Name: recv + "Get", Verb: Get, Store: Redis, Key: A1, Const: "error tells"},
			Row{Name: recv + "Exists", Verb: Get, Store: Redis, Key: A1},
			Row{Name: recv + "SIsMember", Verb: Get, Store: Redis, Key: A2},
			Row{Name: recv + "Del", Verb: Del, Store: Redis, Key: A1},
		)
		for _, m := range []string{"Incr", "IncrBy", "IncrByFloat", "HIncrBy", "ZIncrBy", "LPush", "RPush"} {
			out = append(out, Row{Name: recv + m, Verb: Incr, Store: Redis, Key: A1, Kind: "a Redis " + m})
		}
		for _, m := range []string{"Expire", "ExpireAt", "ExpireNX", "ExpireGT", "ExpireLT", "ExpireXX", "PExpire", "PExpireAt"} {
			out = append(out, Row{Name: recv + m, Verb: Expire, Store: Redis, Key: A1})
		}
		out = append(out, Row{Name: recv + "Publish", Verb: Effect, Kind: "a Redis publish"},
			Row{Name: recv + "XAdd", Verb: Effect, Kind: "a Redis stream append"})
	}
	for _, t := range []string{"baseCmd", "BoolCmd", "StatusCmd", "IntCmd", "StringCmd", "Cmd"} {
		for _, m := range []string{"Result", "Val", "Err", "Bool", "Int64", "Text", "Bytes"} {
			out = append(out, Row{Name: "(*" + p + "." + t + ")." + m, Verb: Answered})
		}
	}
	return entry{libs: []Library{{p, Stores}}, rows: func() []Row { return out }}
}

func init() {
	register(goRedis("github.com/redis/go-redis/v9", "SetEx"))
}
func init() {
	register(goRedis("github.com/go-redis/redis/v8", "SetEX"))
}
func init() {
	register(goRedis("github.com/go-redis/redis/v9", "SetEx"))
}

const memcache = "github.com/bradfitz/gomemcache/memcache"

func init() {
	register(entry{
		libs: []Library{{memcache, Stores}},
		rows: func() []Row {
			return []Row{
				{Name: "(*" + memcache + ".Client).Add", Verb: PutAbsent, Store: Redis, Key: A0, Const: "error tells"},
				{Name: "(*" + memcache + ".Client).Set", Verb: Put, Store: Redis, Key: A0},
				{Name: "(*" + memcache + ".Client).Get", Verb: Get, Store: Redis, Key: A0, Const: "error tells"},
				{Name: "(*" + memcache + ".Client).Delete", Verb: Del, Store: Redis, Key: A0},
			}
		},
	})
}

func init() {
	register(entry{
		libs: []Library{{"github.com/gomodule/redigo", Stores}},
		rows: func() []Row {
			return []Row{
				{Name: "(github.com/gomodule/redigo/redis.Conn).Do", Verb: PutAbsent, Store: Redis, Kind: "command"},
				{Name: "github.com/gomodule/redigo/redis.DoContext", Verb: PutAbsent, Store: Redis, Kind: "command"},
				{Name: "(github.com/gomodule/redigo/redis.ConnWithContext).DoContext", Verb: PutAbsent, Store: Redis, Kind: "command"},
				{Name: "github.com/gomodule/redigo/redis.DoWithTimeout", Verb: PutAbsent, Store: Redis, Kind: "command"},
				{Name: "(github.com/gomodule/redigo/redis.ConnWithTimeout).DoWithTimeout", Verb: PutAbsent, Store: Redis, Kind: "command"},
				{Name: "github.com/gomodule/redigo/redis.String", Verb: Answered, Kind: "reply"},
				{Name: "github.com/gomodule/redigo/redis.Int", Verb: Answered, Kind: "reply"},
				{Name: "github.com/gomodule/redigo/redis.Int64", Verb: Answered, Kind: "reply"},
				{Name: "github.com/gomodule/redigo/redis.Bool", Verb: Answered, Kind: "reply"},
			}
		},
	})
}

func init() {
	register(entry{
		rows: func() []Row {
			return []Row{
				{Name: "(*sync.Map).LoadOrStore", Verb: PutAbsent, Store: Memory, Key: A0, Const: "loaded"},
				{Name: "(*sync.Map).Load", Verb: Get, Store: Memory, Key: A0},
				{Name: "(*sync.Map).Store", Verb: Put, Store: Memory, Key: A0},
				{Name: "(*sync.Map).Delete", Verb: Del, Store: Memory, Key: A0},
				{Name: "(*sync.Map).LoadAndDelete", Verb: Del, Store: Memory, Key: A0},
			}
		},
	})
}

// mongoEntry are the rows of a version of the driver: a session was an interface
// in v1.
func mongoEntry(p, session string) entry {
	c := "(*" + p + ".Collection)."
	return entry{
		libs: []Library{{"go.mongodb.org/mongo-driver", Stores}},
		rows: func() []Row {
			return rows(
				[]Row{
					{Name: c + "InsertOne", Verb: PutAbsent, Store: Mongo, Key: A1, Handle: A0},
					{Name: c + "InsertMany", Verb: PutAbsent, Store: Mongo, Key: A1, Handle: A0},
					{Name: c + "FindOne", Verb: Get, Store: Mongo, Key: A1, Handle: A0},
					{Name: c + "CountDocuments", Verb: Get, Store: Mongo, Key: A1, Handle: A0},
					{Name: c + "Find", Verb: Get, Store: Mongo, Key: A1, Handle: A0},
					{Name: "(*" + p + ".SingleResult).Decode", Verb: Scan, Vals: A0},
					{Name: "(*" + p + ".SingleResult).Err", Verb: Scan},
				},
				each(c+"%s", []string{"UpdateOne", "UpdateMany", "UpdateByID", "FindOneAndUpdate"}, Row{Verb: Incr, Store: Mongo, Key: A1, Handle: A0, Kind: "a MongoDB update", Field: "update"}),
				each(c+"%s", []string{"ReplaceOne", "FindOneAndReplace"}, Row{Verb: Incr, Store: Mongo, Key: A1, Handle: A0, Kind: "a MongoDB replace", Const: "overwrites"}),
				each(c+"%s", []string{"DeleteOne", "DeleteMany", "FindOneAndDelete"}, Row{Verb: Incr, Store: Mongo, Key: A1, Handle: A0, Kind: "a MongoDB delete", Const: "guarded"}),
				[]Row{{Name: c + "BulkWrite", Verb: Incr, Store: Mongo, Key: A1, Handle: A0, Kind: "a MongoDB bulk write", Const: "overwrites"}},
				[]Row{
					{Name: "(" + session + ").WithTransaction", Verb: InTx, Fn: A1},
					{Name: "(*" + p + ".Client).UseSession", Verb: InTx, Fn: A1},
				},
			)
		},
	}
}

func init() {
	register(mongoEntry("go.mongodb.org/mongo-driver/mongo", "go.mongodb.org/mongo-driver/mongo.Session"))
}
func init() {
	register(mongoEntry("go.mongodb.org/mongo-driver/v2/mongo", "*go.mongodb.org/mongo-driver/v2/mongo.Session"))
}
func init() {
	register(entry{
		rows: func() []Row {
			return []Row{{Name: "(*go.mongodb.org/mongo-driver/v2/mongo.Client).BulkWrite", Verb: Incr, Store: Mongo, Key: A1, Handle: A0, Kind: "a MongoDB bulk write", Const: "overwrites"}}
		},
	})
}

const dynamo = "github.com/aws/aws-sdk-go-v2/service/dynamodb"

func init() {
	register(entry{
		libs: []Library{{dynamo, Stores}, {"github.com/aws/aws-sdk-go-v2", Support}, {"github.com/aws/aws-sdk-go", Support}, {"github.com/aws/smithy-go", Support}},
		rows: func() []Row {
			return []Row{
				{Name: "(*" + dynamo + ".Client).PutItem", Verb: PutAbsent, Store: DynamoDB, Key: A1, Field: "ConditionExpression"},
				{Name: "(*" + dynamo + ".Client).UpdateItem", Verb: Incr, Store: DynamoDB, Key: A1, Kind: "a DynamoDB update", Field: "ConditionExpression"},
				{Name: "(*" + dynamo + ".Client).DeleteItem", Verb: Incr, Store: DynamoDB, Key: A1, Kind: "a DynamoDB delete", Const: "guarded"},
				{Name: "(*" + dynamo + ".Client).GetItem", Verb: Get, Store: DynamoDB, Key: A1},
				{Name: "(*" + dynamo + ".Client).Query", Verb: Get, Store: DynamoDB, Key: A1},
			}
		},
	})
}
