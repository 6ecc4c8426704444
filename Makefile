# `make` alone lists the targets. What they do stands in scripts that run by themselves as well.
SHELL := /bin/bash
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

node    := app/target/node
jar     := $(node)/kvorum-app.jar
native  := "-Djava.library.path=$(CURDIR)/$(node)/native"
sources := $(shell find {app,cli,placement}/{src/main,pom.xml} pom.xml docs/settings.md -type f)
operator := operator/target/operator/kvorum-operator.jar
verifier := loadtest/verifier/target/kvorum-verifier.jar
cli := cli/target/cli/kvorum-cli.jar
plugin := k8s/plugin/kubectl-kvorum

# The JDK is found, default or not; the first two options silence what Maven's own libraries do to a new JDK, the third the
# escape codes that it writes at its end, also into files.
maven = java=$$(app/bin/find-java) || exit 1; \
	command -v mvn >/dev/null || { echo "No Maven found: install one (apt, brew or sdkman install maven)." >&2; exit 1; }; \
	export JAVA_HOME="$${java%/bin/java}"; \
	export MAVEN_OPTS="--sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED -Djansi.noreset=true $$MAVEN_OPTS"; \
	mvn -B

# Formatting is checked once, before; ErrorProne and NullAway are for make check, or with STATIC_CHECKS=yes.
quick := -Dspotless.check.skip=true $(if $(STATIC_CHECKS),,-DskipStaticChecks)

# Compiles a module's tests and those of the modules that it needs; their class path goes to a file.
compile-tests = $(maven) -q -pl $(1) -am test-compile dependency:build-classpath $(quick) -Dmdep.includeScope=test \
	-Dmdep.outputFile=target/test.classpath
test-classes = target/test-classes:target/classes:$$(cat target/test.classpath)

.PHONY: help run start build demo dist check test proof simulate mutants crashes chaos fmt bench profile recovery image plugin e2e site report sweep dashboards clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' Makefile

run: build ## build if needed, and run three nodes on localhost:8080, 8081, 8082 until Ctrl-C; TLS=1: over HTTPS, and TLS between them
	@app/bin/run-cluster

start: ## start a node of make run again after it ended: NODE=1
	@app/bin/start-node "$(NODE)"

demo: build ## show on three nodes of its own that kill -9, of one and of all, loses nothing that was acknowledged
	@loadtest/demo

dist: build ## pack node and command into target/kvorum-<version>.tar.gz, with a checksum
	@app/bin/pack

build: $(node)/kvorum.aot $(cli) $(verifier) ## build the node, the command kv and the verifier, train the start-up cache; tests are not run

check: ## check formatting, scripts, dashboards, chart and code, and run the fast unit tests
	@.ci/check

test: ## run the unit tests, the black-box tests, recorded mutants and 100 simulated seeds
	@$(maven) -q spotless:check && mvn -B -T 2 verify $(quick)

proof: ## run what takes longer: PARTS="simulation crashes mutants chaos losses latency clients containers kubernetes"
	@.ci/proof $(PARTS)

simulate: ## simulate SEEDS=1000 seeds from FIRST on, of BIAS alone, for MINUTES at most; TRACE=1 logs every event
	@$(call compile-tests,proof) && cd proof && "$$java" -ea:dev.kvorum... -cp "$(test-classes)" \
		$(if $(SEEDS),-Dseeds=$(SEEDS)) $(if $(FIRST),-Dfirst=$(FIRST)) $(if $(MINUTES),-Dminutes=$(MINUTES)) \
		$(if $(BIAS),-Dbias=$(BIAS)) $(if $(TRACE),-Dtrace=true) dev.kvorum.simulation.Simulate

mutants: ## hunt each mutant, with STALE=1 those that are not caught any more; record the seeds for make test, or in RECORD=file
	@$(call compile-tests,proof) && cd proof && "$$java" -cp "$(test-classes)" $(if $(STALE),-Dstale=true) dev.kvorum.simulation.mutants.Hunts \
		$(abspath $(or $(RECORD),proof/src/test/resources/dev/kvorum/simulation/mutants/catching-seeds.properties))

crashes: ## open IMAGES=10000 images of disks after power losses and damage, from FIRST on; nothing acknowledged may be lost
	@$(call compile-tests,app) && cd app && \
	"$$java" --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow $(native) -cp "$(test-classes)" \
		$(if $(IMAGES),-Dimages=$(IMAGES)) $(if $(FIRST),-Dfirst=$(FIRST)) dev.kvorum.storage.rocks.CrashImages

fmt: ## format all sources
	@$(maven) -q spotless:apply

bench: build ## measure three nodes beside a bare HTTP server and write docs/benchmarks/<date>-<commit>.md
	@loadtest/bench

profile: build ## draw flame graphs and heat maps of a node under load into target/profile
	@loadtest/profile

recovery: build ## measure how long a killed node takes to be ready and to be repaired, with BYTES of data and RECORDS missed
	@loadtest/recovery

dashboards: build ## check dashboards and alerts, and evaluate all their expressions on real nodes
	@grafana/check && grafana/live

site: ## build the documentation as a site in target/site; needs mkdocs-material
	@docs/site.py

report: ## draw one page of RESULTS="file …" (RESULTS_NAME), beside those of AGAINST="file …" (AGAINST_NAME), into OUT; P99_MAX, PROMETHEUS, PROFILE
	@loadtest/report $(RESULTS) $(if $(RESULTS_NAME),--name "$(RESULTS_NAME)") $(if $(OUT),--out $(OUT)) $(if $(P99_MAX),--p99-max $(P99_MAX)) \
		$(if $(PROMETHEUS),--prometheus $(PROMETHEUS)) $(if $(PROFILE),--profile $(PROFILE)) \
		$(if $(AGAINST),--against $(if $(AGAINST_NAME),--name "$(AGAINST_NAME)") $(AGAINST))

sweep: ## load running nodes at one rate after the other, results in target/sweep; ARGS="--rates 1000,2000 --seconds 60 -- 100000"
	@loadtest/sweep $(ARGS)

chaos: build ## inject faults into real nodes for DURATION=5m (NODES=3 SEED=n RATE=200) and check the history of their clients
	@$(call compile-tests,proof) && cd proof && exec "$$java" --enable-native-access=ALL-UNNAMED $(native) \
		-Dchaos.duration=$(DURATION) -Dchaos.nodes=$(or $(NODES),3) -Dchaos.seed=$(SEED) \
		-Dchaos.rate=$(or $(RATE),200) -Dchaos.keys=$(or $(KEYS),300) -Dchaos.empty-disk=$(or $(EMPTY_DISK),true) \
		-cp "$(test-classes)" dev.kvorum.chaos.Chaos

image: $(jar) $(operator) $(verifier) ## build the images kvorum:<version> and kvorum-operator:<version>, and list their libraries in target/sbom
	@k8s/build-images
	@# Maven needs the classes of modules that others use.
	@$(maven) -q -pl app,operator -am process-classes $(quick) org.cyclonedx:cyclonedx-maven-plugin:makeBom
	@mkdir -p target/sbom && cp app/target/bom.json target/sbom/kvorum.cdx.json && cp operator/target/bom.json target/sbom/kvorum-operator.cdx.json

plugin: $(plugin) ## build the plugin of kubectl, k8s/plugin/kubectl-kvorum: one file that needs Java; put it into a directory of PATH

e2e: ## run the scenarios (or SCENARIOS="create scale-out") on the Kubernetes that KUBECONFIG points at
	@k8s/e2e $(SCENARIOS)

clean: ## remove what was built; .data stays
	@rm -rf target $(plugin) $(patsubst %,%/target,$(shell sed -n 's:.*<module>\(.*\)</module>.*:\1:p' pom.xml))

$(jar): $(sources)
	@echo "Building the node"
	@[[ -d $${HOME}/.m2/repository/org/rocksdb ]] || echo "Maven downloads libraries once, a few hundred megabytes: this takes some minutes."
	@# A new file: nodes that run keep the old one, which Maven would overwrite under them.
	@rm -f $@
	@$(maven) -q -pl app -am package -Dmaven.test.skip=true $(quick)
	@touch $@

$(operator): $(shell find {placement,operator-plan,operator}/{src/main,pom.xml} pom.xml -type f) $(wildcard loadtest/*.lua)
	@echo "Building the operator"
	@$(maven) -q -pl operator -am package -Dmaven.test.skip=true $(quick)
	@touch $@

$(cli): $(shell find cli/src/main pom.xml cli/pom.xml -type f)
	@echo "Building the command kv"
	@$(maven) -q -pl cli package -Dmaven.test.skip=true $(quick)
	@touch $@

$(plugin): $(shell find {k8s/plugin,cli,placement,operator-plan}/{src/main,pom.xml} k8s/plugin/launcher pom.xml -type f)
	@echo "Building the plugin of kubectl"
	@$(maven) -q -pl k8s/plugin -am package -Dmaven.test.skip=true $(quick)
	@cat k8s/plugin/launcher k8s/plugin/target/kubectl-kvorum.jar >$@.new && chmod +x $@.new && mv $@.new $@

$(verifier): $(shell find loadtest/verifier/src/main pom.xml loadtest/verifier/pom.xml -type f)
	@echo "Building the verifier"
	@$(maven) -q -pl loadtest/verifier package -Dmaven.test.skip=true $(quick)
	@touch $@

$(node)/kvorum.aot: $(jar)
	@echo "Training its start-up cache"
	@app/bin/train-node
