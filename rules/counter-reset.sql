-- id: counter-reset
-- title: Error counters were cleared
-- severity: info
-- why: Error counters stand lower than before, or all counters of the port
--     began anew: somebody cleared them, or the device restarted. What they
--     count since is judged as usual; errors between the last sweep and the
--     reset are lost.
-- remedy: None. Where it happens again and again, another tool clears the
--     counters (the PerfMgr of opensm, ibqueryerrors -k): let only one do so.
-- false-positives: None.
-- param: max_lines = 5 -- more ports than this make one line a node, more
--     nodes one line in all

WITH cleared AS (
    SELECT node_guid, node_guid_hex, instance, port, node, peer_guid,
           peer_instance, peer_port,
           group_concat(counter_name || ' from ' || prev || ' to ' || value,
                        ', ') AS changes
    FROM counter
    WHERE reset
    GROUP BY node_guid, instance, port),
cleared_node AS (
    SELECT node_guid, instance, count(*) AS ports
    FROM cleared
    GROUP BY node_guid, instance),
total AS (
    SELECT count(*) AS nodes, sum(ports) AS ports FROM cleared_node)
SELECT node_guid, instance, port, peer_guid, peer_instance, peer_port,
       'was cleared: ' || changes AS message, 1 AS ports
FROM cleared, total
WHERE total.ports <= :max_lines
UNION ALL
SELECT node_guid, instance, NULL, NULL, NULL, NULL,
       printf('error counters of %d port%s were cleared', n.ports,
              CASE n.ports WHEN 1 THEN '' ELSE 's' END), n.ports
FROM cleared_node n, total
WHERE total.ports > :max_lines AND nodes <= :max_lines
UNION ALL
SELECT NULL, NULL, NULL, NULL, NULL, NULL,
       printf('error counters of %d ports of %d nodes were cleared', ports,
              nodes), ports
FROM total
WHERE ports > :max_lines AND nodes > :max_lines;
