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
	tests/unit/decode \
	tests/unit/duplicate \
	tests/unit/mkey \
	tests/unit/store \
	tests/unit/store_file \
	tests/unit/util
check_PROGRAMS += $(unit_tests)
tests_unit_check_SOURCES = tests/unit/check.c tests/unit/fixture.c
EXTRA_DIST += tests/unit/db.h tests/unit/fixture.h tests/unit/model.h \
	tests/unit/same.h tests/unit/tap.h

# The layer in front of libibumad is preloaded into other programs too, so it
# is built without sanitizers.
layer_sources = \
	tests/layer/apply.c \
	tests/layer/field.c \
	tests/layer/host.c \
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

cli_tests = \
	tests/bad-input.t \
	tests/bench.t \
	tests/cases.t \
	tests/counters.t \
	tests/deps.t \
	tests/details.t \
	tests/failures.t \
	tests/layering.t \
	tests/manual.t \
	tests/mkey.t \
	tests/ndr.t \
	tests/nosm.t \
	tests/schema.t \
	tests/sm.t \
	tests/sweep.t
TESTS += $(unit_tests) $(cli_tests)
dist_check_SCRIPTS += $(cli_tests) tests/fabric-gen tests/validate
EXTRA_DIST += tests/lib.sh tests/bench-client.c tests/asan.supp tests/lsan.supp \
	$(schemas) $(fixtures)
schemas = \
	tests/schema/check.json \
	tests/schema/common.json \
	tests/schema/counters.json \
	tests/schema/db-check.json \
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
	tests/rules/link-no-neighbor.fabric \
	tests/rules/link-not-active.fabric \
	tests/rules/link-slower-than-peers.fabric \
	tests/rules/link-speed-limited.fabric \
	tests/rules/link-speed.fabric \
	tests/rules/link-width.fabric \
	tests/rules/sm-no-master.fabric \
	tests/rules/sm-no-standby.fabric \
	tests/rules/sm-not-highest.fabric \
	tests/rules/sm-silent.fabric \
	tests/rules/sm-smlid-mismatch.fabric \
	tests/rules/sm-split-brain.fabric \
	tests/rules/sweep-incomplete.fabric
