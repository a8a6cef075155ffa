rulesdir = $(pkgdatadir)/rules
dist_rules_DATA = \
	rules/counter-excessive-buffer-overrun-errors.sql \
	rules/counter-link-downed.sql \
	rules/counter-link-error-recovery.sql \
	rules/counter-local-link-integrity-errors.sql \
	rules/counter-qp1-dropped.sql \
	rules/counter-rcv-constraint-errors.sql \
	rules/counter-rcv-errors.sql \
	rules/counter-rcv-remote-physical-errors.sql \
	rules/counter-rcv-switch-relay-errors.sql \
	rules/counter-reset.sql \
	rules/counter-saturated.sql \
	rules/counter-symbol-error.sql \
	rules/counter-vl15-dropped.sql \
	rules/counter-xmit-constraint-errors.sql \
	rules/counter-xmit-discards.sql \
	rules/dup-node-guid.sql \
	rules/dup-port-guid.sql \
	rules/link-flapping.sql \
	rules/link-no-neighbor.sql \
	rules/link-not-active.sql \
	rules/link-slower-than-peers.sql \
	rules/link-speed-limited.sql \
	rules/link-speed.sql \
	rules/link-width.sql \
	rules/sm-no-master.sql \
	rules/sm-no-standby.sql \
	rules/sm-not-highest.sql \
	rules/sm-silent.sql \
	rules/sm-smlid-mismatch.sql \
	rules/sm-split-brain.sql \
	rules/sweep-incomplete.sql
