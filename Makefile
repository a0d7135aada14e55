# What a contributor needs. Every target works on a fresh clone with Go and make.

GO ?= go

.PHONY: all build demo test e2e lint bench clean

all: build

build:
	$(GO) build -o bin/idemlint ./cmd/idemlint

# demo runs the linter on examples/: every finding of the broken service, none of
# the sound one.
demo: build
	$(GO) run ./internal/cmd/demo bin/idemlint examples

test:
	$(GO) vet ./...
	$(GO) test ./...

# e2e builds a real golangci-lint with the plugin, some minutes the first time, runs it
# as its users do, and on our own code.
e2e:
	cd e2e/golangci && $(GO) vet ./... && $(GO) test ./...

# lint checks our own code: format, vet, idemlint itself.
lint: build
	@unformatted=$$(gofmt -l cmd analyzers internal plugin examples testdata e2e docs | grep -v '/ent/' || true); \
	if [ -n "$$unformatted" ]; then echo "gofmt would change:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	bin/idemlint ./...
	cd examples && $(GO) vet ./...

# bench prints what the linter costs on packages that import no catalogued
# library, as a ratio to go vet with an analyzer that does nothing.
bench: build
	$(GO) run ./internal/bench

clean:
	rm -rf bin
