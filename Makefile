# Every target sets up what it needs: a virtual environment in .venv with the versions of constraints.txt.

PYTHON ?= python3
PIP_FLAGS ?=
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

# What `make test` selects; `make test SELECT=` runs the slow tests too.
SELECT ?= -m "not slow"

.DEFAULT_GOAL := help
.PHONY: help setup quickstart test slow check format bench docs lock clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(READY)  ## make .venv, or bring it up to date

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "error: '$(PYTHON)' is not a Python that nerbridge runs on" >&2; \
	  echo "  where: $$(command -v $(PYTHON) || echo nowhere on PATH), $$($(PYTHON) --version 2>&1)" >&2; \
	  echo "  expected: Python 3.11 or newer" >&2; \
	  echo "  hint: name one, such as: make quickstart PYTHON=python3.12" >&2; exit 2; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || { \
	  rm -rf $(VENV); echo "  hint: on Debian and Ubuntu: apt install python3-venv" >&2; exit 2; }
	@echo "installing into $(VENV): about 2 GB (more with a CUDA build of torch), some minutes without a word from pip"
	$(BIN)/python -m pip install --quiet $(PIP_FLAGS) -c constraints.txt -e ".[dev]"
	@touch $@

quickstart: setup  ## the embedded demo: two ways of transfer on a small sample project, on CPU
	$(BIN)/nerbridge quickstart

test: setup  ## run the fast tests
	$(BIN)/python -m pytest $(SELECT)

slow: setup  ## run the slow tests
	$(BIN)/python -m pytest -m slow

check: setup  ## format, lint, types, import rules
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: setup  ## format and mend what the linter can mend
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

# crossner_bench.py is not among them: it wants a GPU, an encoder and hours; its own text says how to call it.
bench: setup  ## run the benchmarks of speed and resuming; the results go to benchmarks/results
	@for name in startup resume speed label_aware; do \
	  echo "== benchmarks/$${name}_bench.py"; $(BIN)/python benchmarks/$${name}_bench.py || exit 1; done

docs: setup  ## write the table of settings and the page of results, then check links, commands and examples
	$(BIN)/python docs/write_settings.py
	$(BIN)/python benchmarks/results_page.py
	$(BIN)/python -m pytest -n 0 -q tests/flows/test_readme.py tests/flows/test_docs.py

lock:  ## resolve the newest versions afresh and write constraints.txt
	rm -rf .venv-lock
	$(PYTHON) -m venv .venv-lock
	.venv-lock/bin/python -m pip install --quiet $(PIP_FLAGS) "torch==2.13.0" ".[dev]"
	{ echo "# Versions that are known to work together; written by \`make lock\`."; \
	  .venv-lock/bin/python -m pip freeze --exclude nerbridge | grep -E '^[A-Za-z0-9._-]+==' | sed 's/+.*//'; } > constraints.new
	mv constraints.new constraints.txt
	rm -rf .venv-lock

clean:  ## remove everything that was made here
	rm -rf $(VENV) .venv-lock .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
