// A module of its own: the version of the client is the user's choice. It is tagged
// idem/consumer/kafkago/vX.Y.Z together with idem/vX.Y.Z, and the version required here is
// set to that one then; replace serves work in this repository and is ignored elsewhere.
module github.com/idemlint/idemlint/idem/consumer/kafkago

go 1.26.0

require (
	github.com/idemlint/idemlint/idem v0.0.0
	github.com/segmentio/kafka-go v0.4.51
)

require (
	github.com/google/uuid v1.6.0 // indirect
	github.com/klauspost/compress v1.15.9 // indirect
	github.com/pierrec/lz4/v4 v4.1.15 // indirect
)

replace github.com/idemlint/idemlint/idem => ../../
