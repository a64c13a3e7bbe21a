# The front door. Each target first sees to the tools it needs, then calls CMake, which holds the build itself.
.DEFAULT_GOAL := all
.NOTPARALLEL:
.PHONY: all install uninstall check java java-demo java-bench spark demo demo-languages bench bench-quick bench-growth asan tsan memcheck coverage tidy fuzz m32 s390x aarch64 old zig windows legacy machines dist dist-java dist-linux dist-deb dist-check go go-generate r r-demo r-bench python python-bench endurance papers clean help

BUILD  ?= build
PREFIX ?= /usr/local
JOBS   ?= $(shell nproc)
ifneq ($(words $(BUILD)),1)
$(error BUILD="$(BUILD)": make takes one folder, with no blank in its name)
endif

to_build := c++ cmake cli11 zlib libcsv
to_test  := $(to_build) tmp pkg-config cmocka locales abidiff
to_java  := $(to_build) swig jdk maven
to_r     := $(to_build) tmp swig r
to_go    := $(to_build) go
to_python := $(to_build) tmp python
to_spark := $(to_java)

# The languages that `check` tests beside C, unless they are left out: make check SKIP="r go".
LANGUAGES := java r go spark python
SKIP      ?=
languages := $(filter-out $(SKIP) $(if $(filter java,$(SKIP)),spark),$(LANGUAGES))
empty     :=

fuzz_targets := model data text api encoder csv
SECONDS      ?= 60

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
	@umask 022 && cmake --install $(BUILD) --prefix "$(PREFIX)" # what root installs, all may read
	@if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" = 0 ]; then ldconfig; fi

uninstall: ## remove what the last `make install` from this build put there, below DESTDIR where that is set
	@test -s $(BUILD)/install_manifest.txt || { echo "nothing has been installed from $(BUILD)" >&2; exit 1; }
	@while read -r file || [ -n "$$file" ]; do \
		rm -f -- "$(DESTDIR)$$file"; \
		case $$file in */sparselin/*) rmdir -- "$(DESTDIR)$${file%/*}" 2>/dev/null || : ;; esac; \
	done <$(BUILD)/install_manifest.txt
	@if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" = 0 ]; then ldconfig; fi

check: ## build everything and run every test; SKIP="r go spark python" leaves languages out
	$(if $(filter-out $(LANGUAGES),$(SKIP)),$(error SKIP: no such language: $(filter-out $(LANGUAGES),$(SKIP)); there are $(LANGUAGES)))
	@tools/need.sh $(sort $(to_test) $(foreach language,$(languages),$(to_$(language))))
	@$(configure) $(BUILD) -DSL_TESTS=ON -DSL_WERROR=ON "-DSL_LANGUAGES=$(subst $(empty) $(empty),;,$(languages))"
	@$(compile) $(BUILD) --parallel $(JOBS)
	@$(test) $(BUILD)
	@echo "Tested: C$(addprefix $(empty) ,$(languages))$(if $(SKIP),. Left out: $(SKIP))"

java: ## build the jar for Java
	@tools/need.sh $(to_java)
	@$(configure) $(BUILD) -DSL_LANGUAGES=java
	@$(compile) $(BUILD) --parallel $(JOBS) --target java
	@ls $(BUILD)/bindings/java/*.jar

java-demo: java ## the same as demo, in Java
	@$(compile) $(BUILD) --target java_demo

java-bench: java ## print what calls from Java cost beside those from C
	@$(compile) $(BUILD) --target java_bench

spark: ## build the jar for Spark; it and the one for Java are then in Maven's own repository
	@tools/need.sh $(to_spark)
	@$(configure) $(BUILD) "-DSL_LANGUAGES=java;spark"
	@$(compile) $(BUILD) --parallel $(JOBS) --target spark
	@ls $(BUILD)/bindings/spark/*.jar

demo: ## train a spam filter on real mail and say what it learned
	@tools/need.sh $(to_build)
	@$(configure) $(BUILD)
	@$(compile) $(BUILD) --parallel $(JOBS) --target sparselin_program
	@echo "Learning spam (1) from ham (-1), of 4,821 real messages, in one pass:"
	@$(BUILD)/sparselin train examples/data/spam.train.svm.gz --test examples/data/spam.test.svm.gz --names examples/data/words.txt.gz --l1 1e-5

demo-languages: ## tell which of 530 languages a sentence is in, SAY="..."; fetches their texts with npm
	@tools/need.sh $(to_build) npm
	@$(configure) $(BUILD)
	@$(compile) $(BUILD) --parallel $(JOBS) --target sparselin_program
	@examples/languages/run.sh $(BUILD)/sparselin $(BUILD)/languages $(if $(SAY),"$$SAY")

bench bench-quick bench-growth: ## print what the library takes beside what the machine allows; bench-quick in five minutes, bench-growth a chart
	@tools/need.sh $(to_build)
	@tests/bench/peers.sh $(BUILD)/peers
	@$(configure) $(BUILD)
	@PATH="$(abspath $(BUILD))/peers/bin:$$PATH" $(compile) $(BUILD) --parallel $(JOBS) --target $(subst -,_,$@)

asan: ## run the tests under AddressSanitizer and UndefinedBehaviorSanitizer
	@tools/need.sh $(to_test)
	@$(configure) $(BUILD)-asan -DSL_TESTS=ON -DSL_WERROR=ON -DSL_SANITIZE=address -DCMAKE_BUILD_TYPE=Debug
	@$(compile) $(BUILD)-asan --parallel $(JOBS)
	@$(test) $(BUILD)-asan

tsan: ## run the C tests and the program under ThreadSanitizer
	@tools/need.sh $(to_test)
	@$(configure) $(BUILD)-tsan -DSL_TESTS=ON -DSL_WERROR=ON -DSL_SANITIZE=thread -DCMAKE_BUILD_TYPE=Debug
	@$(compile) $(BUILD)-tsan --parallel $(JOBS)
	@$(test) $(BUILD)-tsan

memcheck: ## run the C tests and the program under valgrind, most of the random ones shortened
	@tools/need.sh $(to_test) valgrind
	@$(configure) $(BUILD)-memcheck -DSL_TESTS=ON -DSL_WERROR=ON -DSL_SANITIZE=memcheck
	@$(compile) $(BUILD)-memcheck --parallel $(JOBS)
	@$(test) $(BUILD)-memcheck

coverage: ## say what the C tests leave out of the library; at least 97 % of its lines and 90 % of its branches have to run
	@tools/need.sh $(to_test) gcovr
	@$(configure) $(BUILD)-coverage -DSL_TESTS=ON -DSL_PROGRAM=OFF -DSL_WERROR=ON -DSL_SANITIZE=coverage -DCMAKE_BUILD_TYPE=Debug
	@$(compile) $(BUILD)-coverage --parallel $(JOBS)
	@find $(BUILD)-coverage -name '*.gcda' -delete
	@$(test) $(BUILD)-coverage
	@for what in "" --branches; do gcovr --root . --filter src/ --exclude-throw-branches --exclude-unreachable-branches $$what $(BUILD)-coverage \
		--exclude-directories '.*_without_.*[.]dir' --fail-under-line 97 --fail-under-branch 90 || exit 1; done # gcovr wants a function in one line

tidy: ## look through the library and the program with clang-tidy; .clang-tidy says for what
	@tools/need.sh $(to_build) clang-tidy
	@$(configure) $(BUILD)-tidy -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
	@run-clang-tidy -quiet -j $(JOBS) -p $(BUILD)-tidy '$(CURDIR)/src/'

fuzz: ## feed random bytes, text and calls to the library, SECONDS=60 for each; what was found new is kept in build-fuzz/corpus
	@tools/need.sh $(to_test) clang
	@CC=clang CXX=clang++ $(configure) $(BUILD)-fuzz -DSL_TESTS=ON -DSL_PROGRAM=OFF -DSL_SANITIZE=fuzzer
	@$(compile) $(BUILD)-fuzz --parallel $(JOBS) --target $(addprefix fuzz_,$(fuzz_targets))
	@for target in $(fuzz_targets); do tests/fuzz/run.sh $(BUILD)-fuzz $$target $(SECONDS) || exit 1; done

hashes = $(BUILD)/golden.hashes
.PHONY: $(hashes) FORCE
$(hashes):
	@tools/need.sh $(to_test)
	@$(configure) $(BUILD) -DSL_TESTS=ON
	@$(compile) $(BUILD) --parallel $(JOBS) --target golden
	@$(BUILD)/tests/golden $@ >/dev/null

m32: machine := i686
m32: debian := i386
s390x: machine := s390x
s390x: debian := s390x
s390x: emulator := qemu-s390x
aarch64: machine := aarch64
aarch64: debian := aarch64
aarch64: emulator := qemu-aarch64
m32 s390x aarch64: $(hashes) ## build for 32-bit x86, or for ARM or big-endian s390x in an emulator, run the C tests and compare bits with this machine's
	@tools/need.sh c++ cmake pkg-config locales $@
	@CC=$(machine)-linux-gnu-gcc CXX=$(machine)-linux-gnu-g++ PKG_CONFIG_LIBDIR=/usr/lib/$(debian)-linux-gnu/pkgconfig $(configure) $(BUILD)-$@ \
		-DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=$(machine) -DCMAKE_CROSSCOMPILING_EMULATOR=$(emulator) \
		-DSL_TESTS=ON -DSL_PROGRAM=OFF -DSL_WERROR=ON
	@$(compile) $(BUILD)-$@ --parallel $(JOBS)
	@$(test) $(BUILD)-$@
	@$(emulator) $(BUILD)-$@/tests/golden $(BUILD)-$@/golden.hashes >/dev/null && cmp $(hashes) $(BUILD)-$@/golden.hashes
	@echo "Tested on $@: all $$(grep -c . $(hashes)) models of the golden vectors have this machine's bits"

old: $(hashes) ## build with the compilers of Debian 11 and with CMake 3.13 in a root file system of it, and compare bits with this machine's
	@tools/need.sh debootstrap pip
	@tests/machines/old.sh . "$(abspath $(BUILD)-old)" "$(abspath $(BUILD)-zig)" "$(abspath $(hashes))"

zig: $(hashes) ## build for glibc 2.17, musl and macOS, run the golden vectors where it can and compare bits with this machine's
	@tools/need.sh pip aarch64 musl cli11 zlib libcsv
	@tests/machines/zig.sh . "$(abspath $(BUILD)-zig)" "$(abspath $(hashes))"

windows: $(hashes) ## build the library and the program for Windows by mingw-w64, test them by wine and compare bits with this machine's
	@tools/need.sh $(to_test) mingw wine
	@$(compile) $(BUILD) --parallel $(JOBS) --target sparselin_program
	@tests/machines/windows.sh . "$(abspath $(BUILD)-windows)" "$(abspath $(BUILD))"

machines: legacy m32 aarch64 s390x old zig windows dist-check ## all of these, and what `make dist` makes, which takes an hour

version = $(shell sed -n 's/^\#define SL_VERSION_[A-Z]* //p' include/sparselin.h | paste -sd.)

dist: dist-java dist-linux dist-deb ## make what people install, in build/dist: a jar for all platforms, the library for any Linux, Debian packages, the sources

dist-java:
	@tools/need.sh $(to_java) pip mingw
	@$(configure) $(BUILD) -DSL_LANGUAGES=java "-DSL_ZIG=$(abspath $(BUILD)-zig)"
	@$(compile) $(BUILD) --parallel $(JOBS) --target java
	@$(compile) $(BUILD) --target java_dist
	@mkdir -p $(BUILD)/dist
	@cp $(BUILD)/bindings/java/dist/*.jar $(BUILD)/dist
	@cp bindings/java/pom.xml $(BUILD)/dist/sparselin-$(version).pom

dist-linux:
	@tools/need.sh pip
	@mkdir -p $(BUILD)/dist
	@tools/binaries.sh $(version) "$(abspath $(BUILD)-zig)" $(BUILD)/dist

$(BUILD)/dist/sparselin-$(version).tar.gz: FORCE
	@tools/tarball.sh . $(version) $(BUILD)/dist

dist-deb: $(BUILD)/dist/sparselin-$(version).tar.gz
	@tools/need.sh $(to_build) debhelper lintian
	@tools/deb.sh $< "$(abspath $(BUILD)-dist)/deb" $(BUILD)/dist

dist-check: dist ## install and use each of them in an empty environment, and try the recipes for Conan and vcpkg
	@tools/need.sh $(sort $(to_test) $(to_python)) aarch64 musl musl-arm64 wine debootstrap
	@$(configure) $(BUILD) -DSL_TESTS=ON -DSL_WERROR=ON -DSL_LANGUAGES=java
	@$(compile) $(BUILD) --parallel $(JOBS) --target java_dist_check
	@tests/packages/deb.sh . "$(abspath $(BUILD)-dist)/bookworm" $(BUILD)/dist
	@tests/packages/binaries.sh . $(BUILD)/dist "$(abspath $(BUILD)-zig)" "$(abspath $(BUILD)-dist)/binaries"
	@tests/packages/tarball.sh . $(BUILD)/dist/sparselin-$(version).tar.gz "$(abspath $(BUILD)-dist)/tarball"
	@tests/packages/conan.sh . "$(abspath $(BUILD)-dist)/conan"
	@cmake -D "WORK=$(abspath $(BUILD)-dist)/vcpkg" -P tests/packages/vcpkg.cmake

legacy: all ## compile and run the examples in C89, C++98, COBOL and Fortran
	@tools/need.sh cobol fortran
	@tests/abi/legacy.sh . "$(abspath $(BUILD))" c89 c++98 cobol fortran

go: ## test the Go package
	@tools/need.sh $(to_test) go
	@$(configure) $(BUILD) -DSL_TESTS=ON -DSL_LANGUAGES=go
	@$(compile) $(BUILD) --parallel $(JOBS) --target golden_models_made
	@$(test) $(BUILD) --tests-regex '^go(_readme)?$$'

go-generate: ## renew what SWIG makes for the Go package
	@tools/need.sh swig go
	@bindings/go/generate.sh

r: ## build the tarball of the R package
	@tools/need.sh $(to_r)
	@$(configure) $(BUILD) -DSL_LANGUAGES=r
	@$(compile) $(BUILD) --target r
	@ls $(BUILD)/bindings/r/*.tar.gz

r-demo: r ## the same as demo, in R
	@$(compile) $(BUILD) --target r_demo

r-bench: r ## print what training from R costs beside C
	@tests/bench/r/run.sh $(BUILD)/bindings/r/sparselin_*.tar.gz

python: ## build the sdist of the Python package, and wheels for this machine and for every Linux of glibc 2.17 and newer
	@tools/need.sh $(to_python)
	@$(configure) $(BUILD) -DSL_LANGUAGES=python
	@$(compile) $(BUILD) --target python_manylinux
	@ls $(BUILD)/bindings/python/sparselin-*

python-bench: ## print what calls from Python cost beside those of C, and scikit-learn's estimators beside ours
	@tools/need.sh $(to_python)
	@$(configure) $(BUILD) -DSL_LANGUAGES=python
	@$(compile) $(BUILD) --parallel $(JOBS) --target python_bench

endurance: ## compare averages with the dense recursion over a hundred million steps
	@tools/need.sh $(to_test)
	@$(configure) $(BUILD) -DSL_TESTS=ON
	@$(compile) $(BUILD) --parallel $(JOBS) --target endurance
	@$(BUILD)/tests/endurance 1e8

papers: ## run the papers' experiments again: pictures and numbers in examples/papers
	@tools/need.sh $(to_r) r-papers
	@$(configure) $(BUILD) -DSL_LANGUAGES=r
	@$(compile) $(BUILD) --target r
	@examples/papers/run.sh $(BUILD)/bindings/r/sparselin_*.tar.gz

clean: ## remove what was built
	rm -rf $(BUILD) $(BUILD)-*

help: ## say this
	@sed -n 's/^\([a-z][a-z0-9-]*\)[a-z0-9 -]*:.*## \(.*\)/make \1	\2/p' Makefile | expand -t 20
