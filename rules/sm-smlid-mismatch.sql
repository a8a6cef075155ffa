-- id: sm-smlid-mismatch
-- title: Ports look for the master at a wrong LID
-- severity: error
-- why: Each end port keeps the LID of its master (MasterSMLID). Ports with
--     another one than the master's send their path queries to the wrong
--     place, so that jobs on these hosts hang while they connect. The ports
--     with the same wrong LID make one line; its place is the first of them.
-- remedy: Let the master sweep anew (kill -HUP, or the switch's own command).
--     If the wrong LID comes back, another subnet manager writes it: look who
--     has that LID, and for one that does not answer.
-- false-positives: A sweep right after the mastership moved.

WITH master AS (                -- the one, or none when there are several
    SELECT lid, lid + (1 << coalesce(lmc, 0)) - 1 AS last_lid, node, port
    FROM sm
    WHERE state = 'MASTER' AND lid > 0 AND
          (SELECT count(*) FROM sm WHERE state = 'MASTER') = 1),
wrong AS (
    SELECT node_guid, instance, port, sm_lid, count(*) OVER same AS ports,
           row_number() OVER (same ORDER BY node_guid_hex, instance, port)
               AS nth
    FROM port
    WHERE sm_lid NOT BETWEEN (SELECT lid FROM master) AND
                             (SELECT last_lid FROM master) AND
          is_end_port AND state = 'ACTIVE' AND (port = 0 OR has_peer)
    WINDOW same AS (PARTITION BY sm_lid))
SELECT w.node_guid, w.instance, w.port,
       printf('%s MasterSMLID %d; the master %s port %d has LID %d',
              CASE w.ports WHEN 1 THEN 'has'
                   ELSE w.ports || ' end ports have' END,
              w.sm_lid, m.node, m.port, m.lid) ||
           coalesce((SELECT printf(', and %s port %d has LID %d', o.node,
                                   o.port, o.lid)
                     FROM port o
                     WHERE o.is_end_port AND o.lid = w.sm_lid AND o.lid > 0),
                    '') AS message,
       w.ports, w.sm_lid, m.lid AS master_lid
FROM wrong w, master m
WHERE w.nth = 1;
