INSERT INTO temp.snapshot_info
SELECT s.id, f.name, s.started_ms, s.finished_ms, s.complete,
       s.with_counters, s.pma_asked, s.pma_answered, b.id,
       CASE WHEN s.started_ms > b.started_ms
            THEN (s.started_ms - b.started_ms) / 1000.0 END,
       s.fabric,
       n.guid, n.instance, p.num, x.kind
FROM main.snapshot s
JOIN main.fabric f ON f.id = s.fabric
LEFT JOIN main.expect_set x ON x.fabric = s.fabric
LEFT JOIN main.snapshot b ON b.id = :baseline
LEFT JOIN main.port_key p ON p.id = s.local_port
LEFT JOIN main.node_key n ON n.id = p.node
WHERE s.id = :snapshot;
