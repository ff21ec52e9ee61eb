# A thin front over the CMake presets. `make demo` and `make test` need nothing but a Debian with make on it.
.DEFAULT_GOAL := all
.PHONY: all setup demo test verify bare check format coverage fuzz wasm bench install clean FORCE
FUZZ_SECONDS ?= 60
PREFIX ?= /usr/local
# release, or ci: the same with warnings as errors
PRESET ?= release
dir = build/$(PRESET)

build/%/build.ninja: FORCE
	@scripts/configure $*

# What people use, without the tests. What is left out is said again at the end, where it is seen.
all: setup
	@scripts/configure $(PRESET)
	@cmake --build $(dir) --target product
	@ln -sf $(dir)/synovia synovia
	@cat $(dir)/web/missing.txt 2>/dev/null || true

setup:
	@scripts/setup demo

demo: all
	@./synovia demo -o demo-output

# The tests, and all that they need. $(1): another preset that comes later.
define build_tests
@scripts/setup test
@scripts/configure $(PRESET) $(1)
@cmake --build $(dir)
@ln -sf $(dir)/synovia synovia
endef

# As users get it, then once more with a shared library under the address and undefined sanitizers, without what is slow there.
test:
	$(call build_tests,quick)
	@scripts/test $(PRESET) --label-exclude verify -j5
	@cmake --build build/quick
	@scripts/test quick --label-exclude 'verify|slow' -j4

# The longer analytic and published cases, small faults that the tests must notice, and both commands of the README on bare Debians.
verify:
	$(call build_tests)
	@cmake --build $(dir) --target verify_tests
	@scripts/test $(PRESET) --label-regex verify
	@PRESET=$(PRESET) scripts/mutants
	@$(MAKE) --no-print-directory bare

# SUITE=trixie takes one Debian alone. BARE="--cold" measures honestly, without kept downloads; `scripts/bare --help` has the rest.
bare:
	@scripts/setup bare
	@scripts/bare $(addprefix --suite ,$(SUITE)) $(BARE)

check:
	@scripts/setup test check
	@scripts/check

coverage:
	@scripts/setup test check
	@scripts/configure coverage
	@scripts/coverage

fuzz:
	@scripts/setup demo check
	@scripts/configure fuzz
	@scripts/fuzz $(FUZZ_SECONDS)

# The library for WebAssembly, compared with the native one.
wasm:
	@scripts/setup test wasm
	@scripts/wasm
	@scripts/configure $(PRESET)
	@cmake --build $(dir) --target synovia wasm_answers
	@ctest --test-dir $(dir) --output-on-failure -R '^wasm/'

bench:
	@scripts/setup demo bench
	@scripts/configure bench
	@cmake --build build/bench
	@scripts/bench

format:
	@git ls-files '*.c' '*.h' '*.cpp' | xargs clang-format -i

install: all
	@cmake --install $(dir) --prefix "$(DESTDIR)$(PREFIX)"

clean:
	rm -rf build synovia demo-output
