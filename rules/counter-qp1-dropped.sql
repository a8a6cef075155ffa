-- id: counter-qp1-dropped
-- title: Management packets are dropped at a node
-- severity: warning
-- why: The node dropped general management packets (QP1): performance queries,
--     path records, connection setup. It is busy, or asked by too many at
--     once.
-- remedy: Look at the load of the host. Look for monitoring that asks too
--     often, or from several places at the same time.
-- false-positives: A storm of connections when a large job starts.
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
WHERE counter = 'qp1_dropped' AND NOT saturated AND
      delta >= :min_delta AND coalesce(per_hour >= :per_hour, 1);
