# SPDX-License-Identifier: BSD-2-Clause
commands = \
	src/cmd/cmd_check.c \
	src/cmd/cmd_counters.c \
	src/cmd/cmd_db.c \
	src/cmd/cmd_diff.c \
	src/cmd/cmd_expect.c \
	src/cmd/cmd_help.c \
	src/cmd/cmd_history.c \
	src/cmd/cmd_list.c \
	src/cmd/cmd_prune.c \
	src/cmd/cmd_rules.c \
	src/cmd/cmd_run.c \
	src/cmd/cmd_show.c \
	src/cmd/cmd_sm.c \
	src/cmd/cmd_sweep.c

writers = \
	src/report/write_json.c \
	src/report/write_text.c

# Everything but the commands, so that unit tests can link it.
noinst_LIBRARIES += libibaudit.a
libibaudit_a_SOURCES = \
	$(writers) \
	src/util/alloc.c \
	src/util/alloc.h \
	src/util/bits.c \
	src/util/bits.h \
	src/util/clock.c \
	src/util/clock.h \
	src/util/err.c \
	src/util/err.h \
	src/util/file.c \
	src/util/file.h \
	src/util/guid.c \
	src/util/guid.h \
	src/util/lines.c \
	src/util/lines.h \
	src/util/lock.c \
	src/util/lock.h \
	src/util/map.c \
	src/util/map.h \
	src/util/scan.c \
	src/util/scan.h \
	src/util/strbuf.c \
	src/util/strbuf.h \
	src/util/text.c \
	src/util/text.h \
	src/model/attr.c \
	src/model/attr.h \
	src/model/carry.c \
	src/model/carry.h \
	src/model/counter.c \
	src/model/counter.h \
	src/model/duplicate.c \
	src/model/expect_file.c \
	src/model/expect_file.h \
	src/model/expect_plan.c \
	src/model/expectation.c \
	src/model/expectation.h \
	src/model/names.c \
	src/model/names.h \
	src/model/plan_file.c \
	src/model/plan_file.h \
	src/model/snapshot.c \
	src/model/snapshot.h \
	src/model/speed.c \
	src/model/speed.h \
	src/model/topology_file.c \
	src/model/topology_file.h \
	src/model/topology_line.c \
	src/model/topology_line.h \
	src/fabric/decode.c \
	src/fabric/decode.h \
	src/fabric/details.c \
	src/fabric/discover_engine.c \
	src/fabric/discover_ibnd.c \
	src/fabric/duplicates.c \
	src/fabric/engine.h \
	src/fabric/fabric.h \
	src/fabric/localport.c \
	src/fabric/localport.h \
	src/fabric/mad.c \
	src/fabric/mad.h \
	src/fabric/mad_flight.c \
	src/fabric/mad_guest.c \
	src/fabric/mad_queue.c \
	src/fabric/mad_wire.c \
	src/fabric/mkey.c \
	src/fabric/mkey.h \
	src/fabric/pma.c \
	src/fabric/sminfo.c \
	src/fabric/sweep.c \
	src/fabric/sweep.h \
	src/fabric/target.c \
	src/fabric/trial.c \
	src/fabric/walk.h \
	src/fabric/walk_port.c \
	src/fabric/watch.c \
	src/store/backup.c \
	src/store/errors.c \
	src/store/errors.h \
	src/store/errors_save.c \
	src/store/expect.c \
	src/store/fabric.c \
	src/store/find.c \
	src/store/findings.c \
	src/store/history.c \
	src/store/history.h \
	src/store/history_events.c \
	src/store/history_find.c \
	src/store/history_internal.h \
	src/store/history_node.c \
	src/store/history_port.c \
	src/store/history_readings.c \
	src/store/history_rule.c \
	src/store/history_sms.c \
	src/store/internal.h \
	src/store/load.c \
	src/store/merge.c \
	src/store/merge.h \
	src/store/merge_errors.c \
	src/store/merge_findings.c \
	src/store/merge_open.c \
	src/store/merge_plan.c \
	src/store/migrate.c \
	src/store/moves.c \
	src/store/open.c \
	src/store/pair.c \
	src/store/prune.c \
	src/store/save.c \
	src/store/saver.c \
	src/store/saver.h \
	src/store/sql.h \
	src/store/split.c \
	src/store/stmt.c \
	src/store/store.h \
	src/store/topology.c \
	src/store/vacuum.c \
	src/store/verify.c \
	src/check/check.c \
	src/check/check.h \
	src/check/counters.c \
	src/check/expect.h \
	src/check/expect_chain.c \
	src/check/expect_fill.c \
	src/check/expect_group.c \
	src/check/expect_links.c \
	src/check/expect_nodes.c \
	src/check/expect_now.c \
	src/check/finding.c \
	src/check/functions.c \
	src/check/guard.c \
	src/check/internal.h \
	src/check/names.c \
	src/check/rule.c \
	src/check/ruleset.c \
	src/check/since.c \
	src/check/views.c \
	src/diff/counters.c \
	src/diff/diff.c \
	src/diff/diff.h \
	src/diff/file.c \
	src/diff/hosts.c \
	src/diff/internal.h \
	src/diff/join.c \
	src/diff/links.c \
	src/diff/moves.c \
	src/diff/nodes.c \
	src/diff/ports.c \
	src/diff/replaced.c \
	src/diff/sms.c \
	src/diff/swaps.c \
	src/diff/text.c \
	src/report/changes.c \
	src/report/changes.h \
	src/report/doc.c \
	src/report/doc.h \
	src/report/findings.c \
	src/report/findings.h \
	src/report/history.c \
	src/report/history.h \
	src/report/report.c \
	src/report/report.h \
	src/report/rows.c \
	src/report/rows.h \
	src/report/rules.c \
	src/report/rules.h \
	src/report/summary.c \
	src/report/summary.h \
	src/report/spark.c \
	src/report/spark.h \
	src/report/table.c \
	src/report/table.h \
	src/report/wrap.c \
	src/report/wrap.h \
	src/report/writer.h

nodist_libibaudit_a_SOURCES = src/store/sql.c src/check/sql.c \
	src/report/writer_table.c

bin_PROGRAMS += ibaudit
ibaudit_SOURCES = \
	src/main.c \
	$(commands) \
	src/cmd/checking.c \
	src/cmd/checking.h \
	src/cmd/cmd.h \
	src/cmd/config.c \
	src/cmd/db_merge.c \
	src/cmd/db_merge.h \
	src/cmd/interrupt.c \
	src/cmd/interrupt.h \
	src/cmd/locking.c \
	src/cmd/locking.h \
	src/cmd/options.c \
	src/cmd/options.h \
	src/cmd/output.c \
	src/cmd/output.h \
	src/cmd/progress.c \
	src/cmd/progress.h \
	src/cmd/settings.c \
	src/cmd/settings.h \
	src/cmd/sweeping.c \
	src/cmd/sweeping.h \
	src/cmd/usage.c \
	src/cmd/usage.h

nodist_ibaudit_SOURCES = src/cmd/cmd_table.c

# Tables from lists of files.
src/cmd/cmd_table.c: src/table.sh src/local.mk
	$(AM_V_GEN)$(MKDIR_P) src/cmd && $(SHELL) $(srcdir)/src/table.sh \
		cmd cmd/cmd.h $(commands) >$@.tmp && mv $@.tmp $@
src/report/writer_table.c: src/table.sh src/local.mk
	$(AM_V_GEN)$(MKDIR_P) src/report && $(SHELL) $(srcdir)/src/table.sh \
		writer report/writer.h $(writers) >$@.tmp && mv $@.tmp $@

# SQL becomes strings.
src/store/sql.c: sql/embed.sh $(store_sql)
	$(AM_V_GEN)$(MKDIR_P) src/store && (cd $(srcdir) && \
		$(SHELL) sql/embed.sh store_sql $(store_sql)) >$@.tmp && \
		mv $@.tmp $@
src/check/sql.c: sql/embed.sh $(check_sql)
	$(AM_V_GEN)$(MKDIR_P) src/check && (cd $(srcdir) && \
		$(SHELL) sql/embed.sh check_sql $(check_sql)) >$@.tmp && \
		mv $@.tmp $@

generated = src/cmd/cmd_table.c src/report/writer_table.c src/store/sql.c \
	src/check/sql.c
BUILT_SOURCES += $(generated)
CLEANFILES += $(generated)
EXTRA_DIST += src/table.sh sql/embed.sh $(store_sql) $(check_sql)
