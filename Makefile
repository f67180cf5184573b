# The commands of the project; CI runs the same ones (see CONTRIBUTING.md).
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

PYTHON ?= python3
PORT ?= 8000
DATA ?= ./data
# More for pytest, as in: make test PYTEST='-k room'
PYTEST ?=
ONLY ?=

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip
WEB_TOOLS := web/node_modules/.cinderforge-dev
BENCH_VENV := .venv-bench
# The tools that make committed files and can say whether these are fresh.
GENERATORS = $(basename $(notdir $(shell grep -l -e '"--check"' tools/make_*.py)))
PYTHON_CODE := $(wildcard src tests tools bench) hatch_build.py

# What is called below is our own: first the virtual environment, then the machine.
export PATH := $(CURDIR)/$(BIN):$(PATH)
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help setup play test check check-web generated format soak league train exploit screenshots engines pages bench lock clean

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 20

# --- set up -------------------------------------------------------------------------------------------------------

setup: debian $(VENV)/.packages $(VENV)/.node $(WEB_TOOLS) $(VENV)/.installed kernel client ## install all that is needed
	@echo "ready: $(BIN)/cinderforge"

.PHONY: debian compiler kernel client
debian:
	@bash tools/debian_packages.sh chromium fonts-noto-cjk fonts-noto-color-emoji \
	  || echo "(only the browser tests need them)"

# For the kernel: a C compiler, and the headers of the Python that we use.
compiler:
	@{ command -v gcc || command -v cc || command -v clang; } >/dev/null \
	  && $(PYTHON) -c 'import pathlib, sys, sysconfig as s; \
	    sys.exit(not pathlib.Path(s.get_path("include"), "Python.h").exists())' \
	  || bash tools/debian_packages.sh gcc libc6-dev python3-dev

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Cinderforge needs Python 3.11 or later; $(PYTHON) is older (make PYTHON=...)" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || bash tools/debian_packages.sh python3-venv
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.packages: $(VENV)/.made requirements/dev.lock
	$(PIP) install --quiet -r requirements/dev.lock
	@touch $@

$(VENV)/.node: $(VENV)/.packages requirements/node.lock tools/setup_node.sh
	@PATH="$${PATH#*:}" bash tools/setup_node.sh $(VENV) requirements/node.lock
	@touch $@

$(WEB_TOOLS): web/package.json web/package-lock.json | $(VENV)/.node
	cd web && npm ci --prefer-offline --no-audit --no-fund --loglevel error
	@touch $@

# The client is not built here, but by the next rule, which sees each change of it.
$(VENV)/.installed: $(VENV)/.packages pyproject.toml hatch_build.py | compiler
	CINDERFORGE_SKIP_WEB=1 $(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

# Sees each change of a C file, and compiles only then.
kernel: $(VENV)/.installed compiler
	@$(BIN)/python src/cinderforge/kernel/build.py

client: $(VENV)/.installed $(WEB_TOOLS)
	@echo "web client: $$($(BIN)/python hatch_build.py)"

# --- run ----------------------------------------------------------------------------------------------------------

play: setup ## serve the game (PORT, DATA)
	@exec $(BIN)/cinderforge serve --port $(PORT) --data $(DATA)

# --- check --------------------------------------------------------------------------------------------------------

test: setup ## every test
	$(BIN)/python -m pytest -n auto --dist worksteal $(PYTEST)
	cd web && node node_modules/vitest/vitest.mjs run

check: form lint types contracts dead-code spelling generated check-web ## all that CI checks besides the tests

.PHONY: form lint types contracts dead-code spelling
form: setup
	ruff format --check --quiet $(PYTHON_CODE)

lint: setup
	ruff check $(PYTHON_CODE)

types: setup
	mypy

contracts: setup
	lint-imports

dead-code: setup
	$(BIN)/python -m tools.dead_code

spelling: setup
	codespell

generated: setup
	@for tool in $(GENERATORS); do \
	  echo "$$tool --check"; \
	  $(BIN)/python -m tools.$$tool --check || { echo "stale: python -m tools.$$tool" >&2; exit 1; }; \
	done

check-web: setup
	cd web && node node_modules/svelte-check/bin/svelte-check --fail-on-warnings
	cd web && node node_modules/eslint/bin/eslint.js .
	cd web && node node_modules/prettier/bin/prettier.cjs --check .

format: setup ## put all code in its form
	ruff format $(PYTHON_CODE)
	ruff check --fix $(PYTHON_CODE)
	cd web && node node_modules/eslint/bin/eslint.js --fix .
	cd web && node node_modules/prettier/bin/prettier.cjs --write --log-level warn .

# --- measure ------------------------------------------------------------------------------------------------------

$(BENCH_VENV)/.packages: requirements/bench.lock | compiler
	$(PYTHON) -m venv $(BENCH_VENV)
	$(BENCH_VENV)/bin/python -m pip install --quiet -r requirements/bench.lock
	CINDERFORGE_SKIP_WEB=1 $(BENCH_VENV)/bin/python -m pip install --quiet --no-deps --editable .
	@touch $@

bench: $(BENCH_VENV)/.packages ## engine and kernel beside other game libraries
	$(BENCH_VENV)/bin/python bench/engine.py
	$(BENCH_VENV)/bin/python -m bench.kernel

pages: setup ## how soon and how smoothly pages can be used on a slow phone; Lighthouse; axe on every screen
	CINDERFORGE_EVERYWHERE=1 $(BIN)/python -m pytest -q -n 2 tests/e2e/test_axe_browser.py
	CINDERFORGE_EVERYWHERE=1 $(BIN)/python -m pytest -q -n 2 -m everywhere tests/e2e
	$(BIN)/python -m bench.page
	$(BIN)/python -m bench.lighthouse

screenshots: setup ## pictures of every screen (ONLY=a pattern of names)
	$(BIN)/python -m tools.make_screenshots --only '$(ONLY)'

# apt-get install webkit2gtk-driver xvfb xauth firefox-esr
engines: setup ## a game in the engines of Safari and Firefox, where they are installed
	$(BIN)/python -m tools.try_engines

$(VENV)/.soak: $(VENV)/.packages requirements/soak.lock
	$(PIP) install --quiet -r requirements/soak.lock
	@touch $@

# An hour and a quarter on two cores.
soak: setup $(VENV)/.soak ## storms over a room, a fuzzer's messages, kills under load, rooms abandoned by the thousand
	$(BIN)/python -m tests.soak.storm --seeds 20000 --jobs 2
	$(BIN)/python -m tests.soak.fuzz --seconds 600
	$(BIN)/python -m tests.soak.kills --kills 500
	$(BIN)/python -m tests.soak.abandon --rooms 5000

# A quarter of an hour on two cores; broken off, it goes on from where it was.
league: setup ## engine and kernel side by side, a million games; beliefs, thoughts and talk of AIs, by the thousand
	$(BIN)/python -m tests.soak.equality --games 1000000 --jobs 2 --done $(VENV)/.equality
	$(BIN)/python -m tests.soak.beliefs --games 100000 --jobs 2
	$(BIN)/python -m tests.soak.thoughts --positions 10000 --jobs 2
	$(BIN)/python -m bench.talk --games 2000

# Seeds whose nets sit with the trained one in mixed teams.
OTHERS := 11 12 13 14

# Goes on where it was broken off; what comes out is in build until it is shipped (docs/model-card.md).
train: setup ## train the nets of the AIs by self-play, then in a league with nets of other seeds (MINUTES=40, SEED=1)
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tools.train_blueprint --minutes $(or $(MINUTES),40) --steps 650 \
	  --seed $(or $(SEED),1) --folder build/seed$(or $(SEED),1)
	for other in $(OTHERS); do OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tools.train_blueprint --steps 400 \
	  --minutes $(or $(MINUTES),40) --seed $$other --folder build/other$$other || exit 1; done
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tools.train_league --minutes $(or $(MINUTES),40) \
	  --seed $(or $(SEED),1) --begin build/seed$(or $(SEED),1) --guests $(OTHERS:%=build/other%) \
	  --folder build/league$(or $(SEED),1)

# A quarter of an hour on a quiet core; broken off, it goes on.
exploit: setup ## what best responders gain against a net of the first steps and against the shipped one
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tools.train_blueprint --minutes 60 --steps 50 --folder build/generation0
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m bench.exploit generation0=build/generation0 \
	  blueprint=src/cinderforge/bots/weights/blueprint.net --start blueprint

# --- keep ---------------------------------------------------------------------------------------------------------

lock: ## resolve the locked versions anew
	bash tools/lock.sh

clean: ## remove what was installed and built
	rm -rf $(VENV) $(BENCH_VENV) .venv-lock web/node_modules src/cinderforge/_web build dist
	rm -f src/cinderforge/kernel/*.so src/cinderforge/kernel/.stamp
