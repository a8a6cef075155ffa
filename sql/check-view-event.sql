-- One arm of the view event: the changes of error counter @ (error_rev tells
-- what its rows are) in the day before the snapshot.
SELECT e.port AS port_key, e.snapshot,
       (i.started_ms - s.started_ms) / 1000.0 AS age_s,
       (s.started_ms - (SELECT o.started_ms FROM main.snapshot o
                        WHERE o.fabric = s.fabric AND o.id < s.id AND
                              o.with_counters
                        ORDER BY o.id DESC LIMIT 1)) / 1000.0 AS interval_s,
       '@' AS counter, e.@ AS value, p.@ AS prev,
       e.reset IS '*' AS epoch,
       e.reset IS '*' OR e.@ < p.@ OR
           coalesce(instr(' ' || e.reset || ' ', ' @ '), 0) > 0 AS reset
FROM temp.snapshot_info i
CROSS JOIN main.snapshot s ON s.fabric = i.fabric_key AND s.id <= i.id AND
    s.started_ms > i.started_ms - 86400000
CROSS JOIN main.error_rev e ON e.snapshot = s.id
CROSS JOIN main.error_rev p ON p.port = e.port AND p.snapshot = (
    SELECT max(snapshot) FROM main.error_rev
    WHERE port = e.port AND snapshot < e.snapshot)
WHERE e.src = p.src AND (e.@ <> p.@ OR e.reset IS '*')
