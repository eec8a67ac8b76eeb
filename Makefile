# Everything in one word each. `make demo` and `make test` set up a bare Debian by themselves; run again, they only run.

BUILD := build/release
JOBS  ?= $(shell nproc)

.DEFAULT_GOAL := help
.PHONY: help demo eval test bench evaluate fuzz soak lint format web install clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: ## set up, build the program, hear two stories
	@scripts/packages.sh demo
	@scripts/configure.sh release
	@cmake --build $(BUILD) --parallel $(JOBS) --target hlg
	@scripts/demo.sh $(BUILD)/bin/hlg

eval: ## set up, build hlg-eval, which hlg eval is
	@scripts/packages.sh eval
	@scripts/configure.sh release HLG_BUILD_EVAL=ON
	@cmake --build $(BUILD) --parallel $(JOBS) --target hlg

test: ## set up, build everything, run every test
	@scripts/packages.sh test
	@scripts/node.sh >/dev/null
	@scripts/configure.sh release HLG_BUILD_EVAL=ON HLG_BUILD_TESTS=ON
	@cmake --build $(BUILD) --parallel $(JOBS)
	@ctest --preset release --parallel $(JOBS)

bench: ## set up, measure the draw and the lanes against llama.cpp's own
	@scripts/packages.sh bench
	@scripts/configure.sh release HLG_BUILD_BENCH=ON
	@cmake --build $(BUILD) --parallel $(JOBS) --target hlg_bench hlg_lanes_bench hlg_make_model
	@scripts/bench.sh $(BUILD)

fuzz: ## set up, run every fuzz target for SECONDS (300)
	@scripts/packages.sh eval
	@scripts/packages.sh fuzz
	@scripts/fuzz.sh $(or $(SECONDS),300)

soak: ## set up, the server under sanitizers with CLIENTS (200) clients for SECONDS (300)
	@scripts/packages.sh test
	@scripts/soak.sh $(or $(SECONDS),300) $(or $(CLIENTS),200)

evaluate: eval ## set up, measure what HLG does to distributions and texts (LOGITS=DIR, OUT=build/evaluation)
	@scripts/evaluate.sh $(BUILD)/bin/hlg $(or $(OUT),build/evaluation) $(LOGITS)

lint: ## clang-format and clang-tidy on our sources
	@scripts/packages.sh test
	@scripts/packages.sh lint
	@scripts/configure.sh release HLG_BUILD_EVAL=ON HLG_BUILD_TESTS=ON
	@scripts/lint.sh $(BUILD)

format: ## let clang-format rewrite our sources
	@scripts/packages.sh lint
	@git ls-files --cached --others --exclude-standard '*.cpp' '*.hpp' '*.h' '*.c' | xargs clang-format -i

web: ## build the pages in web/ again (needed after a change there; web/dist is committed)
	@scripts/packages.sh demo
	@scripts/web.sh build

install: ## build and install (PREFIX=/usr/local)
	@scripts/packages.sh eval
	@scripts/configure.sh release HLG_BUILD_EVAL=ON
	@cmake --build $(BUILD) --parallel $(JOBS)
	@cmake --install $(BUILD) $(if $(PREFIX),--prefix $(PREFIX))

clean: ## remove build/ (downloads stay in HLG_CACHE)
	@rm -rf build
