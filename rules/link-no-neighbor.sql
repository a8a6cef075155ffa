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

SELECT p.node_guid, p.instance, p.port,
       p.peer_guid, p.peer_instance, p.peer_port,
       'is up, and nobody answers behind it' ||
           coalesce('; ' || p.peer || ' was there last', '') AS message,
       p.state, p.speed_name AS speed, p.width_name AS width
FROM port p
WHERE p.is_up AND NOT p.has_peer AND p.port > 0 AND
      (p.type = 'switch' OR EXISTS (
           SELECT 1 FROM snapshot_info i
           WHERE i.local_guid = p.node_guid AND
                 i.local_instance = p.instance AND i.local_port = p.port));
