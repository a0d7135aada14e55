// Package moneygrpc gives gRPC calls that move money the idempotency key that package
// money gives HTTP requests: derived from the event, the consumer group and the step, the
// same at every redelivery.
//
//	keys := &moneygrpc.Interceptor{Guard: money.Guard{Window: 23 * time.Hour}}
//	conn, err := grpc.NewClient(target,
//		grpc.WithChainUnaryInterceptor(keys.Unary),
//		grpc.WithChainStreamInterceptor(keys.Stream))
package moneygrpc

import (
	"context"
	"crypto/sha256"
	"fmt"

	"github.com/idemlint/idemlint/idem"
	"github.com/idemlint/idemlint/idem/money"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

// DefaultMetadata is the metadata that carries the key unless told otherwise.
const DefaultMetadata = "idempotency-key"

// Interceptor sets the idempotency key of every call that can move money, and refuses a
// call for which there is no sound key, see [money.Guard]. The error of a refusal has the
// status FailedPrecondition and wraps a [*money.RefusedError].
//
// The zero value is ready to use. An Interceptor is safe for concurrent use; its fields
// are not changed once it is used.
//
// A retry inside one WithStep context is compared with the attempt before by method and,
// where it is a protobuf message, request: a difference is [money.ErrStepReused].
type Interceptor struct {
	money.Guard
	// Metadata is the name of the metadata, in any case; empty is [DefaultMetadata].
	Metadata string
	// Counts reports whether a call of the full method ("/package.Service/Method") needs a
	// key. Nil counts all: gRPC does not tell reading methods from writing ones.
	Counts func(method string) bool
}

// Unary is a [grpc.UnaryClientInterceptor]. In a chain it stands where an interceptor that
// retries stands too, on either side: each attempt carries the same key.
func (i *Interceptor) Unary(ctx context.Context, method string, req, reply any, cc *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
	if i.counts(method) {
		call, err := fingerprint(method, req)
		if err != nil {
			return err
		}
		if ctx, err = i.withKey(ctx, call); err != nil {
			return &refusal{err}
		}
	}
	return invoke(ctx, method, req, reply, cc, opts...)
}

// Stream is a [grpc.StreamClientInterceptor]. It refuses every stream that counts with an
// error of the status FailedPrecondition: a stream carries any number of messages, and one
// key can stand for one call only. Where the provider takes a stream for one call, exclude
// its method by Counts and set the key from [money.Guard.Key].
func (i *Interceptor) Stream(ctx context.Context, desc *grpc.StreamDesc, cc *grpc.ClientConn, method string, streamer grpc.Streamer, opts ...grpc.CallOption) (grpc.ClientStream, error) {
	if i.counts(method) {
		return nil, status.Errorf(codes.FailedPrecondition, "moneygrpc: the stream %s is refused: a key stands for one call and a stream carries many messages; use a unary method, or exclude this one with Interceptor.Counts", method)
	}
	return streamer(ctx, desc, cc, method, opts...)
}

func (i *Interceptor) counts(method string) bool { return i.Counts == nil || i.Counts(method) }

// withKey returns ctx with the key in its outgoing metadata.
func (i *Interceptor) withKey(ctx context.Context, call string) (context.Context, error) {
	key, err := i.Key(ctx, call)
	if err != nil {
		return nil, err
	}
	name := i.Metadata
	if name == "" {
		name = DefaultMetadata
	}
	md, _ := metadata.FromOutgoingContext(ctx) // a copy
	for _, other := range md.Get(name) {
		if other != key {
			event, _ := idem.EventFrom(ctx)
			step, _ := money.StepFrom(ctx)
			return nil, &money.RefusedError{Event: event, Step: step, Err: fmt.Errorf("%s is %.64q: %w", name, other, money.ErrOtherKey)}
		}
	}
	if md == nil {
		md = metadata.MD{}
	}
	md.Set(name, key)
	return metadata.NewOutgoingContext(ctx, md), nil
}

// fingerprint returns what makes the request another call for the provider.
func fingerprint(method string, req any) (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, method)
	if m, ok := req.(proto.Message); ok {
		// Deterministic, since the order of a map is no difference.
		b, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
		if err != nil {
			return "", status.Errorf(codes.Internal, "moneygrpc: the request of %s: %v", method, err)
		}
		h.Write(b)
	}
	return string(h.Sum(nil)), nil
}

// refusal gives a [*money.RefusedError] a status, by which retrying interceptors and
// status.Code see that a retry does not help.
type refusal struct{ err error }

func (r *refusal) Error() string { return r.err.Error() }
func (r *refusal) Unwrap() error { return r.err }
func (r *refusal) GRPCStatus() *status.Status {
	return status.New(codes.FailedPrecondition, r.err.Error())
}
