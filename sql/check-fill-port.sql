-- @stored_port: the newest change of each port up to the snapshot, where its
-- node stands.  The values of a port that was not read are not taken along.
-- CROSS JOIN keeps to the order of the keys, which is that of the table.
INSERT INTO temp.@stored_port
SELECT r.port, max(r.snapshot), k.node, k.num, r.seen, r.present, r.peer,
       r.link_seen, r.lid, r.sm_lid, r.state, r.phys, r.speed,
       r.speed_supported, r.speed_enabled, r.width, r.width_supported,
       r.width_enabled
FROM main.port_rev r
CROSS JOIN main.port_key k ON k.id = r.port
CROSS JOIN temp.@stored_node n ON n.key = k.node
WHERE r.snapshot <= :snapshot
GROUP BY r.port     -- of each group SQLite gives the row that has the max()
HAVING r.seen < 2;

UPDATE temp.@stored_port SET
    lid = NULL, sm_lid = NULL, state = NULL, phys = NULL, speed = NULL,
    speed_supported = NULL, speed_enabled = NULL, width = NULL,
    width_supported = NULL, width_enabled = NULL
WHERE seen <> 0;
