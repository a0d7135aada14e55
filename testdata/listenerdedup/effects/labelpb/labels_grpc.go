package labelpb

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// LabelServiceClient has the shape of a generated client.
type LabelServiceClient interface {
	CreateLabel(ctx context.Context, in *wrapperspb.StringValue, opts ...grpc.CallOption) (*wrapperspb.StringValue, error)
}

type labelServiceClient struct {
	cc grpc.ClientConnInterface
}

// NewLabelServiceClient makes a client of the connection.
func NewLabelServiceClient(cc grpc.ClientConnInterface) LabelServiceClient {
	return &labelServiceClient{cc}
}

func (c *labelServiceClient) CreateLabel(ctx context.Context, in *wrapperspb.StringValue, opts ...grpc.CallOption) (*wrapperspb.StringValue, error) {
	out := new(wrapperspb.StringValue)
	if err := c.cc.Invoke(ctx, "/labels.v1.LabelService/CreateLabel", in, out, opts...); err != nil {
		return nil, err
	}
	return out, nil
}
