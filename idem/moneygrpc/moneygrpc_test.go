package moneygrpc_test

import (
	"context"
	"errors"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/idemlint/idemlint/idem"
	"github.com/idemlint/idemlint/idem/eventid"
	"github.com/idemlint/idemlint/idem/money"
	"github.com/idemlint/idemlint/idem/moneygrpc"

	"github.com/google/uuid"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"
)

const (
	eventID = "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"
	key     = "c9a2204d-9e6a-8dc8-a79f-4d3f03b2308a" // of eventID, "billing", "charge"
	check   = "/grpc.health.v1.Health/Check"
)

// provider stands for a payment service: it notes the metadata of each call, and answers
// the first fail calls with Unavailable.
type provider struct {
	grpc_health_v1.UnimplementedHealthServer
	name string

	mu   sync.Mutex
	got  []string
	fail int
}

func (p *provider) Check(ctx context.Context, req *grpc_health_v1.HealthCheckRequest) (*grpc_health_v1.HealthCheckResponse, error) {
	md, _ := metadata.FromIncomingContext(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.got = append(p.got, req.Service+" "+strings.Join(md.Get(p.name), "|")+strings.Join(md.Get("trace"), "|"))
	if p.fail > 0 {
		p.fail--
		return nil, status.Error(codes.Unavailable, "try again")
	}
	return &grpc_health_v1.HealthCheckResponse{}, nil
}

func (p *provider) Watch(*grpc_health_v1.HealthCheckRequest, grpc.ServerStreamingServer[grpc_health_v1.HealthCheckResponse]) error {
	return nil
}

func (p *provider) calls() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.got)
}

func dial(t *testing.T, p *provider, keys *moneygrpc.Interceptor) grpc_health_v1.HealthClient {
	t.Helper()
	if p.name == "" {
		p.name = "idempotency-key"
	}
	listener := bufconn.Listen(1 << 16)
	server := grpc.NewServer()
	grpc_health_v1.RegisterHealthServer(server, p)
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(server.Stop)
	const retry = `{"methodConfig":[{"name":[{}],"retryPolicy":{"maxAttempts":4,"initialBackoff":"0.001s","maxBackoff":"0.001s","backoffMultiplier":1,"retryableStatusCodes":["UNAVAILABLE"]}}]}`
	conn, err := grpc.NewClient("passthrough:///provider",
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }),
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultServiceConfig(retry),
		grpc.WithChainUnaryInterceptor(keys.Unary),
		grpc.WithChainStreamInterceptor(keys.Stream))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return grpc_health_v1.NewHealthClient(conn)
}

func charging(id string) context.Context {
	ctx := idem.WithEvent(context.Background(), idem.Event{ID: id, Group: "billing"})
	return money.WithStep(ctx, "charge")
}

func request(service string) *grpc_health_v1.HealthCheckRequest {
	return &grpc_health_v1.HealthCheckRequest{Service: service}
}

func TestUnarySetsTheKey(t *testing.T) {
	for _, tt := range []struct{ set, name string }{{"", "idempotency-key"}, {"X-Request-Id", "x-request-id"}} {
		p := &provider{name: tt.name}
		client := dial(t, p, &moneygrpc.Interceptor{Metadata: tt.set})
		for _, ctx := range []context.Context{
			charging(eventID),
			charging(eventID), // a redelivery
			metadata.AppendToOutgoingContext(charging(eventID), tt.name, key),
		} {
			ctx = metadata.AppendToOutgoingContext(ctx, "trace", ",t")
			if _, err := client.Check(ctx, request("a")); err != nil {
				t.Fatal(err)
			}
			if md, _ := metadata.FromOutgoingContext(ctx); len(md.Get("trace")) != 1 {
				t.Fatalf("the caller's metadata was changed: %v", md)
			}
		}
		if want := "a " + key + ",t"; !slices.Equal(p.calls(), []string{want, want, want}) {
			t.Errorf("%s: the provider got %q, want thrice %q", tt.name, p.calls(), want)
		}
	}
}

func TestUnaryKeepsTheKeyOverRetries(t *testing.T) {
	p := &provider{fail: 2}
	if _, err := dial(t, p, &moneygrpc.Interceptor{}).Check(charging(eventID), request("a")); err != nil {
		t.Fatal(err)
	}
	if want := "a " + key; !slices.Equal(p.calls(), []string{want, want, want}) {
		t.Fatalf("the provider got %q, want thrice %q", p.calls(), want)
	}
}

func TestUnaryRefuses(t *testing.T) {
	event := idem.WithEvent(context.Background(), idem.Event{ID: eventID, Group: "billing"})
	for _, tt := range []struct {
		name string
		ctx  context.Context
		want error
	}{
		{"no event", money.WithStep(context.Background(), "charge"), money.ErrNoEvent},
		{"no step", event, money.ErrNoStep},
		{"too old", charging("017d0000-0000-7000-8000-000000000000"), money.ErrWindowPassed},
		{"age unknown", charging("order-1"), money.ErrAgeUnknown},
		{"another key", metadata.AppendToOutgoingContext(charging(eventID), "idempotency-key", "random"), money.ErrOtherKey},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := &provider{}
			now := eventid.Time(uuid.MustParse(eventID))
			client := dial(t, p, &moneygrpc.Interceptor{Guard: money.Guard{Window: time.Hour, Now: func() time.Time { return now }}})
			_, err := client.Check(tt.ctx, request("a"))
			var refused *money.RefusedError
			if !errors.Is(err, tt.want) || !errors.As(err, &refused) || status.Code(err) != codes.FailedPrecondition {
				t.Errorf("the error is %v of the status %s, want a RefusedError of %v", err, status.Code(err), tt.want)
			}
			if len(p.calls()) != 0 {
				t.Errorf("the provider got %q", p.calls())
			}
		})
	}
}

func TestUnaryStepReused(t *testing.T) {
	p := &provider{}
	client := dial(t, p, &moneygrpc.Interceptor{})
	ctx := charging(eventID)
	for _, service := range []string{"a", "a"} {
		if _, err := client.Check(ctx, request(service)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := client.Check(ctx, request("b")); !errors.Is(err, money.ErrStepReused) {
		t.Fatalf("another request under the same step: %v", err)
	}
	// The two requests are alike in bytes.
	ctx = charging(eventID)
	if _, err := client.Check(ctx, request("")); err != nil {
		t.Fatal(err)
	}
	if _, err := client.List(ctx, &grpc_health_v1.HealthListRequest{}); !errors.Is(err, money.ErrStepReused) {
		t.Fatalf("another method under the same step: %v", err)
	}
}

func TestWhatCounts(t *testing.T) {
	p := &provider{}
	client := dial(t, p, &moneygrpc.Interceptor{Counts: func(method string) bool { return method != check }})
	if _, err := client.Check(context.Background(), request("a")); err != nil || !slices.Equal(p.calls(), []string{"a "}) {
		t.Fatalf("a method that does not count: %v, the provider got %q", err, p.calls())
	}
	if _, err := client.List(context.Background(), &grpc_health_v1.HealthListRequest{}); !errors.Is(err, money.ErrNoEvent) {
		t.Fatalf("a method that counts: %v", err)
	}
}

func TestStream(t *testing.T) {
	client := dial(t, &provider{}, &moneygrpc.Interceptor{})
	if _, err := client.Watch(charging(eventID), request("a")); status.Code(err) != codes.FailedPrecondition {
		t.Fatalf("a stream that counts: %v", err)
	}
	client = dial(t, &provider{}, &moneygrpc.Interceptor{Counts: func(string) bool { return false }})
	if _, err := client.Watch(context.Background(), request("a")); err != nil {
		t.Fatalf("a stream that does not count: %v", err)
	}
}
