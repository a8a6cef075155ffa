TEST_EXTENSIONS = .t
LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) \
	$(top_srcdir)/build-aux/tap-driver.sh
T_LOG_DRIVER = $(LOG_DRIVER)
IBAUDIT = $(abs_builddir)/ibaudit
AM_TESTS_ENVIRONMENT = \
	IBAUDIT='$(IBAUDIT)'; export IBAUDIT; \
	IBLAYER='$(abs_builddir)/tests/layer/iblayer.so'; export IBLAYER; \
	IBAUDIT_RULES_DIR='$(abs_top_srcdir)/rules'; export IBAUDIT_RULES_DIR; \
	top_srcdir='$(abs_top_srcdir)'; export top_srcdir; \
	builddir='$(abs_builddir)'; export builddir;

# Unit tests: a C program each, linked with everything but the commands.
unit_tests = \
	tests/unit/carry \
	tests/unit/check \
	tests/unit/counter \
	tests/unit/db_merge \
	tests/unit/db_refuse \
	tests/unit/decode \
	tests/unit/diff \
	tests/unit/diff_links \
	tests/unit/diff_ports \
	tests/unit/diff_random \
	tests/unit/duplicate \
	tests/unit/episodes \
	tests/unit/expect \
	tests/unit/history \
	tests/unit/mad \
	tests/unit/migrate \
	tests/unit/mkey \
	tests/unit/plan \
	tests/unit/powercut \
	tests/unit/prune \
	tests/unit/spark \
	tests/unit/store \
	tests/unit/store_file \
	tests/unit/topology \
	tests/unit/twodev \
	tests/unit/util \
	tests/unit/windows \
	tests/unit/year
check_PROGRAMS += $(unit_tests)
tests_unit_check_SOURCES = tests/unit/check.c tests/unit/fixture.c
tests_unit_powercut_SOURCES = tests/unit/powercut.c tests/unit/powervfs.c
tests_unit_windows_SOURCES = tests/unit/windows.c tests/unit/fixture.c
EXTRA_DIST += tests/unit/db.h tests/unit/diff.h tests/unit/dump.h \
	tests/unit/fixture.h tests/unit/host.h tests/unit/merge.h \
	tests/unit/model.h tests/unit/pair.h tests/unit/powervfs.h tests/unit/random.h \
	tests/unit/same.h tests/unit/tap.h \
	tests/db/schema-1.sql tests/db/schema-2.sql tests/db/schema-3.sql

# libibumad is made up here, and tells pairs of devices even where the one of the
# system does not know them.
tests_unit_twodev_SOURCES = tests/unit/twodev.c tests/unit/host.c \
	tests/fuzz/fake.c src/fabric/localport.c
tests_unit_twodev_CPPFLAGS = $(AM_CPPFLAGS) \
	-include $(srcdir)/tests/unit/pair.h

# The layer in front of libibumad is preloaded into other programs too, so it
# is built without sanitizers.
layer_sources = \
	tests/layer/apply.c \
	tests/layer/field.c \
	tests/layer/host.c \
	tests/layer/kill.c \
	tests/layer/known.c \
	tests/layer/mad.c \
	tests/layer/report.c \
	tests/layer/request.c \
	tests/layer/scenario.c \
	tests/layer/util.c
layer_headers = tests/layer/layer.h tests/layer/real.h
tests/layer/iblayer.so: $(layer_sources) $(layer_headers)
	$(AM_V_CCLD)$(MKDIR_P) tests/layer && $(CC) -shared -fPIC -O2 -g \
		-std=gnu11 -D_GNU_SOURCE $(WARN_CFLAGS) -fvisibility=hidden \
		-I$(srcdir)/tests/layer $(UMAD_CFLAGS) $(IBMAD_CFLAGS) \
		$(layer_sources:%=$(srcdir)/%) -o $@ $(IBMAD_LIBS) -ldl
layer: tests/layer/iblayer.so
.PHONY: layer
check_DATA += tests/layer/iblayer.so
CLEANFILES += tests/layer/iblayer.so
EXTRA_DIST += $(layer_sources) $(layer_headers)

# The fuzz targets: the fabric's side of the library and the readers of files,
# compiled anew with coverage for the fuzzer, whatever CC is.  The sweep's clock
# is made up.
fuzz_sources = \
	tests/fuzz/decode.c \
	tests/fuzz/fake.c \
	tests/fuzz/plan.c \
	tests/fuzz/play.c \
	tests/fuzz/sweep.c \
	tests/fuzz/topology.c \
	tests/fuzz/umad.c
fuzz_headers = tests/fuzz/fake.h tests/fuzz/fuzz.h tests/fuzz/kernel.h \
	tests/fuzz/umad.h
fuzz_needs = $(fuzz_sources) $(fuzz_headers) $(libibaudit_a_SOURCES)
fuzz_link = $(AM_V_CCLD)$(MKDIR_P) tests/fuzz && $(FUZZ_CC) -std=gnu11 -O1 -g \
	-D_GNU_SOURCE -I$(srcdir)/src $(WARN_CFLAGS) $(UMAD_CFLAGS) \
	$(IBMAD_CFLAGS) $(IBNETDISC_CFLAGS) $(OSM_CFLAGS) \
	-fsanitize=fuzzer,address,undefined \
	-fno-sanitize-recover=undefined -fno-omit-frame-pointer \
	`for s in $(libibaudit_a_SOURCES); do case $$s in \
		src/util/*.c | src/model/*.c | src/fabric/*.c) \
			echo $(srcdir)/$$s;; esac; done`
fuzz_libs = $(UMAD_LIBS) $(IBNETDISC_LIBS) $(IBMAD_LIBS) $(OSM_LIBS) -lm
fuzz_plain = tests/fuzz/decode tests/fuzz/plan tests/fuzz/topology
$(fuzz_plain): $(fuzz_needs)
	$(fuzz_link) $(srcdir)/$@.c -o $@ $(fuzz_libs)
tests/fuzz/sweep: $(fuzz_needs)
	$(fuzz_link) -fno-sanitize-coverage=trace-cmp \
		-Wl,--wrap=clock_mono_us,--wrap=usleep \
		$(srcdir)/tests/fuzz/fake.c $(srcdir)/tests/fuzz/play.c \
		$(srcdir)/tests/fuzz/sweep.c $(srcdir)/tests/fuzz/umad.c \
		-o $@ $(fuzz_libs)
fuzz_targets = $(fuzz_plain) tests/fuzz/sweep
CLEANFILES += $(fuzz_targets)
EXTRA_DIST += $(fuzz_sources) $(fuzz_headers)
dist_check_SCRIPTS += tests/fuzz/seeds
if HAVE_FUZZER
fuzz: $(fuzz_targets)
check_DATA += $(fuzz_targets)
else
fuzz:
	@echo "make fuzz needs clang with libFuzzer: install clang and" \
		"libclang-rt-dev (Debian) or compiler-rt (RHEL)" >&2; exit 1
endif
.PHONY: fuzz

# What contrib/bench runs beside the program.
check_PROGRAMS += tests/bench-loop tests/bench-store tests/bench-sweep
bench-programs: ibaudit tests/bench-loop tests/bench-store tests/bench-sweep tests/layer/iblayer.so
bench: bench-programs
	IBAUDIT_BENCH_BUILD='$(abs_builddir)' $(srcdir)/contrib/bench $(BENCH)
.PHONY: bench bench-programs

cli_tests = \
	tests/agreement.t \
	tests/bad-input.t \
	tests/bench.t \
	tests/cases.t \
	tests/counters.t \
	tests/crash.t \
	tests/db.t \
	tests/denied.t \
	tests/deps.t \
	tests/details.t \
	tests/diff-peers.t \
	tests/diff.t \
	tests/duplicate.t \
	tests/expect.t \
	tests/failures.t \
	tests/first-run.t \
	tests/fuzz.t \
	tests/guest.t \
	tests/history.t \
	tests/hostile.t \
	tests/layering.t \
	tests/manual.t \
	tests/mkey.t \
	tests/ndr.t \
	tests/nosm.t \
	tests/prune.t \
	tests/schema.t \
	tests/since.t \
	tests/sm.t \
	tests/source.t \
	tests/sweep.t \
	tests/topology.t
TESTS += $(unit_tests) $(cli_tests)
dist_check_SCRIPTS += $(cli_tests) tests/fabric-gen tests/validate
EXTRA_DIST += \
	tests/diff/arguments.sh \
	tests/diff/counter-reset.sh \
	tests/diff/counter-rose.sh \
	tests/diff/counter-saturated.sh \
	tests/diff/link-gone.sh \
	tests/diff/link-moved.sh \
	tests/diff/link-mtu.sh \
	tests/diff/link-new.sh \
	tests/diff/link-rate.sh \
	tests/diff/link-state.sh \
	tests/diff/link-swapped.sh \
	tests/diff/link-unread.sh \
	tests/diff/node-changed.sh \
	tests/diff/node-gone.sh \
	tests/diff/node-moved.sh \
	tests/diff/node-new.sh \
	tests/diff/node-renamed.sh \
	tests/diff/node-replaced.sh \
	tests/diff/node-unread.sh \
	tests/diff/port-enabled.sh \
	tests/diff/port-lid.sh \
	tests/diff/port-sm-lid.sh \
	tests/diff/port-state.sh \
	tests/diff/port-unread.sh \
	tests/diff/sm-gone.sh \
	tests/diff/sm-master.sh \
	tests/diff/sm-new.sh \
	tests/diff/sm-priority.sh \
	tests/diff/sm-restarted.sh \
	tests/diff/sm-state.sh \
	tests/diff/sm-unanswered.sh \
	tests/diff/unchanged.sh
EXTRA_DIST += tests/lib.sh tests/bench-client.c tests/asan.supp tests/lsan.supp \
	$(schemas) $(fixtures)
schemas = \
	tests/schema/check.json \
	tests/schema/common.json \
	tests/schema/counters.json \
	tests/schema/db-backup.json \
	tests/schema/db-check.json \
	tests/schema/db-merge.json \
	tests/schema/db-vacuum.json \
	tests/schema/diff.json \
	tests/schema/expect-set.json \
	tests/schema/expect-show.json \
	tests/schema/prune.json \
	tests/schema/history-node.json \
	tests/schema/history-port.json \
	tests/schema/history-readings.json \
	tests/schema/history-rule.json \
	tests/schema/history-sm.json \
	tests/schema/list.json \
	tests/schema/rules-list.json \
	tests/schema/rules-show.json \
	tests/schema/rules-test.json \
	tests/schema/run.json \
	tests/schema/show-counters.json \
	tests/schema/show-failures.json \
	tests/schema/show-links.json \
	tests/schema/show-nodes.json \
	tests/schema/show-ports.json \
	tests/schema/show-sms.json \
	tests/schema/show.json \
	tests/schema/sm.json \
	tests/schema/sweep.json
fixtures = \
	tests/rules/all.fabric \
	tests/rules/counter-excessive-buffer-overrun-errors.fabric \
	tests/rules/counter-link-downed.fabric \
	tests/rules/counter-link-error-recovery.fabric \
	tests/rules/counter-local-link-integrity-errors.fabric \
	tests/rules/counter-qp1-dropped.fabric \
	tests/rules/counter-rcv-constraint-errors.fabric \
	tests/rules/counter-rcv-errors.fabric \
	tests/rules/counter-rcv-remote-physical-errors.fabric \
	tests/rules/counter-rcv-switch-relay-errors.fabric \
	tests/rules/counter-reset.fabric \
	tests/rules/counter-saturated.fabric \
	tests/rules/counter-symbol-error.fabric \
	tests/rules/counter-vl15-dropped.fabric \
	tests/rules/counter-xmit-constraint-errors.fabric \
	tests/rules/counter-xmit-discards.fabric \
	tests/rules/dup-node-guid.fabric \
	tests/rules/dup-port-guid.fabric \
	tests/rules/link-below-expected.fabric \
	tests/rules/link-miscabled.fabric \
	tests/rules/link-missing.fabric \
	tests/rules/link-flapping.fabric \
	tests/rules/link-no-neighbor.fabric \
	tests/rules/link-not-active.fabric \
	tests/rules/link-slower-than-peers.fabric \
	tests/rules/link-speed-limited.fabric \
	tests/rules/link-speed.fabric \
	tests/rules/link-unexpected.fabric \
	tests/rules/link-width.fabric \
	tests/rules/node-missing.fabric \
	tests/rules/node-unexpected.fabric \
	tests/rules/sm-no-master.fabric \
	tests/rules/sm-no-standby.fabric \
	tests/rules/sm-not-highest.fabric \
	tests/rules/sm-silent.fabric \
	tests/rules/sm-smlid-mismatch.fabric \
	tests/rules/sm-split-brain.fabric \
	tests/rules/sweep-incomplete.fabric
