// Package paypb is a small generated client.
package paypb

import (
	"context"

	"google.golang.org/grpc"
)

// ChargeRequest is a message.
type ChargeRequest struct {
	Cents          int64
	IdempotencyKey string
}

// ChargeReply is a message.
type ChargeReply struct{ Id string }

// PaymentsClient is the client API.
type PaymentsClient interface {
	Charge(ctx context.Context, in *ChargeRequest, opts ...grpc.CallOption) (*ChargeReply, error)
	GetCharge(ctx context.Context, in *ChargeRequest, opts ...grpc.CallOption) (*ChargeReply, error)
}
