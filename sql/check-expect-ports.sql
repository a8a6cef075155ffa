-- The ports of the snapshot's nodes; what was not read has no values here.
SELECT node, num, key, CASE WHEN link_seen = 0 THEN peer END,
       seen = 0 AND present, state, phys, speed, width
FROM temp.stored_port;
