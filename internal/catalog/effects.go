package catalog

// Effects outside the database, identifiers, contexts.

// roundTripper is where an HTTP client keeps what each request goes through.
var roundTripper = &Hook{Field: "Transport", Default: "net/http.DefaultTransport", Plain: "net/http.Transport"}

func init() {
	register(entry{
		libs:    []Library{{"github.com/go-resty/resty", Effects}, {"resty.dev/v3", Effects}},
		headers: []string{"net/http.Header"},
		rows: func() []Row {
			return rows(
				[]Row{
					{Name: "net/http.NewRequest", Verb: Request, Method: A0, URL: A1},
					{Name: "net/http.NewRequestWithContext", Verb: Request, Method: A1, URL: A2},
					{Name: "(*net/http.Request).WithContext", Verb: Derive},
					{Name: "(*net/http.Request).Clone", Verb: Derive},
					{Name: "(*net/http.Client).Do", Verb: Send, Key: A0, Hook: roundTripper},
					{Name: "(net/http.RoundTripper).RoundTrip", Verb: Send, Key: A0},
					{Name: "(*net/http.Client).Post", Verb: Send, Const: "POST", URL: A0, Hook: roundTripper},
					{Name: "(*net/http.Client).PostForm", Verb: Send, Const: "POST", URL: A0, Hook: roundTripper},
					{Name: "(*net/http.Client).Get", Verb: Send, Const: "GET"},
					{Name: "(*net/http.Client).Head", Verb: Send, Const: "HEAD"},
					{Name: "net/http.Post", Verb: Send, Const: "POST", URL: A0},
					{Name: "net/http.PostForm", Verb: Send, Const: "POST", URL: A0},
					{Name: "net/http.Get", Verb: Send, Const: "GET"},
					{Name: "net/http.Head", Verb: Send, Const: "HEAD"},
					{Name: "(net/http.Header).Set", Verb: Header, Key: A0, Text: A1},
					{Name: "(net/http.Header).Add", Verb: Header, Key: A0, Text: A1},
					{Name: "(net/url.Values).Set", Verb: Header, Key: A0, Text: A1},
					{Name: "(net/url.Values).Add", Verb: Header, Key: A0, Text: A1},
					{Name: "net/smtp.SendMail", Verb: Effect, Kind: "an e-mail"},
					{Name: "(*net/smtp.Client).Mail", Verb: Effect, Kind: "an e-mail"},
				},
				restyRows("github.com/go-resty/resty/v2"), restyRows("resty.dev/v3"),
			)
		},
	})
}

func restyRows(p string) []Row {
	var out []Row
	for name, method := range map[string]string{"Post": "POST", "Put": "PUT", "Patch": "PATCH", "Delete": "DELETE", "Get": "GET", "Head": "HEAD", "Options": "OPTIONS"} {
		out = append(out, Row{Name: "(*" + p + ".Request)." + name, Verb: Send, Const: method, Key: Recv, URL: A0})
	}
	return append(out,
		Row{Name: "(*" + p + ".Request).Execute", Verb: Send, Method: A0, Key: Recv, URL: A1},
		Row{Name: "(*" + p + ".Client).R", Verb: Request},
		Row{Name: "(*" + p + ".Client).NewRequest", Verb: Request},
		Row{Name: "(*" + p + ".Request).SetHeader", Verb: Header, Key: A0, Text: A1},
		Row{Name: "(*" + p + ".Request).SetHeaders", Verb: Header, Key: A0, Kind: "map"},
		Row{Name: "(*" + p + ".Request).SetContext", Verb: Derive},
		Row{Name: "(*" + p + ".Request).SetBody", Verb: Body, Key: A0},
		Row{Name: "(*" + p + ".Request).SetFormData", Verb: Body, Key: A0},
		Row{Name: "(*" + p + ".Request).SetResult", Verb: Derive},
		Row{Name: "(*" + p + ".Request).SetQueryParam", Verb: Derive},
	)
}

const cloudevents = "github.com/cloudevents/sdk-go/v2"

func init() {
	register(entry{
		libs: []Library{{"github.com/cloudevents/sdk-go", Effects}},
		rows: func() []Row {
			return []Row{
				{Name: "(*" + cloudevents + "/event.Event).SetID", Verb: EventID, Text: A0},
				{Name: "(" + cloudevents + "/client.Client).Send", Verb: Effect, Kind: "a CloudEvents publish"},
				{Name: "(" + cloudevents + "/client.Client).Request", Verb: Effect, Kind: "a CloudEvents publish"},
			}
		},
	})
}

func init() {
	register(entry{
		libs: []Library{
			{"google.golang.org/grpc", Effects}, {"google.golang.org/protobuf", Support}, {"github.com/golang/protobuf", Support},
			{"github.com/aws/aws-sdk-go-v2/service/sns", Effects}, {"github.com/aws/aws-sdk-go-v2/service/sqs", Effects}, {"github.com/aws/aws-sdk-go-v2/service/ses", Effects}, {"github.com/aws/aws-sdk-go-v2/service/sesv2", Effects},
		},
		rows: func() []Row {
			return []Row{
				{Name: "google.golang.org/grpc/metadata.AppendToOutgoingContext", Verb: KeyPairs, Key: A0},
				{Name: "google.golang.org/grpc/metadata.NewOutgoingContext", Verb: KeyPairs, Key: A0},
				{Name: "google.golang.org/grpc/metadata.Pairs", Verb: KeyPairs},
				{Name: "google.golang.org/grpc/metadata.New", Verb: KeyPairs},
				{Name: "(*github.com/aws/aws-sdk-go-v2/service/sns.Client).Publish", Verb: Effect, Kind: "an SNS publish"},
				{Name: "(*github.com/aws/aws-sdk-go-v2/service/sns.Client).PublishBatch", Verb: Effect, Kind: "an SNS publish"},
				{Name: "(*github.com/aws/aws-sdk-go-v2/service/sqs.Client).SendMessage", Verb: Effect, Kind: "an SQS send"},
				{Name: "(*github.com/aws/aws-sdk-go-v2/service/sqs.Client).SendMessageBatch", Verb: Effect, Kind: "an SQS send"},
				{Name: "(*github.com/aws/aws-sdk-go-v2/service/ses.Client).SendEmail", Verb: Effect, Kind: "an e-mail"},
				{Name: "(*github.com/aws/aws-sdk-go-v2/service/sesv2.Client).SendEmail", Verb: Effect, Kind: "an e-mail"},
			}
		},
	})
}

func init() {
	register(entry{
		libs: []Library{
			{"github.com/google/uuid", IDs}, {"github.com/gofrs/uuid", IDs}, {"github.com/satori/go.uuid", IDs},
			{"github.com/oklog/ulid", IDs}, {"github.com/segmentio/ksuid", IDs}, {"github.com/rs/xid", IDs},
			{"github.com/hashicorp/go-uuid", IDs}, {"github.com/matoous/go-nanoid", IDs}, {"github.com/lithammer/shortuuid", IDs},
			{"github.com/pkg/errors", Support}, {"golang.org/x", Support}, {"go.uber.org/zap", Support}, {"github.com/sirupsen/logrus", Support},
			{"github.com/rs/zerolog", Support}, {"go.opentelemetry.io", Support}, {"github.com/prometheus/client_golang", Support},
			{"github.com/stretchr/testify", Support}, {"github.com/spf13/viper", Support}, {"github.com/spf13/cobra", Support},
			{"github.com/shopspring/decimal", Support}, {"github.com/json-iterator/go", Support}, {"gopkg.in/yaml.v3", Support},
		},
		rows: func() []Row {
			return rows(
				each("github.com/google/uuid.%s", []string{"New", "NewString", "NewRandom", "NewRandomFromReader", "NewUUID", "NewV6", "NewDCESecurity", "NewDCEPerson", "NewDCEGroup"}, Row{Verb: Generate, Gen: UUID}),
				each("github.com/google/uuid.%s", []string{"NewV7", "NewV7FromReader"}, Row{Verb: Generate, Gen: UUIDv7}),
				[]Row{
					{Name: "github.com/google/uuid.Must", Verb: Derive, Key: A0},
					{Name: "github.com/google/uuid.Parse", Verb: ParseID},
					{Name: "github.com/google/uuid.ParseBytes", Verb: ParseID},
					{Name: "uuid.Parse", Verb: ParseID},
				},
				gofrs("github.com/gofrs/uuid"), gofrs("github.com/gofrs/uuid/v5"),
				each("github.com/satori/go.uuid.%s", []string{"NewV1", "NewV2", "NewV4"}, Row{Verb: Generate, Gen: UUID}),
				[]Row{{Name: "github.com/satori/go.uuid.Must", Verb: Derive, Key: A0}},
				each("uuid.%s", []string{"New", "NewV4"}, Row{Verb: Generate, Gen: UUID}),
				[]Row{
					{Name: "uuid.NewV7", Verb: Generate, Gen: UUIDv7},
					{Name: "github.com/hashicorp/go-uuid.GenerateUUID", Verb: Generate, Gen: UUID},
					{Name: "github.com/hashicorp/go-uuid.GenerateUUIDWithReader", Verb: Generate, Gen: UUID},
					{Name: "github.com/hashicorp/go-uuid.GenerateRandomBytes", Verb: Generate, Gen: Random},
					{Name: "github.com/ThreeDotsLabs/watermill.NewUUID", Verb: Generate, Gen: UUID},
					{Name: "github.com/ThreeDotsLabs/watermill.NewULID", Verb: Generate, Gen: Random},
					{Name: "github.com/ThreeDotsLabs/watermill.NewShortUUID", Verb: Generate, Gen: Random},
					{Name: "crypto/rand.Read", Verb: Generate, Gen: Random, Dest: A0},
					{Name: "io.ReadFull", Verb: Generate, Gen: Random, Dest: A1, Key: A0, Const: "crypto/rand.Reader"},
					{Name: "crypto/rand.Text", Verb: Generate, Gen: Random},
					{Name: "time.Now", Verb: Generate, Gen: Clock},
				},
				random("github.com/oklog/ulid/v2", "Make", "New", "MustNew", "MustNewDefault"), random("github.com/oklog/ulid", "New", "MustNew"),
				random("github.com/segmentio/ksuid", "New", "NewRandom", "NewRandomWithTime"),
				random("github.com/rs/xid", "New", "NewWithTime"),
				random("github.com/matoous/go-nanoid/v2", "New", "Must", "Generate", "MustGenerate"),
				random("github.com/matoous/go-nanoid", "Nanoid", "ID", "MustID", "Generate", "MustGenerate"),
				shortuuid("github.com/lithammer/shortuuid"), shortuuid("github.com/lithammer/shortuuid/v3"), shortuuid("github.com/lithammer/shortuuid/v4"),
			)
		},
	})
}

// random are the generators of a library whose identifiers are no UUIDs.
func random(p string, names ...string) []Row {
	return each(p+".%s", names, Row{Verb: Generate, Gen: Random})
}

// shortuuid's NewWithNamespace computes the identifier from the name.
func shortuuid(p string) []Row { return random(p, "New", "NewWithEncoder", "NewWithAlphabet") }

// gofrs are the rows of a version of gofrs/uuid; versions before v5 have no
// suffix in their path. NewV3 and NewV5 compute the identifier from a name.
func gofrs(p string) []Row {
	out := []Row{{Name: p + ".Must", Verb: Derive, Key: A0}, {Name: p + ".FromString", Verb: ParseID}}
	for _, form := range []string{p + ".%s", "(*" + p + ".Gen).%s", "(" + p + ".Generator).%s"} {
		out = append(out, each(form, []string{"NewV1", "NewV4", "NewV6"}, Row{Verb: Generate, Gen: UUID})...)
		out = append(out, each(form, []string{"NewV7"}, Row{Verb: Generate, Gen: UUIDv7})...)
	}
	return out
}

func init() {
	register(entry{
		rows: func() []Row {
			return []Row{
				{Name: "context.WithValue", Verb: CtxWith, Key: A1, Vals: A2},
				{Name: "(context.Context).Value", Verb: CtxValue, Key: A0},
			}
		},
	})
}
