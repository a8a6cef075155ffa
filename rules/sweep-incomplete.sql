-- id: sweep-incomplete
-- title: A part of the fabric could not be read
-- severity: warning
-- why: Some queries were not answered, so the other findings tell of a part of
--     the fabric only. What is broken in the rest is not known.
-- remedy: Look at the nodes that are named here and at the cables that lead to
--     them. The option -v lists each query; of a snapshot that is stored,
--     "ibaudit show latest failures" does, and "ibaudit show latest nodes"
--     tells what was not read. Where nothing answers but this node, the fabric
--     may be protected by M_Keys (--mkey-file). Where only counters are
--     missing, the nodes answer the subnet manager and not the performance
--     queries: their LIDs or routes are at fault, or an adapter whose driver
--     hangs.
-- false-positives: Hosts that were rebooting during the sweep. Silent
--     subnet managers (sm-silent) and silent neighbours of ports that are up
--     (link-no-neighbor) have rules of their own and do not make this one
--     fire. What was taken out of the fabric together with its switch cannot be
--     told from what is unreachable.
-- param: hours = 24 -- nodes that were known are told to be unread so long

WITH silent AS (                -- what link-no-neighbor reports
    SELECT node_guid, instance, port, peer_guid, peer_instance FROM port p
    WHERE is_up AND NOT has_peer AND port > 0 AND type = 'switch' AND
          NOT EXISTS (
               SELECT 1 FROM failure f
               WHERE f.node_guid = p.node_guid AND
                     f.instance = p.instance AND f.port = p.port AND
                     f.attribute = 'NodeInfo' AND
                     (f.status IN ('not sent', 'given up', 'malformed') OR
                      (f.status = 'no answer' AND f.text <> 'no answer')))),
failed AS (
    SELECT attribute, count(*) AS queries FROM failure
    WHERE class = 'SMP' GROUP BY attribute),
fact AS (
    SELECT i.complete, i.pma_asked, i.pma_answered,
           (SELECT total(queries) FROM failed) AS smps,
           (SELECT count(*) FROM failure f
            WHERE class = 'SMP' AND attribute <> 'SMInfo' AND NOT EXISTS (
                SELECT 1 FROM silent s
                WHERE f.attribute = 'NodeInfo' AND
                      s.node_guid = f.node_guid AND
                      s.instance = f.instance AND s.port = f.port))
               AS unexplained,
           (SELECT count(*) FROM unread WHERE kind = 'node') AS nodes,
           -- what was away for long is old news: a rack that was taken out
           (SELECT count(*) FROM unread u WHERE kind = 'node' AND
                (u.last_read >= i.baseline OR
                 u.last_read_age_s <= :hours * 3600) AND
                NOT EXISTS (    -- node-missing tells of what is expected
                SELECT 1 FROM expected_node e
                WHERE e.node_guid = u.node_guid AND
                      e.instance = u.instance) AND NOT EXISTS (
                SELECT 1 FROM silent s
                WHERE s.peer_guid = u.node_guid AND
                      s.peer_instance = u.instance)) AS nodes_unexplained,
           (SELECT count(*) FROM failure WHERE class = 'PMA') AS pmas,
           (SELECT count(*) FROM failure
            WHERE class = 'SMP' AND status = 'not sent') AS not_sent,
           (SELECT min(text) FROM failure
            WHERE class = 'SMP' AND status = 'not sent') AS why_not,
           (SELECT coalesce(node || coalesce(' port ' || port, '') || ': ',
                            '') || text
            FROM failure
            WHERE class = 'SMP' AND (status = 'malformed' OR
                  (status = 'no answer' AND text <> 'no answer'))
            LIMIT 1) AS odd_one,
           EXISTS (SELECT 1 FROM sm WHERE state = 'MASTER' OR NOT answered)
               AS has_master
    FROM snapshot_info i),
-- Those whose own queries failed come first, then those behind them.
named AS (
    SELECT node, row_number() OVER (ORDER BY min(rank), node) AS nth,
           count(*) OVER () AS nodes
    FROM (SELECT node, 1 AS rank FROM failure
          WHERE class = 'SMP' AND attribute NOT IN ('SMInfo', 'NodeInfo')
          UNION ALL SELECT node, 2 FROM unread WHERE kind = 'node'
          UNION ALL SELECT node, 3 FROM failure
          WHERE class = 'SMP' AND attribute = 'NodeInfo'
          UNION ALL SELECT node, 4 FROM failure
          WHERE class = 'PMA' AND (SELECT has_master FROM fact))
    WHERE node IS NOT NULL
    GROUP BY node),
clause AS (
    SELECT 1 AS nth, printf('%d quer%s failed (%s)', smps,
                            CASE smps WHEN 1 THEN 'y' ELSE 'ies' END,
                            (SELECT group_concat(queries || ' ' || attribute,
                                                 ', ') FROM failed)) AS text
    FROM fact WHERE smps > 0
    UNION ALL
    SELECT 2, printf('%d node%s known before could not be read', nodes,
                     CASE nodes WHEN 1 THEN '' ELSE 's' END)
    FROM fact WHERE nodes > 0
    UNION ALL
    SELECT 4, 'at ' || (SELECT group_concat(node, ', ') FROM named
                        WHERE nth <= 5) ||
              CASE WHEN nodes > 5 THEN printf(' and %d more', nodes - 5)
                   ELSE '' END
    FROM named WHERE nth = 1
    UNION ALL
    SELECT 3, CASE WHEN pma_answered < pma_asked
                   THEN printf('counters of %d of %d ports were read%s',
                               pma_answered, pma_asked,
                               CASE WHEN has_master THEN ''
                                    ELSE ' (no master, so LIDs and routes ' ||
                                         'may be missing)' END)
                   ELSE printf('%d counter quer%s failed', pmas,
                               CASE pmas WHEN 1 THEN 'y' ELSE 'ies' END) END
    FROM fact WHERE pma_answered < pma_asked OR pmas > 0
    UNION ALL
    SELECT 5, odd_one FROM fact WHERE odd_one IS NOT NULL
    UNION ALL
    SELECT 6, printf('%d of them %s not sent (%s)', not_sent,
                     CASE not_sent WHEN 1 THEN 'was' ELSE 'were' END, why_not)
    FROM fact WHERE not_sent > 0
    UNION ALL
    SELECT 7, 'the sweep was ended before all was asked'
    FROM fact WHERE NOT complete AND smps = 0)
SELECT NULL AS node_guid, NULL AS instance, NULL AS port,
       (SELECT group_concat(text, '; ') FROM (
            SELECT text FROM clause ORDER BY nth)) AS message,
       CAST(smps AS INTEGER) AS smps_failed, nodes AS nodes_unread, pma_asked,
       pma_answered
FROM fact
WHERE unexplained > 0 OR nodes_unexplained > 0 OR
      pma_answered < pma_asked OR pmas > 0 OR
      (NOT complete AND smps = 0);
