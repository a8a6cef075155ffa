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
    SELECT *, peer_guid IS NULL AS nobody FROM port p
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
                     f.status IN ('not sent', 'malformed'))),
-- All ports that led to one node make one line.
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
            THEN printf('leads to %s, which does not answer; so do %d more ' ||
                        'ports that are up', peer, ports - 1)
            ELSE 'is up, and nobody answers behind it' ||
                 coalesce('; ' || peer || ' was there last', '')
       END AS message,
       ports, state, speed_name AS speed, width_name AS width
FROM told
WHERE nth = 1;
