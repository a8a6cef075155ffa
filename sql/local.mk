# Migrations in the order of their numbers, then the persistent views.
store_sql = \
	sql/0001-initial.sql \
	sql/0002-duplicates.sql \
	sql/0003-counter-details.sql \
	sql/0004-history.sql \
	sql/views.sql

check_sql = \
	sql/check-end.sql \
	sql/check-expect-nodes.sql \
	sql/check-expect-ports.sql \
	sql/check-fill-counter.sql \
	sql/check-fill-failure.sql \
	sql/check-fill-info.sql \
	sql/check-fill-link.sql \
	sql/check-fill-node.sql \
	sql/check-fill-port.sql \
	sql/check-fill-sm.sql \
	sql/check-view-event.sql \
	sql/check-views-once.sql \
	sql/check-views.sql
