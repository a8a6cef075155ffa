-- id: counter-vl15-dropped
-- title: Subnet management packets are dropped
-- severity: warning
-- why: The port had no room for packets on VL15, which has no flow control.
--     The subnet manager then waits and asks again, so that its sweeps take
--     long and nodes seem to be away.
-- remedy: Lower what the subnet manager sends at a time (opensm:
--     max_wire_smps), and look for other programs that query the fabric at the
--     same time.
-- false-positives: A full sweep of a large fabric through one leaf switch.
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
WHERE counter = 'vl15_dropped' AND NOT saturated AND
      delta >= :min_delta AND coalesce(per_hour >= :per_hour, 1);
