-- What an expectation is laid over: the nodes of the snapshot, and those that
-- were known before and are gone, as they were last.
SELECT n.key, n.guid, n.instance, n.name, n.seen, n.last_read, n.type,
       n.nports, n.device_id,
       (SELECT name FROM main.node_rev
        WHERE node = n.key AND snapshot <= :snapshot
        ORDER BY snapshot DESC LIMIT 1)
FROM temp.stored_node n
UNION ALL
SELECT k.id, k.guid, k.instance,
       coalesce(m.name, nullif(r.name, ''), ib_guid(k.guid)), 2, NULL, r.type,
       r.nports, r.device_id, r.name
FROM main.node_rev g
JOIN main.node_key k ON k.id = g.node
JOIN main.node_rev r ON r.node = g.node AND r.snapshot = (
    SELECT max(snapshot) FROM main.node_rev
    WHERE node = g.node AND snapshot < g.snapshot AND seen < 2)
LEFT JOIN temp.stored_name m ON m.guid = k.guid
WHERE g.seen = 2 AND
      k.fabric = (SELECT fabric FROM main.snapshot WHERE id = :snapshot) AND
      g.snapshot = (SELECT max(snapshot) FROM main.node_rev
                    WHERE node = g.node AND snapshot <= :snapshot);
