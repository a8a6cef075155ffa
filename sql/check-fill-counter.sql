-- stored_counter: one row that the program's comparison of two sweeps' counter
-- rows picked.  The other end is the port's now, else the one it had in the
-- baseline; was_up is NULL without a baseline.
INSERT INTO temp.stored_counter
SELECT :counter, :port, :name, :unit, :width, :value, :prev, :delta,
       :interval_ms / 1000.0, :reset, :saturated, :saturated_before,
       q.id, q.node, q.num, w.phys = 5 AND w.peer IS NOT NULL
FROM temp.stored_port p
LEFT JOIN main.port_rev w ON w.port = p.key AND w.snapshot = (
    SELECT max(snapshot) FROM main.port_rev
    WHERE port = p.key AND snapshot <= :baseline)
LEFT JOIN main.port_key q ON q.id = coalesce(p.peer, w.peer)
WHERE p.key = :port;
