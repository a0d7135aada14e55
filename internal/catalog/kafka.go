package catalog

import "strings"

// The Kafka clients. The old import path of sarama and confluent's first
// version have the same names.

var saramaParts = map[string]RecordPart{
	"Value": Payload, "Key": RecordKey, "Headers": Headers, "Offset": Offset, "Partition": Partition,
	"Topic": Topic, "Timestamp": Timestamp, "BlockTimestamp": Timestamp,
}

func saramaEntry(p string) entry {
	return entry{
		libs:    []Library{{p, Records}},
		records: []RecordType{{p + ".ConsumerMessage", saramaParts}},
		rows: func() []Row {
			return rows(
				[]Row{
					{Name: p + ".NewConsumerGroup", Verb: Consumer, Wire: &Wiring{Group: names(A1)}},
					{Name: p + ".NewConsumerGroupFromClient", Verb: Consumer, Wire: &Wiring{Group: names(A0)}},
					{Name: "(" + p + ".ConsumerGroup).Consume", Verb: Idle, Wire: &Wiring{Topics: names(A1), Handler: A2}},
					{Name: "(" + p + ".AsyncProducer).Input", Verb: Outlet, Kind: "a Kafka publish"},
					{Name: "(" + p + ".ConsumerGroupClaim).Messages", Verb: Source},
					{Name: "(" + p + ".PartitionConsumer).Messages", Verb: Source},
					{Name: "(" + p + ".ConsumerGroupSession).MarkMessage", Verb: Ack, Key: A0},
					{Name: "(" + p + ".ConsumerGroupSession).MarkOffset", Verb: Ack, Key: A2},
					{Name: "(" + p + ".ConsumerGroupSession).Commit", Verb: Idle},
					{Name: "(" + p + ".SyncProducer).SendMessage", Verb: Effect, Kind: "a Kafka publish"},
					{Name: "(" + p + ".SyncProducer).SendMessages", Verb: Effect, Kind: "a Kafka publish"},
				},
			)
		},
	}
}

func init() {
	register(saramaEntry("github.com/IBM/sarama"))
}
func init() {
	register(saramaEntry("github.com/Shopify/sarama"))
}

func init() {
	register(entry{
		libs: []Library{{"github.com/segmentio/kafka-go", Records}},
		records: []RecordType{{"github.com/segmentio/kafka-go.Message", map[string]RecordPart{
			"Value": Payload, "Key": RecordKey, "Headers": Headers, "Offset": Offset, "Partition": Partition,
			"Topic": Topic, "Time": Timestamp, "HighWaterMark": Partition,
		}}},
		rows: func() []Row {
			return []Row{
				{Name: "github.com/segmentio/kafka-go.NewReader", Verb: Consumer, Key: A0, Field: "GroupID", Wire: &Wiring{Topics: names(A0, "Topic", "GroupTopics"), Group: names(A0, "GroupID")}},
				{Name: "(*github.com/segmentio/kafka-go.Reader).FetchMessage", Verb: Source},
				{Name: "(*github.com/segmentio/kafka-go.Reader).ReadMessage", Verb: Source, Auto: true},
				{Name: "(*github.com/segmentio/kafka-go.Conn).ReadMessage", Verb: Source},
				{Name: "(*github.com/segmentio/kafka-go.Reader).CommitMessages", Verb: Ack, Key: A1},
				{Name: "(*github.com/segmentio/kafka-go.Writer).WriteMessages", Verb: Effect, Kind: "a Kafka publish"},
				{Name: "(*github.com/segmentio/kafka-go.Conn).WriteMessages", Verb: Effect, Kind: "a Kafka publish"},
			}
		},
	})
}

const kgo = "github.com/twmb/franz-go/pkg/kgo"

func init() {
	register(entry{
		libs: []Library{{"github.com/twmb/franz-go", Records}},
		records: []RecordType{{kgo + ".Record", map[string]RecordPart{
			"Value": Payload, "Key": RecordKey, "Headers": Headers, "Offset": Offset, "Partition": Partition,
			"Topic": Topic, "Timestamp": Timestamp, "LeaderEpoch": Partition,
		}}},
		rows: func() []Row {
			return rows(
				[]Row{
					{Name: kgo + ".NewClient", Verb: Consumer, Key: A0},
					{Name: kgo + ".ConsumerGroup", Verb: Option, Group: true, Wire: &Wiring{Group: names(A0)}},
					{Name: kgo + ".ConsumeTopics", Verb: Option, Wire: &Wiring{Topics: names(A0)}},
				},
				each(kgo+".%s", []string{"SeedBrokers", "ConsumePartitions", "ConsumeResetOffset", "ClientID", "DisableAutoCommit", "FetchMaxBytes", "FetchMaxWait", "WithLogger", "ConsumeRegex", "DialTLS", "MaxConcurrentFetches"}, Row{Verb: Option}),
				each("(*"+kgo+".Client).%s", []string{"PollFetches", "PollRecords"}, Row{Verb: Source}),
				each("("+kgo+".Fetches).%s", []string{"EachRecord", "EachPartition", "EachTopic"}, Row{Verb: Callback, Fn: A0, Key: Recv}),
				each("(*"+kgo+".%s", []string{"FetchPartition).EachRecord", "FetchTopicPartition).EachRecord", "FetchTopic).EachRecord", "FetchTopic).EachPartition"}, Row{Verb: Callback, Fn: A0, Key: Recv}),
				each("("+kgo+".%s", []string{"FetchTopicPartition).EachRecord", "FetchTopic).EachRecord", "FetchTopic).EachPartition"}, Row{Verb: Callback, Fn: A0, Key: Recv}),
				each("(*"+kgo+".Client).%s", []string{"CommitRecords"}, Row{Verb: Ack, Key: A1}),
				each("(*"+kgo+".Client).%s", []string{"MarkCommitRecords"}, Row{Verb: Ack, Key: A0}),
				[]Row{{Name: "(*" + kgo + ".Client).CommitUncommittedOffsets", Verb: Ack}},
				each(kgo+".%s", []string{"SliceRecord", "StringRecord"}, Row{Verb: Compose, Field: "Value"}),
				each(kgo+".%s", []string{"KeySliceRecord", "KeyStringRecord"}, Row{Verb: Compose, Field: "Key,Value"}),
				each("(*"+kgo+".Client).%s", []string{"CommitMarkedOffsets", "CommitOffsets", "CommitOffsetsSync", "AllowRebalance"}, Row{Verb: Idle}),
				each("(*"+kgo+".Client).%s", []string{"Produce", "TryProduce", "ProduceSync"}, Row{Verb: Effect, Kind: "a Kafka publish"}),
				each("(*"+kgo+".GroupTransactSession).%s", []string{"PollFetches", "PollRecords"}, Row{Verb: Source}),
				// What is produced in the session is committed or aborted with the offsets.
				each("(*"+kgo+".GroupTransactSession).%s", []string{"Produce", "TryProduce", "ProduceSync", "AllowRebalance"}, Row{Verb: Idle}),
			)
		},
	})
}

func confluentEntry(p string) entry {
	return entry{
		libs: []Library{{strings.TrimSuffix(p, "/kafka"), Records}}, // the module
		records: []RecordType{{p + ".Message", map[string]RecordPart{
			"Value": Payload, "Key": RecordKey, "Headers": Headers, "Timestamp": Timestamp, "TopicPartition": Nested,
			"Offset": Offset, "Partition": Partition, "Topic": Topic,
		}}},
		rows: func() []Row {
			return rows(
				[]Row{
					{Name: p + ".NewConsumer", Verb: Consumer, Wire: &Wiring{Group: names(A0, "group.id")}},
					{Name: "(*" + p + ".Consumer).Subscribe", Verb: Idle, Wire: &Wiring{Topics: names(A0)}},
					{Name: "(*" + p + ".Consumer).SubscribeTopics", Verb: Idle, Wire: &Wiring{Topics: names(A0)}},
				},
				each("(*"+p+".Consumer).%s", []string{"ReadMessage", "Poll", "Events"}, Row{Verb: Source}),
				each("(*"+p+".Consumer).%s", []string{"CommitMessage", "StoreMessage", "CommitOffsets", "StoreOffsets"}, Row{Verb: Ack, Key: A0}),
				[]Row{{Name: "(*" + p + ".Consumer).Commit", Verb: Ack}},
				[]Row{
					{Name: "(*" + p + ".Producer).Produce", Verb: Effect, Kind: "a Kafka publish"},
					{Name: "(*" + p + ".Producer).ProduceChannel", Verb: Outlet, Kind: "a Kafka publish"},
				},
			)
		},
	}
}

func init() {
	register(confluentEntry("github.com/confluentinc/confluent-kafka-go/v2/kafka"))
}
func init() {
	register(confluentEntry("github.com/confluentinc/confluent-kafka-go/kafka"))
}

const (
	wm  = "github.com/ThreeDotsLabs/watermill/message"
	wmc = "github.com/ThreeDotsLabs/watermill/components/cqrs"
)

func init() {
	register(entry{
		libs: []Library{
			{"github.com/ThreeDotsLabs/watermill-kafka", Records},
			{"github.com/ThreeDotsLabs/watermill", Support},
		},
		headers: []string{wm + ".Metadata"},
		records: []RecordType{{wm + ".Message", map[string]RecordPart{
			"Payload": Payload, "UUID": Headers, "Metadata": Headers,
		}}},
		rows: func() []Row {
			return rows(
				[]Row{
					{Name: "(*" + wm + ".Router).AddHandler", Verb: Callback, Fn: A5, Group: true, Kind: "a publish", Wire: &Wiring{Topics: names(A1)}},
					{Name: "(*" + wm + ".Router).AddNoPublisherHandler", Verb: Callback, Fn: A3, Group: true, Wire: &Wiring{Topics: names(A1)}},
					{Name: "(*" + wm + ".Router).AddConsumerHandler", Verb: Callback, Fn: A3, Group: true, Wire: &Wiring{Topics: names(A1)}},
					{Name: "(" + wm + ".Subscriber).Subscribe", Verb: Source, Group: true, Wire: &Wiring{Topics: names(A1)}},
					{Name: "(" + wm + ".Metadata).Set", Verb: Header, Key: A0, Text: A1},
					{Name: wm + ".NewMessage", Verb: Compose, Field: "UUID,Payload"},
					{Name: wm + ".NewMessageWithContext", Verb: Compose, Field: ",UUID,Payload"},
					{Name: "(*" + wm + ".Message).Ack", Verb: Ack, Key: Recv},
					{Name: "(*" + wm + ".Message).Nack", Verb: Idle},
					{Name: "(" + wm + ".Publisher).Publish", Verb: Effect, Kind: "a publish"},
					{Name: "(" + wmc + ".EventBus).Publish", Verb: Effect, Kind: "a publish"},
					{Name: "(" + wmc + ".CommandBus).Send", Verb: Effect, Kind: "a publish"},
					{Name: wmc + ".NewEventHandler", Verb: Callback, Fn: A1, Group: true},
					{Name: wmc + ".NewGroupEventHandler", Verb: Callback, Fn: A0, Group: true},
					{Name: wmc + ".NewCommandHandler", Verb: Callback, Fn: A1, Group: true},
					{Name: "(*" + wmc + ".EventProcessor).AddHandler", Verb: Callback, Fn: A0, Field: "Handle", Group: true},
					{Name: "(*" + wmc + ".EventProcessor).AddHandlers", Verb: Callback, Fn: A0, Field: "Handle", Group: true},
					{Name: "(*" + wmc + ".EventGroupProcessor).AddHandlersGroup", Verb: Callback, Fn: A1, Field: "Handle", Group: true},
					{Name: "(*" + wmc + ".CommandProcessor).AddHandler", Verb: Callback, Fn: A0, Field: "Handle", Group: true},
					{Name: "(*" + wmc + ".CommandProcessor).AddHandlers", Verb: Callback, Fn: A0, Field: "Handle", Group: true},
				},
				watermillKafka("github.com/ThreeDotsLabs/watermill-kafka/v3/pkg/kafka"), watermillKafka("github.com/ThreeDotsLabs/watermill-kafka/v2/pkg/kafka"),
			)
		},
	})
}

func watermillKafka(p string) []Row {
	return []Row{
		{Name: p + ".NewSubscriber", Verb: Consumer, Wire: &Wiring{Group: names(A0, "ConsumerGroup")}},
		{Name: "(*" + p + ".Publisher).Publish", Verb: Effect, Kind: "a Kafka publish"},
		{Name: p + ".MessagePartitionOffsetFromCtx", Verb: RecordOf, RecordPart: Offset},
		{Name: p + ".MessagePartitionFromCtx", Verb: RecordOf, RecordPart: Partition},
		{Name: p + ".MessageTimestampFromCtx", Verb: RecordOf, RecordPart: Timestamp},
		{Name: p + ".MessageKeyFromCtx", Verb: RecordOf, RecordPart: RecordKey},
	}
}

func init() {
	register(entry{
		libs: []Library{{"github.com/zeromicro/go-queue", Records}},
		rows: func() []Row {
			return []Row{
				{Name: "github.com/zeromicro/go-queue/kq.WithHandle", Verb: Callback, Fn: A0},
				{Name: "github.com/zeromicro/go-queue/kq.MustNewQueue", Verb: Callback, Fn: A1, Field: "Consume", Wire: &Wiring{Topics: names(A0, "Topic"), Group: names(A0, "Group")}},
				{Name: "github.com/zeromicro/go-queue/kq.NewQueue", Verb: Callback, Fn: A1, Field: "Consume", Wire: &Wiring{Topics: names(A0, "Topic"), Group: names(A0, "Group")}},
				{Name: "(*github.com/zeromicro/go-queue/kq.Pusher).Push", Verb: Effect, Kind: "a Kafka publish"},
			}
		},
	})
}

// otherBrokers are watermill's and other libraries' adapters for brokers that
// are not Kafka.
var otherBrokers = map[string]string{
	"github.com/ThreeDotsLabs/watermill/pubsub/gochannel": "an in-process channel",
	"github.com/ThreeDotsLabs/watermill-amqp":             "AMQP",
	"github.com/ThreeDotsLabs/watermill-nats":             "NATS",
	"github.com/ThreeDotsLabs/watermill-redisstream":      "Redis streams",
	"github.com/ThreeDotsLabs/watermill-googlecloud":      "Google Pub/Sub",
	"github.com/ThreeDotsLabs/watermill-sql":              "SQL",
	"github.com/ThreeDotsLabs/watermill-aws":              "AWS",
	"github.com/ThreeDotsLabs/watermill-http":             "HTTP",
	"github.com/ThreeDotsLabs/watermill-io":               "files",
	"github.com/ThreeDotsLabs/watermill-bolt":             "bolt",
	"github.com/ThreeDotsLabs/watermill-firestore":        "Firestore",
	"github.com/ThreeDotsLabs/watermill-sqlite":           "SQLite",
}

// OtherBroker returns the name of the broker that the package of that import
// path connects to, when that is not Kafka; else "".
func (c *Catalog) OtherBroker(path string) string {
	for p := path; p != ""; {
		if n, ok := otherBrokers[p]; ok {
			return n
		}
		i := lastSlash(p)
		if i < 0 {
			return ""
		}
		p = p[:i]
	}
	return ""
}

func lastSlash(s string) int {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == '/' {
			return i
		}
	}
	return -1
}
