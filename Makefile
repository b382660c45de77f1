# The build: C to one .wasm, the page to one HTML file, and the two commands `make start` and `make test`.
# Every rule depends on the files that it reads, so a second `make` does nothing. What is installed, and how, is
# in tools/install.sh; what the tests are, in tools/test.mjs; how the page is put together, in tools/build-page.mjs.

WASM := build/attention.wasm
PAGE := dist/attention-rows.html
SITE := dist/site/index.html
TYPES := build/types/node.d.ts
TOOL_NODE := build/tool-node/node
MODULES := node_modules/.package-lock.json
PEERS := tests/bench/node_modules/.package-lock.json

C_SOURCES := $(wildcard src/*.c)
C_READ := $(C_SOURCES) $(wildcard src/*.h)
C_TESTS := $(wildcard tests/c/*.c)
C_TESTS_READ := build/c_vectors.h $(C_READ) $(C_TESTS) $(wildcard tests/c/*.h)
WEB_READ := $(filter-out %.png,$(shell find web -type f))

WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wvla -Wframe-larger-than=12288
SANITIZERS := -fsanitize=address,undefined -fno-sanitize-recover=all
# The linker's --wrap lets the tests see, and refuse, what the core allocates.
C_TEST_FLAGS := -Werror -Isrc -Ibuild $(C_SOURCES) $(C_TESTS) -Wl,--wrap=aligned_alloc

# A step prints one line; its output goes to a log, which is shown if the step fails.
log = sh tools/log.sh build/log/$(1)

.PHONY: help start test bench build wasm types single site clean installed
.DELETE_ON_ERROR:

help:
	@echo 'make start   install what is missing, build, serve the page and print its address (PORT=8080)'
	@echo 'make test    install what is missing, run every test (ONLY="c node": only these suites)'
	@echo 'make build   the module $(WASM) and the page, in both forms'
	@echo 'make wasm    the module alone'
	@echo 'make types   the package for TypeScript: declarations made from the comments, $(dir $(TYPES))'
	@echo 'make single  the page as one file, $(PAGE)'
	@echo 'make site    the page as a static folder, $(dir $(SITE))'
	@echo 'make bench   measure the module beside other libraries, and the page (about 6 minutes; QUICK=1: small sizes only)'
	@echo 'make clean   remove what was built'

start: build
	@node tools/serve.mjs $(dir $(SITE)) $(PORT)

test: build types build/c-tests build/c-tests.wasm
	@node tools/test.mjs $(ONLY)

bench: build build/bench.wasm build/bench-tfjs.cjs
	@node tests/bench/run.js $(if $(QUICK),--quick)
	@$(TOOL_NODE) tests/bench/page.mjs

build: wasm single site
wasm: $(WASM)
types: $(TYPES)
single: $(PAGE)
site: $(SITE)

clean:
	rm -rf build dist

# Installs what the goal needs and the machine lacks; says nothing if all is there.
installed:
	@sh tools/install.sh $(if $(filter test bench,$(MAKECMDGOALS)),test,build)

$(MODULES): package-lock.json | installed
	@echo 'Installing the JavaScript libraries named in package-lock.json'
	@$(call log,npm) npm ci --ignore-scripts
	@touch $@

$(WASM): src/emcc.flags src/exports.txt $(C_READ) tools/seal.mjs web/engine/checksum.js | installed
	@echo 'Compiling $@'
	@$(call log,wasm) emcc @src/emcc.flags $(C_SOURCES) -o $@
	@$(call log,seal) node tools/seal.mjs $@

$(TYPES): tools/types.json tsconfig.json $(wildcard web/engine/*.js) $(MODULES)
	@$(call log,types) node node_modules/typescript/bin/tsc -p $<

$(PAGE): $(wildcard tools/*.mjs tests/vectors/*.json) $(WASM) $(WEB_READ) $(MODULES)
	@echo 'Building the page'
	@$(call log,page) node tools/build-page.mjs

# The folder: the page, and the plans for teachers beside it.
$(SITE): $(PAGE)
	@$(call log,teachers) node tools/teachers-page.mjs
	@cp $< $@

build/c_vectors.h: tests/c/vectors_to_header.mjs $(wildcard tests/vectors/*.json) | installed
	@$(call log,vectors) node tests/c/vectors_to_header.mjs $@

build/c-tests: $(C_TESTS_READ)
	@echo 'Compiling the C tests, native'
	@$(call log,c-tests) gcc -std=c11 -O1 -g $(SANITIZERS) $(WARNINGS) $(C_TEST_FLAGS) -lm -o $@

# The flags of the module that ships, but for what is exported.
build/c-tests.wasm: src/emcc.flags $(C_TESTS_READ)
	@echo 'Compiling the C tests to WebAssembly'
	@$(call log,c-tests-wasm) emcc @src/emcc.flags $(C_TEST_FLAGS) -sEXPORTED_FUNCTIONS=_main -o $@

# The libraries that only make bench needs, about 220 MB, apart from those of the page.
$(PEERS): tests/bench/package-lock.json | installed
	@echo 'Installing the libraries to compare with, in tests/bench'
	@$(call log,bench-npm) npm ci --prefix tests/bench --ignore-scripts
	@touch $@

build/bench-tfjs.cjs: tests/bench/bundle-tfjs.mjs $(PEERS) $(MODULES)
	@$(call log,bench-tfjs) node $<

# What is measured against the ceiling is compiled as the module is.
build/bench.wasm: src/emcc.flags tests/bench/ceiling.c tests/bench/product.c $(C_READ) | installed
	@$(call log,bench-wasm) emcc @src/emcc.flags -Isrc $(filter %.c,$(filter-out src/%,$^)) $(wildcard src/kernels_*.c) \
	  -sEXPORTED_FUNCTIONS=_bench_chains,_bench_chain_operations,_bench_product,_bench_product_operations -o $@
