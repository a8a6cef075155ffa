-- id: link-no-neighbor
-- title: Port is up but nobody answers behind it
-- severity: warning
-- why: There is light on the cable, and the device at the other end does not
--     answer. It hangs, its firmware has crashed, or it is busy rebooting;
--     whatever lies behind it could not be read.
-- remedy: Look at the device that was last seen there, or follow the cable. A
--     host whose adapter does not answer needs a power cycle, a reboot is
--     often not enough; a switch needs a look at its management port.
-- false-positives: A device that was restarting during the sweep.

WITH silent AS (
    SELECT *, NOT EXISTS (
               SELECT 1 FROM unread u
               WHERE u.kind = 'node' AND u.node_guid = p.peer_guid AND
                     u.instance = p.peer_instance) AS nobody
    FROM port p
    WHERE is_up AND NOT has_peer AND port > 0 AND
          (type = 'switch' OR EXISTS (
               SELECT 1 FROM snapshot_info i
               WHERE i.local_guid = p.node_guid AND
                     i.local_instance = p.instance AND
                     i.local_port = p.port)) AND
          NOT EXISTS (          -- it was not asked, or did answer
               SELECT 1 FROM failure f
               WHERE f.node_guid = p.node_guid AND
                     f.instance = p.instance AND f.port = p.port AND
                     f.attribute = 'NodeInfo' AND
                     f.status IN ('not sent', 'given up', 'malformed'))),
-- All ports that led to one node which was not read make one line.
told AS (
    SELECT *, count(*) OVER same AS ports,
           row_number() OVER (same ORDER BY node_guid_hex, instance, port)
               AS nth
    FROM silent
    WINDOW same AS (PARTITION BY peer_guid, peer_instance,
                    CASE WHEN nobody THEN node_guid END,
                    CASE WHEN nobody THEN instance END,
                    CASE WHEN nobody THEN port END))
SELECT node_guid, instance, port,
       peer_guid, peer_instance,
       CASE WHEN ports = 1 THEN peer_port END AS peer_port,
       CASE WHEN ports > 1
            THEN printf('leads to %s, which does not answer; %d more port%s ' ||
                        'that led there %s up', peer, ports - 1,
                        CASE ports WHEN 2 THEN '' ELSE 's' END,
                        CASE ports WHEN 2 THEN 'is' ELSE 'are' END)
            ELSE 'is up, and nobody answers behind it' ||
                 coalesce('; ' || peer || ' was there last', '')
       END AS message,
       ports, state, speed_name AS speed, width_name AS width
FROM told t
WHERE nth = 1 AND NOT EXISTS (  -- both ends accuse each other: one cable
    SELECT 1 FROM silent o
    WHERE o.node_guid = t.peer_guid AND o.instance = t.peer_instance AND
          o.port = t.peer_port AND t.nobody AND
          (o.node_guid_hex, o.instance, o.port) <
          (t.node_guid_hex, t.instance, t.port));
