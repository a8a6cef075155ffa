-- id: counter-xmit-discards
-- title: Packets are thrown away before they are sent
-- severity: warning
-- why: The port gave packets up because it could not send them in time. Its
--     link is congested, or the device at the other end has stopped taking
--     packets.
-- remedy: Look at the device at the other end first: a host that hangs backs
--     up the whole path. Else it is congestion; look at the routes and at who
--     sends there.
-- false-positives: A link that just went down, and hosts that are being
--     rebooted under load.
-- param: min_delta = 100 -- smallest rise
-- param: per_hour = 100 -- smallest rise in an hour
-- param: error_per_hour = 0 -- rise in an hour that makes it an error; 0: none
--     does

SELECT node_guid, instance, port, peer_guid, peer_instance, peer_port,
       counter_name || ' ' || rise AS message,
       CASE WHEN :error_per_hour > 0 AND per_hour >= :error_per_hour
            THEN 'error' END AS severity,
       counter_name AS counter, value, prev AS previous, delta,
       round(per_hour, 1) AS per_hour, interval_s
FROM counter
WHERE counter = 'xmit_discards' AND NOT saturated AND
      delta >= :min_delta AND coalesce(per_hour >= :per_hour, 1);
