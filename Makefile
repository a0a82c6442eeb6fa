# make match: a refereed bot match.   make test: all tests.   See README.md.
# Everything is set up in the local .venv; each target can be repeated.

GAME ?= shikoku
PLAYERS ?= 4
ROUNDS ?= $(if $(filter shikoku,$(GAME)),300,10)
LIMIT ?= --nodes 1000
BOTS ?= henro flat greedy random
PYTEST ?=

PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
  $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin
PIP = $(BIN)/python -m pip --disable-pip-version-check install --quiet
BUILD_TOOLS := 'scikit-build-core>=0.10' 'pybind11>=2.13' 'cmake>=3.20,<5' ninja
SOURCES := CMakeLists.txt pyproject.toml $(shell find csrc bindings -name '*.[chi]pp' -o -name '*.h')

.PHONY: match test build bench peers sanitize lint format clean

# The bulk loops are compiled for two instruction sets; one of them is enough to look at.
define TIDY_COMMANDS
import glob, json, os
newest = max(glob.glob("build/cp*/compile_commands.json"), key=os.path.getmtime)
entries = [e for e in json.load(open(newest)) if "HENRO_ISA=v3" not in e["command"]]
os.makedirs("build/tidy", exist_ok=True)
json.dump(entries, open("build/tidy/compile_commands.json", "w"))
endef
export TIDY_COMMANDS

match: build
	$(BIN)/henro arena --game $(GAME) --players $(PLAYERS) --rounds $(ROUNDS) $(LIMIT) \
	  --concurrency 2 --out matches/$(GAME)-$(PLAYERS)p-$$(date +%Y%m%d-%H%M%S) \
	  $(foreach bot,$(BOTS),--bot name=$(bot),preset=$(subst henro,default,$(bot)))

test: build
	$(BIN)/python -m pytest -n auto --dist loadgroup $(PYTEST)

bench: build
	$(BIN)/henro bench
	$(BIN)/python -m pytest bench $(PYTEST)

peers: build
	$(PIP) open_spiel
	$(BIN)/python bench/peers.py

build: $(VENV)/built

$(VENV)/tools:
	@test -n "$(PYTHON)" || { echo "henro needs Python 3.11 or newer (make PYTHON=/path/to/python)"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(PIP) $(BUILD_TOOLS)
	touch $@

# Built as of its beginning: what changes meanwhile is built again.
$(VENV)/built: $(VENV)/tools $(SOURCES)
	touch $@.new
	$(PIP) --no-build-isolation --editable '.[test]'
	mv $@.new $@

# The same tests on a build with address and undefined-behaviour sanitizers and all invariants on.
sanitize: $(VENV)/tools
	$(PYTHON) -m venv .venv-sanitize
	.venv-sanitize/bin/python -m pip --disable-pip-version-check install --quiet $(BUILD_TOOLS)
	.venv-sanitize/bin/python -m pip --disable-pip-version-check install --quiet --no-build-isolation \
	  -C cmake.define.HENRO_SANITIZE=ON -C build-dir=build/sanitize '.[test]'
	ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
	  LD_PRELOAD="$$($${CXX:-c++} -print-file-name=libasan.so) $$($${CXX:-c++} -print-file-name=libstdc++.so)" \
	  .venv-sanitize/bin/python -P -m pytest tests/families tests/games tests/api tests/search/test_options.py -m "not slow" -n auto $(PYTEST)

lint: $(VENV)/built
	$(PIP) 'ruff>=0.6' 'mypy>=1.11' 'clang-format>=18' 'clang-tidy>=18'
	$(BIN)/ruff check . && $(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror $(filter %.cpp %.hpp %.h,$(SOURCES))
	$(BIN)/python -c "$$TIDY_COMMANDS"
	printf '%s\n' $(filter %.cpp,$(SOURCES)) | xargs -n 1 -P 2 $(BIN)/clang-tidy --quiet -p build/tidy

format:
	$(BIN)/ruff format . && $(BIN)/ruff check --fix .
	$(BIN)/clang-format -i $(filter %.cpp %.hpp %.h,$(SOURCES))

clean:
	rm -rf $(VENV) .venv-sanitize build dist
