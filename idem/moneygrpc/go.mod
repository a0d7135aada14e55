// A module of its own: who charges over HTTP does not get grpc into the build. It is
// tagged idem/moneygrpc/vX.Y.Z together with idem/vX.Y.Z, and the version required here is
// set to that one then; replace serves work in this repository and is ignored elsewhere.
module github.com/idemlint/idemlint/idem/moneygrpc

go 1.26.0

require (
	github.com/google/uuid v1.6.0
	github.com/idemlint/idemlint/idem v0.0.0
	google.golang.org/grpc v1.85.0
	google.golang.org/protobuf v1.36.12
)

require (
	golang.org/x/net v0.60.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/text v0.42.0 // indirect
	google.golang.org/genproto/googleapis/rpc v0.0.0-20260817212433-ac3dfec99bb1 // indirect
)

replace github.com/idemlint/idemlint/idem => ../
