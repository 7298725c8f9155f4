# The doors to this repository: `make help` lists them. Longer steps are scripts in packaging/.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

SWIFT_MINIMUM := 6.3

# Debian packages: what a build needs, and what tests use as counterparts: a web server, namespaces, certificates, fault
# injection, a second opinion on packets, resolvers and their load.
PACKAGES := libyaml-dev libcurl4-openssl-dev libmicrohttpd-dev libpcap-dev librdkafka-dev zlib1g-dev \
            libsqlite3-dev gcc g++ libc6-dev binutils pkg-config git ca-certificates
PACKAGES_TEST := curl mandoc libsnappy1v5 libzstd1 nginx iproute2 iptables bpftool conntrack openssl python3 python3-jsonschema python3-yaml python3-venv strace procps \
                 util-linux tshark influxdb unbound bind9 bind9-dnsutils dnsmasq-base pdns-recursor knot-resolver dnsperf
PACKAGES_BENCHMARK := valgrind strace python3
PACKAGES_PEERS := argus-server collectd-core dnstop libcurl3-gnutls libyajl2 netdata-core netdata-plugins-bash nfdump prometheus-node-exporter softflowd
PACKAGES_WEB := chromium python3
PACKAGES_WEB_PICTURES := chromium python3 iproute2 unbound dnsperf
PACKAGES_DEB := dpkg-dev python3 rpm cpio
PACKAGES_DEB_TEST := debootstrap systemd-container qemu-system-x86 e2fsprogs python3 gcc libc6-dev

# What is shipped.
PRODUCTS := sonde sonded sonde-supervisor sonde-web dnslog drops file http kafka pcap procnet scrape stdout

# How `make test` builds: each module at once, and by one job that writes its interface too, since the compiler reads all its files
# again for each part (a quarter of the work), and with as much debug information as names a line. Without what a debugger needs to
# show variables: each call of a large function sets all of its frame to zero for that, half of the time of some tests. In a folder
# of its own: `swift build` would build all anew after it.
BUILT_FOR_TESTS := --scratch-path .build-test -Xswiftc -wmo -Xswiftc -no-emit-module-separately-wmo -Xswiftc -num-threads -Xswiftc 2 \
                   -Xswiftc -gline-tables-only -Xcc -gline-tables-only -Xswiftc -Xfrontend -Xswiftc -disable-debugger-shadow-copies

SOURCES := $(wildcard Sources plugins sdk Tests Benchmarks) Package.swift

# No absolute path of the toolchain in what is shipped: Package.swift names the paths relative to the program.
# What keeps the daemon small; docs/decisions/0069 and 0073 have what each saves. A section for each function: those without
# a caller are dropped, those with the same code kept once. A plugin exports its entry alone. Symbols are bound while a
# program starts: bound at the first call, their tables would be read after the start too. And the compiler keeps an
# object whose code is the same, even one of a build without these flags: not here. Last, what makes the same bytes in
# whatever folder: the identifier of a build is a hash of debug information too, which names it all the same.
RELEASE := -c release --disable-local-rpath -Xswiftc -no-toolchain-stdlib-rpath \
           -Xswiftc -Xfrontend -Xswiftc -function-sections -Xlinker --icf=all \
           -Xlinker --version-script=$(CURDIR)/packaging/plugin.map -Xlinker -z -Xlinker now \
           -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen \
           -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. -Xcc -ffile-prefix-map=$(CURDIR)=. -Xlinker --build-id=none

# Where the central servers are that tests send to; outside of the checkout, since they are large.
export SONDE_SERVERS ?= $(HOME)/.cache/sonde/servers
# And the Python environment with the official definitions of OTLP and remote write.
export SONDE_PYTHON ?= $(HOME)/.cache/sonde/python

# How the agent is put together, for Package.swift: static, which is shipped, or shared (docs/decisions/0101).
export SONDE_FLAVOUR ?= static

SEEDS ?= 10000
SECONDS_PER_TARGET ?= 120
MINUTES ?= 60
SUITE ?= bookworm

.PHONY: help deps deps-full servers swift-version build run test built-for-tests counterparts run-tests tracefs drop-reasons end-to-end coverage simulate fuzz faults mutations faults-live faults-whole centre scraping remote floods outages web screenshots benchmark instructions guard check lint format golden deb test-deb packages test-packages test-portable test-dist clean

help: ## Show this list.
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 21

deps: swift-version ## Install the Debian packages that a build needs (asks for root only when some are missing).
	@packaging/install-packages.sh $(PACKAGES)

deps-full: swift-version ## Install those and the servers and tools that tests talk to.
	@packaging/install-packages.sh $(PACKAGES) $(PACKAGES_TEST)

swift-version:
	@packaging/check-swift.sh $(SWIFT_MINIMUM)

build: deps ## Build the release and stage it in dist/, ready to be copied anywhere.
	for product in $(PRODUCTS); do swift build $(RELEASE) --product $$product; done
	packaging/stage.sh "$$(swift build $(RELEASE) --show-bin-path)" dist

run: build ## Build, then run the agent in this terminal; ARGS="-c my.yaml" passes arguments on.
	@exec dist/bin/sonde run $(ARGS)

servers: ## Fetch what tests send to: Prometheus and VictoriaMetrics of a newer Debian, definitions of OTLP and remote write for Python (400 MB).
	@Tests/Servers/get.sh $(SONDE_SERVERS)
	@Tests/Servers/get-python.sh $(SONDE_PYTHON)

# As root, what only tests need comes while the compiler runs; everyone else is told at once of all that is missing.
test: $(if $(filter 0,$(shell id -u)),deps,deps-full) ## Build and run all tests.
	@$(MAKE) --no-print-directory --jobs=2 built-for-tests counterparts
	@$(MAKE) --no-print-directory run-tests BUNDLE="$$(swift build $(BUILT_FOR_TESTS) --show-bin-path)/sondePackageTests.xctest"

built-for-tests:
	swift build --build-tests $(BUILT_FOR_TESTS)

# What tests talk to.
counterparts: deps-full
	@Tests/Servers/get.sh $(SONDE_SERVERS) || echo 'Tests that need a central server are skipped.' >&2
	@Tests/Servers/get-python.sh $(SONDE_PYTHON) || echo 'Tests that need the definitions of OTLP or remote write are skipped.' >&2

# By the program that holds them: `swift test` plans a build each time, and runs once at a time. What fails is all that is shown: among
# 40,000 lines of what passes nobody would find it.
TESTS = $(BUNDLE) --testing-library swift-testing --quiet
NAMED = 2>&1 | sed -e '/◇.* Test run started/d' -e '/↳.* Testing Library Version/d' -e '/↳.* Target Platform/d' -e 's/Test run with/$(subst unit-,,$@):/'
SIDE_BY_SIDE = $(MAKE) --no-print-directory --jobs=3 --output-sync --keep-going

# Targets of unit tests that send nothing.
WITHOUT_NETWORK := ArchitectureTests SimulationTests SondeDomainTests SondeEngineTests SondeFormatsTests SondePresentationTests SondeWireTests

run-tests: tracefs
	@$(SIDE_BY_SIDE) drop-reasons $(WITHOUT_NETWORK:%=unit-%)
	@$(SIDE_BY_SIDE) $$($(TESTS) --list-tests | cut -d . -f 1 | sort | uniq -c | sort -rn | awk '{ print "unit-" $$2 }' \
	    | grep -vxF "$$(printf 'unit-%s\n' EndToEndTests $(WITHOUT_NETWORK))")
	@$(MAKE) --no-print-directory end-to-end

# Where systemd has not mounted it, as in a container. Without it, tests that the kernel's events are counted would be skipped.
tracefs:
	@[[ $$(id -u) != 0 || -e /sys/kernel/tracing/events ]] || mount -t tracefs nodev /sys/kernel/tracing \
	    || echo 'Tests that need tracefs are skipped.' >&2

# By themselves: they look at clocks and full pipes of real processes, and tests that compute would keep them waiting.
end-to-end:
	@$(TESTS) --filter '^EndToEndTests\.' --skip DropReasonTests $(NAMED)

# The kernel's events are those of the whole host: what other tests send would be counted.
drop-reasons:
	@$(TESTS) --filter '^EndToEndTests\.DropReasonTests' $(NAMED)

# The tests of a target, in a process of their own: one that waits for a socket or a program keeps one of the few threads that all
# tests of a process share.
unit-%:
	@$(TESTS) --filter '^$*\.' $(NAMED)

coverage: deps-full ## Show the line coverage of every target; fails where a line of the inner three has no test and no reason.
	Tests/coverage.sh

simulate: ## Simulate delivery under faults; SEEDS=100000 seeds, or the one of SIMULATION_SEED=n with all its events.
	swift build -c release --product sonde-simulate
	@SIMULATION_SEEDS=$(SEEDS) "$$(swift build -c release --show-bin-path)/sonde-simulate"

fuzz: swift-version ## Fuzz the decoders, SECONDS_PER_TARGET=120 seconds each; what is found joins Tests/Fuzz/Corpus.
	Tests/Fuzz/run.sh $(SECONDS_PER_TARGET)

faults: deps-full ## Real faults against a real agent: kill -9, full disks, dead receivers, jumping clocks (twenty minutes, root).
	@Tests/Servers/get.sh $(SONDE_SERVERS) || echo 'Cases that need a central server are skipped.' >&2
	for product in $(PRODUCTS); do swift build --product $$product; done
	python3 -B Tests/Faults/run.py

mutations: deps-full ## Make a mistake in each of the rules of Tests/Mutations/rules.py; each has to be noticed by its tests.
	python3 -B Tests/Mutations/run.py

faults-live: deps-full ## Live capture for MINUTES=60 under every fault of an interface, with garbage in the traffic (root).
	for product in $(PRODUCTS); do swift build --product $$product; done
	python3 -B Tests/Faults/live/run.py --minutes $(MINUTES)

faults-whole: deps-full ## Sources, programs, confined and isolated plugins, real servers and sonde web at once for MINUTES=60, a fault a minute (root).
	@Tests/Servers/get.sh $(SONDE_SERVERS)
	for product in $(PRODUCTS); do swift build --product $$product; done
	python3 -B Tests/Faults/whole/run.py --minutes $(MINUTES)

centre: deps-full ## A throw-away centre with 20 hosts in namespaces: some fail, and their alerts fire (seven minutes, root); SONDE=PATH takes another agent.
	@Tests/Servers/get.sh $(SONDE_SERVERS)
	@[[ $${SONDE:-} ]] || $(MAKE) build
	python3 -B Tests/Centre/run.py

floods: ## Floods an agent with limits (packets, sockets, lines, names, interfaces; seven minutes, root); SONDE=PATH takes another agent.
	@[[ $${SONDE:-} ]] || $(MAKE) build
	python3 -B Tests/Floods/run.py

scraping: deps-full ## Prometheus scrapes an agent for ten minutes over restarts of both (root); SONDE=PATH takes another agent.
	@Tests/Servers/get.sh $(SONDE_SERVERS)
	@[[ $${SONDE:-} ]] || $(MAKE) build
	python3 -B Tests/Centre/scraping.py

remote: deps-full ## A remote configuration for 30 agents: how long it takes to reach them, and a bad one to be taken back (five minutes); SONDED=PATH takes another agent.
	@[[ $${SONDED:-} ]] || { swift build --product sonded; swift build --product sonde-supervisor; }
	python3 -B Tests/Centre/remote.py

outages: deps-full ## 30 hosts in namespaces send to one VictoriaMetrics while random faults befall them and it for MINUTES=60: every host's series are complete afterwards (root); SONDE=PATH takes another agent.
	@Tests/Servers/get.sh $(SONDE_SERVERS)
	@[[ $${SONDE:-} ]] || $(MAKE) build
	MINUTES=$(MINUTES) python3 -B Tests/Centre/outages.py

web: deps ## The page of sonde web in a real Chromium, with a real agent behind it (four minutes); BINARIES=FOLDER takes other programs.
	@packaging/install-packages.sh $(PACKAGES_WEB) || echo 'The page is not tested without Chromium.' >&2
	@[[ $${BINARIES:-} ]] || for product in $(PRODUCTS); do swift build --product $$product; done
	@python3 -B Tests/Web/run.py || [[ $$? == 77 ]]

screenshots: deps ## Take the pictures in docs/images anew, of a page with real traffic (twenty minutes, root); BINARIES=FOLDER takes other programs.
	@packaging/install-packages.sh $(PACKAGES_WEB_PICTURES)
	@[[ $${BINARIES:-} ]] || for product in $(PRODUCTS); do swift build --product $$product; done
	@python3 -B Tests/Web/screenshots.py

benchmark: build ## Measure everything beside its yardsticks and peers in one table (a quarter of an hour, root).
	@packaging/install-packages.sh $(PACKAGES_BENCHMARK) $(PACKAGES_PEERS)
	python3 -B Benchmarks/table.py --agents dist

instructions: deps ## Count instructions under callgrind; fails where one is 5 % above Benchmarks/baseline.json.
	@packaging/install-packages.sh $(PACKAGES_BENCHMARK)
	python3 -B Benchmarks/instructions.py

guard: build ## Measure what agents hold in memory and do in a collection; fails where a figure is 10 % above Benchmarks/guard.json.
	@packaging/install-packages.sh $(PACKAGES_BENCHMARK)
	@python3 -B Benchmarks/guard.py dist

check: lint test instructions guard ## What a change has to pass: lint, tests, and no more instructions or memory than before.

lint: swift-version ## Check the format of every Swift file.
	swift format lint --strict --parallel -r $(SOURCES)

format: swift-version ## Format every Swift file.
	swift format --in-place --parallel -r $(SOURCES)

golden: deps-full ## Rewrite the golden files from what the code does now; review the difference before committing.
	SONDE_UPDATE_GOLDEN=1 swift test --filter Golden

deb: build ## Build the Debian packages sonde, sonde-web, sonde-dev and sonde-swift-runtime from dist/, in packages/.
	@packaging/install-packages.sh $(PACKAGES_DEB)
	@rm -rf packages/*.deb && mkdir -p packages
	packaging/build-deb.sh dist packages

test-deb: deb ## Install, run and purge the packages in a fresh Debian 12, or that of SUITE=trixie (root only, some minutes).
	@packaging/install-packages.sh $(PACKAGES_DEB_TEST)
	packaging/test-deb.sh packages $(SUITE)

packages: deb ## Build all packages from dist/, in packages/: Debian's, those of rpm, a tarball, their bill of materials.
	@rm -f packages/*.rpm packages/*.tar.gz packages/*.spdx.json
	packaging/build-rpm.sh dist packages
	packaging/build-tarball.sh dist packages

test-packages: packages ## Prove all packages: by Debian's and rpm's tools, as a container, by published schemas, and that they come out the same again (root).
	@packaging/install-packages.sh $(PACKAGES_DEB_TEST)
	packaging/test-deb.sh packages bookworm
	packaging/test-deb.sh packages trixie
	packaging/test-operate.sh packages
	packaging/test-rpm.sh packages
	packaging/test-tarball.sh packages
	packaging/test-container.sh packages
	packaging/test-manifests.sh packages
	packaging/test-reproducible.sh dist

test-portable: deps-full ## Build the code that is made for no kind of processor, and run the tests of what has such code.
	for product in sonded sonde sonde-supervisor sondePackageTests; do SONDE_MACHINE_CODE=portable swift build --product $$product --scratch-path .build-portable; done
	SONDE_MACHINE_CODE=portable swift test --skip-build --scratch-path .build-portable --filter 'DNSLogPluginTests|BuiltInPlugin|UsageTests'

test-dist: build ## Run a copy of dist/ elsewhere, without environment and without the toolchain.
	packaging/test-dist.sh dist

clean: ## Remove everything that was built.
	rm -rf .build .build-portable dist packages
