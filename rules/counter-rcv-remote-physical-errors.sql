-- id: counter-rcv-remote-physical-errors
-- title: Packets arrive that were damaged upstream
-- severity: warning
-- why: A switch further up received these packets damaged, marked them and
--     sent them on. This cable is fine; the fault is somewhere on the way to
--     it.
-- remedy: Do not touch this cable. Look for rising PortRcvErrors or
--     SymbolErrorCounter at the ports of the device at the other end, and on
--     from there.
-- false-positives: Follows each fault upstream: when that is mended, this
--     stops.
-- param: min_delta = 100 -- smallest rise; one bad cable raises it at many
--     ports
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
WHERE counter = 'rcv_remote_physical_errors' AND NOT saturated AND
      delta >= :min_delta AND coalesce(per_hour >= :per_hour, 1);
