-- id: dup-port-guid
-- title: Ports of different nodes have the same PortGUID
-- severity: error
-- why: The subnet manager keeps ports, their LIDs, partitions and paths by
--     PortGUID. Of two ports that share one it knows a single one, so that
--     traffic for either goes to one of them, or to each by turns. It happens
--     when the GUIDs of a board are copied or set by hand. Nodes that share
--     their NodeGUID as well are told by dup-node-guid alone. Ports of one and
--     the same node are not compared: the planes of one port may be such.
-- remedy: Look at each port, and see which of them has not its own GUID
--     (ibstat, flint -d DEVICE query). Give it back its own with flint -d
--     DEVICE -uid GUID sg (older adapters take -guid), and restart the
--     adapter.
-- false-positives: None.

WITH often AS (                 -- few, or none: what follows is for these
    SELECT port_guid FROM port
    WHERE is_end_port AND port_guid <> 0
    GROUP BY port_guid
    HAVING count(*) > 1),
end_port AS (                   -- of each node the first that has the GUID
    SELECT *, row_number() OVER (PARTITION BY port_guid, node_guid
                                 ORDER BY instance, port) AS of_node
    FROM port
    WHERE is_end_port AND port_guid IN (SELECT port_guid FROM often)),
shared AS (
    SELECT *, count(*) OVER same AS ports,
           row_number() OVER (same ORDER BY node_guid_hex) AS nth
    FROM end_port
    WHERE of_node = 1
    WINDOW same AS (PARTITION BY port_guid)),
place AS (
    SELECT s.*, n.route,
           printf('%s port %d%s%s', s.node, s.port,
                  CASE WHEN s.has_peer
                       THEN printf(' at %s port %d', s.peer, s.peer_port)
                       ELSE '' END,
                  coalesce(' (directed route ' || n.route || ')', '')) AS text
    FROM shared s
    JOIN node n ON n.node_guid = s.node_guid AND n.instance = s.instance
    WHERE s.ports > 1 AND s.nth <= 5)
SELECT a.node_guid, a.instance, a.port,
       b.node_guid AS peer_guid, b.instance AS peer_instance,
       b.port AS peer_port,
       printf('%d nodes have a port with the PortGUID %s: ', a.ports,
              a.port_guid_hex) ||
           (SELECT group_concat(text, ', ') FROM (
                SELECT text FROM place p
                WHERE p.port_guid = a.port_guid ORDER BY nth)) ||
           CASE WHEN a.ports > 5 THEN printf(' and %d more', a.ports - 5)
                ELSE '' END AS message,
       a.ports, a.port_guid, a.route, b.route AS other_route
FROM place a
JOIN place b ON b.port_guid = a.port_guid AND b.nth = 2
WHERE a.nth = 1;
