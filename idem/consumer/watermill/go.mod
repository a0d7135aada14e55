// A module of its own: the version of the client is the user's choice. It is tagged
// idem/consumer/watermill/vX.Y.Z together with idem/vX.Y.Z, and the version required here is
// set to that one then; replace serves work in this repository and is ignored elsewhere.
module github.com/idemlint/idemlint/idem/consumer/watermill

go 1.26.0

require (
	github.com/ThreeDotsLabs/watermill v1.5.1
	github.com/idemlint/idemlint/idem v0.0.0
)

require (
	github.com/google/uuid v1.6.0 // indirect
	github.com/lithammer/shortuuid/v3 v3.0.7 // indirect
	github.com/oklog/ulid v1.3.1 // indirect
	github.com/pkg/errors v0.9.1 // indirect
)

replace github.com/idemlint/idemlint/idem => ../../
