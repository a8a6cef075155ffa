-- id: dup-node-guid
-- title: Several nodes have the same NodeGUID
-- severity: error
-- why: A NodeGUID stands for one adapter or switch. The subnet manager takes
--     nodes that share one for a single node with too many cables: opensm
--     stops with "duplicated guids", or gives one of them the other's LIDs and
--     routes, so that hosts come and go. It happens when a firmware image is
--     copied with its GUIDs from one board to another, and when a board is
--     replaced and given the GUIDs of one that later comes back.
-- remedy: Look at each place, and see which of them has not its own GUID
--     (label on the board, ibstat, flint -d DEVICE query). Give it back its
--     own with flint -d DEVICE -uid GUID sg (older adapters take -guid), or
--     with the switch's own tool, and restart it. smpquery -D nodeinfo ROUTE
--     asks each one of them from here.
-- false-positives: A node that was moved to another port during the sweep.

WITH often AS (                 -- few, or none: what follows is for these
    SELECT node_guid FROM node GROUP BY node_guid HAVING count(*) > 1),
shared AS (
    SELECT *, count(*) OVER same AS nodes,
           row_number() OVER (same ORDER BY instance) AS nth
    FROM node
    WHERE node_guid IN (SELECT node_guid FROM often)
    WINDOW same AS (PARTITION BY node_guid)),
link_end AS (                   -- of nodes that share their GUID
    SELECT node_guid, instance, peer_guid_hex, peer_port, peer, peer_type
    FROM link
    WHERE NOT is_loop AND
          node_guid IN (SELECT node_guid FROM shared WHERE nodes > 1)
    UNION ALL
    SELECT peer_guid, peer_instance, node_guid_hex, port, node, node_type
    FROM link
    WHERE NOT is_loop AND
          peer_guid IN (SELECT node_guid FROM shared WHERE nodes > 1)),
first_end AS (                  -- a switch tells a place better than a host
    SELECT *, row_number() OVER (PARTITION BY node_guid, instance
                                 ORDER BY peer_type <> 'switch',
                                          peer_guid_hex, peer_port) AS nth
    FROM link_end),
place AS (
    SELECT s.*, e.peer AS neighbor, e.peer_port AS neighbor_port,
           s.node || coalesce(' at ' || e.peer || ' port ' || e.peer_port, '') ||
           coalesce(' (directed route ' || s.route || ')', '') AS text
    FROM shared s
    LEFT JOIN first_end e ON e.node_guid = s.node_guid AND
                             e.instance = s.instance AND e.nth = 1
    WHERE s.nodes > 1 AND s.nth <= 5)
SELECT a.node_guid, a.instance, NULL AS port,
       b.node_guid AS peer_guid, b.instance AS peer_instance,
       NULL AS peer_port,
       printf('%d nodes have this NodeGUID: ', a.nodes) ||
           (SELECT group_concat(text, ', ') FROM (
                SELECT text FROM place p
                WHERE p.node_guid = a.node_guid ORDER BY nth)) ||
           CASE WHEN a.nodes > 5 THEN printf(' and %d more', a.nodes - 5)
                ELSE '' END AS message,
       a.nodes, a.neighbor, a.neighbor_port, a.route,
       b.neighbor AS other_neighbor, b.neighbor_port AS other_neighbor_port,
       b.route AS other_route
FROM place a
JOIN place b ON b.node_guid = a.node_guid AND b.nth = 2
WHERE a.nth = 1;
