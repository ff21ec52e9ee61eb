# A thin front over the CMake presets. `make demo` and `make test` need nothing but a Debian with make on it.
.DEFAULT_GOAL := all
.PHONY: all setup demo test verify check format coverage fuzz wasm bench install clean
FUZZ_SECONDS ?= 60
PREFIX ?= /usr/local

build/%/build.ninja: CMakeLists.txt CMakePresets.json
	@cmake --preset $* > build-$*.log 2>&1 || { cat build-$*.log; rm -f build-$*.log; exit 1; }
	@mkdir -p build/$* && mv build-$*.log build/$*/configure.log

all: setup build/release/build.ninja
	@cmake --build build/release
	@ln -sf build/release/synovia synovia

setup:
	@scripts/setup build

demo: all
	@./synovia demo -o demo-output

test: all
	@ctest --test-dir build/release --output-on-failure --label-exclude verify -j2

# The longer analytic and published cases.
verify: all
	@ctest --test-dir build/release --output-on-failure --label-regex verify

check: setup
	@scripts/setup check
	@scripts/check

coverage: setup build/coverage/build.ninja
	@scripts/setup check
	@scripts/coverage

fuzz: setup
	@scripts/setup check
	@$(MAKE) --no-print-directory build/fuzz/build.ninja
	@scripts/fuzz $(FUZZ_SECONDS)

# The library for WebAssembly, compared with the native one.
wasm: all
	@scripts/setup wasm
	@scripts/wasm
	@ctest --test-dir build/release --output-on-failure -R '^wasm/'

bench: setup
	@scripts/setup bench
	@$(MAKE) --no-print-directory build/bench/build.ninja
	@cmake --build build/bench
	@scripts/bench

format:
	@git ls-files '*.c' '*.h' '*.cpp' | xargs clang-format -i

install: all
	@cmake --install build/release --prefix $(DESTDIR)$(PREFIX)

clean:
	rm -rf build synovia demo-output
