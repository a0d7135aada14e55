// A module of its own: the version of the client is the user's choice. It is tagged
// idem/consumer/confluent/vX.Y.Z together with idem/vX.Y.Z, and the version required here is
// set to that one then; replace serves work in this repository and is ignored elsewhere.
module github.com/idemlint/idemlint/idem/consumer/confluent

go 1.26.0

require (
	github.com/confluentinc/confluent-kafka-go/v2 v2.11.1
	github.com/idemlint/idemlint/idem v0.0.0
)

require github.com/google/uuid v1.6.0 // indirect

replace github.com/idemlint/idemlint/idem => ../../
