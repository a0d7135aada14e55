// A module of its own: who does not use OpenTelemetry does not get it into the build. It
// is tagged idem/otelidem/vX.Y.Z together with idem/vX.Y.Z, and the version required here
// is set to that one then; replace serves work in this repository and is ignored elsewhere.
module github.com/idemlint/idemlint/idem/otelidem

go 1.26.0

require (
	github.com/google/uuid v1.6.0
	github.com/idemlint/idemlint/idem v0.0.0
	github.com/jackc/pgx/v5 v5.13.0
	go.opentelemetry.io/otel v1.47.0
	go.opentelemetry.io/otel/metric v1.47.0
	go.opentelemetry.io/otel/sdk v1.47.0
	go.opentelemetry.io/otel/sdk/metric v1.47.0
	go.opentelemetry.io/otel/trace v1.47.0
)

require (
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/go-logr/logr v1.4.4 // indirect
	github.com/go-logr/stdr v1.2.2 // indirect
	github.com/jackc/pgpassfile v1.0.0 // indirect
	github.com/jackc/pgservicefile v0.0.0-20240606120523-5a60cdf6a761 // indirect
	github.com/jackc/puddle/v2 v2.2.3 // indirect
	go.opentelemetry.io/auto/sdk v1.2.1 // indirect
	go.opentelemetry.io/otel/log v1.47.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/text v0.41.0 // indirect
)

replace github.com/idemlint/idemlint/idem => ../
