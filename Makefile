# What a contributor needs. Every target works on a fresh clone with Go and make.

GO ?= go

# The runtime's modules, and the services built on it.
RUNTIME := $(patsubst %/go.mod,%,$(shell find idem examples/billing -name go.mod 2>/dev/null | sort))

.PHONY: all build demo test test-runtime e2e lint bench clean

all: build

build:
	$(GO) build -o bin/idemlint ./cmd/idemlint

# demo runs the linter on examples/: every finding of the broken service, none of
# the sound one.
demo: build
	$(GO) run ./internal/cmd/demo bin/idemlint examples

# The command's tests run go vet on all the client libraries, which takes minutes where
# nothing is cached.
test: test-runtime
	$(GO) vet ./...
	$(GO) test -timeout 20m ./...

# test-runtime tests the runtime: on a PostgreSQL and a MariaDB that the tests start.
test-runtime:
	@for m in $(RUNTIME); do \
		echo "== $$m"; (cd $$m && $(GO) test ./...) || exit 1; \
	done

# e2e builds a real golangci-lint with the plugin, some minutes the first time, runs it
# as its users do, and on our own code.
e2e:
	cd e2e/golangci && $(GO) vet ./... && $(GO) test ./...

# lint checks our own code: format, vet, idemlint itself.
lint: build
	@unformatted=$$(gofmt -l cmd analyzers internal plugin examples testdata e2e docs idem | grep -v '/ent/' || true); \
	if [ -n "$$unformatted" ]; then echo "gofmt would change:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	bin/idemlint ./...
	cd examples && $(GO) vet ./...
	@for m in $(RUNTIME); do (cd $$m && $(CURDIR)/bin/idemlint ./...) || exit 1; done

# bench prints what the linter costs on packages that import no catalogued library, as a
# ratio to go vet with an analyzer that does nothing; and what the runtime costs, as ratios
# to the same work without it.
bench: build
	$(GO) run ./internal/bench
	cd idem && $(GO) run ./bench/ratios

clean:
	rm -rf bin
