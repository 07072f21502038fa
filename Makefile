# Needs Python 3.11 or newer and make; everything else goes into .venv.
PYTHON ?= python3
VENV = .venv
PY = $(VENV)/bin/python
PIP = $(PY) -m pip --disable-pip-version-check
INSTALL = $(PIP) install --quiet --constraint constraints.txt
DECLARED = pyproject.toml setup.py constraints.txt
ARGS =

.NOTPARALLEL:
.PHONY: help setup train test check lint bench pictures playthroughs curves
.DEFAULT_GOAL := help

help:
	@echo 'make setup   install everything, for training and development, into $(VENV)'
	@echo 'make train   train with the default configuration; ARGS="--seed 7" adds flags'
	@echo 'make test    run the tests; ARGS="-k search" selects'
	@echo 'make check   what CI runs: style, types, import rules, tests'
	@echo 'make lint    the same without the tests'
	@echo 'make bench   speed and memory beside other libraries, also in bench.json; ARGS="--full" adds curves'
	@echo 'make pictures   redraw the pictures in docs/'
	@echo 'make playthroughs   play the games in tests/playthroughs/ anew, after a change of their rules'
	@echo 'make curves  redraw the learning curves in docs/results/'

setup: $(VENV)/.dev

train: $(VENV)/.train
	$(VENV)/bin/cotulenh train --config default --inference auto $(ARGS)

test: $(VENV)/.dev
	$(PY) -m pytest $(ARGS)

check: lint
	$(PY) -m pytest

lint: $(VENV)/.dev
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	$(VENV)/bin/lint-imports

bench: $(VENV)/.bench
	$(VENV)/bin/cotulenh bench --out bench.json $(ARGS)

pictures: $(VENV)/.dev
	$(PY) -m docs.draw_pictures

playthroughs: $(VENV)/.dev
	$(PY) -m tests.playthroughs

curves: $(VENV)/.dev
	$(INSTALL) --no-build-isolation --editable '.[docs]'
	for table in docs/results/*evaluation.csv; do \
	$(PY) -m docs.draw_curves "$$table" "$${table%.csv}.svg" || exit 1; done

# Each stamp says: installed as the declarations stood then. The development install contains
# the one for training.
$(VENV)/.created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	echo 'cotulenh_env needs Python 3.11 or newer: name one with "make PYTHON=python3.11 ...".' >&2; \
	exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.train: $(VENV)/.created $(DECLARED)
	$(INSTALL) setuptools
	$(INSTALL) --no-build-isolation --editable '.[train]'
	@touch $@

# Without the peers their rows say so, and the next call tries again.
$(VENV)/.bench: $(VENV)/.train $(DECLARED)
	@if $(INSTALL) --no-build-isolation --editable '.[train,bench]'; then touch $@; \
	else echo 'The libraries to compare with cannot be installed here: measuring without.' >&2; fi

$(VENV)/.dev: $(VENV)/.created $(DECLARED)
	$(INSTALL) setuptools
	$(INSTALL) --no-build-isolation --editable '.[train,onnx,dev]'
	@touch $(VENV)/.train $@
