# The front door. Each target first sees to the tools it needs, then calls CMake, which holds the build itself.
.DEFAULT_GOAL := all
.NOTPARALLEL:
.PHONY: all install check demo bench asan clean help

BUILD  ?= build
PREFIX ?= /usr/local
JOBS   ?= $(shell nproc)

to_build := c++ cmake cli11 zlib
to_test  := $(to_build) pkg-config cmocka locales

# What one target switches on in a build folder stays on, so that going back and forth between targets compiles nothing again.
configure = cmake --log-level=NOTICE -S . -B
# The make that CMake calls shall know nothing of this one's flags.
compile = env -u MAKEFLAGS -u MAKELEVEL cmake --build
test    = env -u MAKEFLAGS -u MAKELEVEL ctest --output-on-failure --parallel $(JOBS) --test-dir

all: ## build the library and the program (the default)
	@tools/need.sh $(to_build)
	@$(configure) $(BUILD)
	@$(compile) $(BUILD) --parallel $(JOBS)

install: all ## install into PREFIX (/usr/local), below DESTDIR where that is set
	@cmake --install $(BUILD) --prefix "$(PREFIX)"
	@if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" = 0 ]; then ldconfig; fi

check: ## build everything and run every test
	@tools/need.sh $(to_test)
	@$(configure) $(BUILD) -DSL_TESTS=ON -DSL_WERROR=ON
	@$(compile) $(BUILD) --parallel $(JOBS)
	@$(test) $(BUILD)

demo: ## train a spam filter on real mail and say what it learned
	@tools/need.sh $(to_build)
	@$(configure) $(BUILD)
	@$(compile) $(BUILD) --parallel $(JOBS) --target sparselin_program
	@echo "Learning spam (1) from ham (-1), of 4,821 real messages, in one pass:"
	@$(BUILD)/sparselin train examples/data/spam.train.svm.gz --test examples/data/spam.test.svm.gz --names examples/data/words.txt.gz --l1 1e-5

bench: ## print what training and prediction cost
	@tools/need.sh $(to_build)
	@$(configure) $(BUILD)
	@$(compile) $(BUILD) --parallel $(JOBS) --target bench

asan: ## run the tests under AddressSanitizer and UndefinedBehaviorSanitizer
	@tools/need.sh $(to_test)
	@$(configure) $(BUILD)-asan -DSL_TESTS=ON -DSL_WERROR=ON -DSL_SANITIZE=ON -DCMAKE_BUILD_TYPE=Debug
	@$(compile) $(BUILD)-asan --parallel $(JOBS)
	@$(test) $(BUILD)-asan

clean: ## remove what was built
	rm -rf $(BUILD) $(BUILD)-asan

help: ## say this
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1	\2/p' Makefile | expand -t 16
