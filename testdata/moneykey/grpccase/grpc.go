// Package grpccase charges over gRPC.
package grpccase

import (
	"context"

	"google.golang.org/grpc/metadata"

	"example.com/cases/moneykey/grpccase/paypb"
)

func withoutKey(ctx context.Context, c paypb.PaymentsClient) error {
	_, err := c.Charge(ctx, &paypb.ChargeRequest{Cents: 5}) // want "R-KFK-IDEM-4: a gRPC call of Charge"
	return err
}

func withField(ctx context.Context, c paypb.PaymentsClient, eventID string) error {
	_, err := c.Charge(ctx, &paypb.ChargeRequest{Cents: 5, IdempotencyKey: eventID})
	return err
}

func withMetadata(ctx context.Context, c paypb.PaymentsClient, eventID string) error {
	ctx = metadata.AppendToOutgoingContext(ctx, "idempotency-key", eventID)
	_, err := c.Charge(ctx, &paypb.ChargeRequest{Cents: 5})
	return err
}

func withPairs(ctx context.Context, c paypb.PaymentsClient, eventID string) error {
	ctx = metadata.NewOutgoingContext(ctx, metadata.Pairs("idempotency-key", eventID))
	_, err := c.Charge(ctx, &paypb.ChargeRequest{Cents: 5})
	return err
}

func reads(ctx context.Context, c paypb.PaymentsClient) error {
	_, err := c.GetCharge(ctx, &paypb.ChargeRequest{})
	return err
}
