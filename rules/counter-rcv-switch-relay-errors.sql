-- id: counter-rcv-switch-relay-errors
-- title: Switch cannot forward packets
-- severity: warning
-- why: Packets came in that the switch had no way on for: no route, an unknown
--     LID, or the way they came. Multicast raises it by itself in small
--     numbers.
-- remedy: Small numbers are normal. A steep rise points to routes that are not
--     set: look whether the subnet manager finished its last sweep, and for
--     hosts that use old LIDs.
-- false-positives: Multicast and ARP that come back on the port they came
--     from, by the hundred on a busy IPoIB network.
-- param: min_delta = 100 -- smallest rise; multicast raises it on every fabric
-- param: per_hour = 1000 -- smallest rise in an hour; below that it is
--     multicast
-- param: error_per_hour = 0 -- rise in an hour that makes it an error; 0: none
--     does

SELECT node_guid, instance, port, peer_guid, peer_instance, peer_port,
       counter_name || ' ' || rise AS message,
       CASE WHEN :error_per_hour > 0 AND per_hour >= :error_per_hour
            THEN 'error' END AS severity,
       counter_name AS counter, value, prev AS previous, delta,
       round(per_hour, 1) AS per_hour, interval_s
FROM counter
WHERE counter = 'rcv_switch_relay_errors' AND NOT saturated AND
      delta >= :min_delta AND coalesce(per_hour >= :per_hour, 1);
