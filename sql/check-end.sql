-- The name of a node and the LID of its port, or of its port 0 for a switch.
-- A node that is away has the name it had last, and no LID.
SELECT coalesce(m.name, nullif(n.name, '')),
       (SELECT CASE WHEN p.seen < 2 THEN p.lid END
        FROM main.port_key q JOIN main.port_rev p ON p.port = q.id
        WHERE q.node = k.id AND
              q.num = CASE WHEN n.type = 2 THEN 0 ELSE :port END AND
              p.snapshot <= :snapshot
        ORDER BY p.snapshot DESC LIMIT 1)
FROM main.node_key k
LEFT JOIN main.node_rev n ON n.node = k.id AND n.snapshot = (
    SELECT max(snapshot) FROM main.node_rev
    WHERE node = k.id AND snapshot <= :snapshot AND seen < 2)
LEFT JOIN temp.stored_name m ON m.guid = k.guid
WHERE k.fabric = (SELECT fabric FROM main.snapshot WHERE id = :snapshot) AND
      k.guid = :node_guid AND k.instance = :instance;
