dist_man_MANS += man/ibaudit.1 man/ibaudit.conf.5
man_MANS = man/ibaudit-rules.7

# The shipped rules stand in the manual as their files tell them.
man/ibaudit-rules.7: man/rules.awk man/ibaudit-rules.7.in $(dist_rules_DATA)
	$(AM_V_GEN)$(MKDIR_P) man && (cd $(srcdir) && $(AWK) -f man/rules.awk \
		man/ibaudit-rules.7.in $(dist_rules_DATA)) >$@.tmp && \
		mv $@.tmp $@
CLEANFILES += man/ibaudit-rules.7
EXTRA_DIST += man/rules.awk man/ibaudit-rules.7.in
