# One target, one job; `make help` lists them.

GO ?= go
FUZZTIME ?= 30s
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2

.PHONY: help build test race fuzz bench pgo lint check interop man dist demo clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "  %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## bin/bobproxy, without a C library like the archives: it starts sooner and is smaller
	CGO_ENABLED=0 $(GO) build -o bin/ ./cmd/bobproxy

test: ## all tests
	$(GO) test ./...

race: ## all tests under the race detector
	$(GO) test -race -timeout 30m ./...

fuzz: ## every fuzz target for FUZZTIME (30s)
	@set -e; for dir in $$(grep -rl --include='*_test.go' '^func Fuzz' . | xargs -n1 dirname | sort -u); do \
		for target in $$(grep -ho '^func Fuzz[A-Za-z]*' $$dir/*_test.go | sed 's/func //'); do \
			echo "$$dir $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -parallel 2 $$dir; \
		done; \
	done

bench: ## scanner, journal, pump, panel, and the wire against cat and tee (three minutes)
	$(GO) test -run '^$$' -bench . -benchtime 1s ./acp ./proxy/journal ./proxy ./inspector/panel
	$(GO) test -run '^$$' -bench . ./cmd/bobproxy

pgo: ## measure anew what the compiler optimises bobproxy for
	@dir=$$(mktemp -d) && $(GO) test -run '^$$' -trimpath -bench Gate/enforce/200B -benchtime 5s -cpuprofile $$dir/cpu -o $$dir/test ./proxy && \
		cp $$dir/cpu cmd/bobproxy/default.pgo && rm -r $$dir

lint: ## formatting, tidiness, vet for three systems, staticcheck
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); test -z "$$unformatted" || { echo "gofmt would change: $$unformatted"; exit 1; }
	$(GO) mod tidy -diff
	$(GO) vet ./...
	GOOS=darwin $(GO) vet ./...
	GOOS=windows $(GO) vet ./...
	$(GO) run $(STATICCHECK) ./...

check: lint race ## what must be green before a commit

interop: ## real ACP programs through bobproxy (needs the network, node for half of it)
	lab/interop/run

man: build ## bin/bobproxy.1
	@bin/bobproxy man bin

dist: ## archives for six systems, with their checksums, in dist/
	@$(GO) run ./cmd/release dist

demo: build ## a scripted Bob repairs a program while bobproxy records
	@bin/bobproxy demo

clean: ## remove what was built
	rm -rf bin dist
