-- @sm: few rows, so what they need is looked up one by one.
INSERT INTO temp.@sm
SELECT k.guid, ib_guid(k.guid), k.instance, q.num,
       coalesce(m.name, nullif(n.name, ''), ib_guid(k.guid)),
       p.lid, p.lmc, p.sm_lid, s.answered, coalesce(s.guid, p.guid),
       ib_guid(coalesce(s.guid, p.guid)), s.priority, ib_sm_state(s.state),
       s.act_count
FROM main.sm_row s
JOIN main.port_key q ON q.id = s.port
JOIN main.node_key k ON k.id = q.node
LEFT JOIN main.port_rev p ON p.port = s.port AND p.snapshot = (
    SELECT max(snapshot) FROM main.port_rev
    WHERE port = s.port AND snapshot <= :snapshot)
LEFT JOIN main.node_rev n ON n.node = k.id AND n.snapshot = (
    SELECT max(snapshot) FROM main.node_rev
    WHERE node = k.id AND snapshot <= :snapshot)
LEFT JOIN temp.stored_name m ON m.guid = k.guid
WHERE s.snapshot = :snapshot;
