# Every target sets up first; where that is done it costs a few milliseconds.
.DEFAULT_GOAL := help
.PHONY: help setup demo run test odd lint check real bench docs screenshots clean
BIN := .venv/bin
# most tests wait for processes rather than compute; who has done its own takes of the others'
WORKERS := -n 6 --dist worksteal

help: ## List what can be made
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-13s%s\n", $$1, $$2 }' Makefile

setup: ## Install what is missing: tmux, bubblewrap, git, .venv, hqt
	@scripts/setup

demo: setup ## Show a jailed session from start to end, with a scripted agent
	@$(BIN)/hqt demo

run: setup ## Open hqt; ARGS='list --all' hands it arguments
	@$(BIN)/hqt $(ARGS)

test: setup ## Run the tests; as root, those of real tmux and bwrap as an ordinary user too
	@$(BIN)/python -m pytest $(WORKERS) -m 'not harness'
	@[ "$$(id -u)" -ne 0 ] || scripts/test-as-user $(WORKERS)

odd: setup ## Run fast tests in odd surroundings: agents installed, signals ignored, variables set
	@scripts/test-in-odd-surroundings

lint: setup ## Check format, lint, types and layers
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo

check: lint ## Check as lint does, and run the fast tests
	@$(BIN)/python -m pytest $(WORKERS) -m 'not real and not harness'

real: setup ## Run the agents themselves, against fake model servers
	@scripts/real

bench: setup ## Measure starts and looks beside what they are measured against
	@$(BIN)/python bench/start.py
	@$(BIN)/python bench/looks.py
	@$(BIN)/python bench/screen.py

docs: setup ## Write docs/harnesses.md anew from what the harnesses declare
	@$(BIN)/python -m hqt.harnesses.docs_page > docs/harnesses.md

screenshots: setup ## Take the README's pictures; needs chromium and fonts-dejavu-core
	@$(BIN)/python scripts/screenshots.py

clean: ## Remove .venv and all that tools have left
	@rm -rf .venv dist .hypothesis .mypy_cache .ruff_cache .import_linter_cache
	@find src tests -name __pycache__ -prune -exec rm -rf {} +
