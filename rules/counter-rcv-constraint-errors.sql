-- id: counter-rcv-constraint-errors
-- title: Packets are refused for partition rules
-- severity: warning
-- why: The switch port refused packets from the device behind it, because
--     their partition key or kind is not allowed. The device is set up for
--     another partition, or tries what it may not.
-- remedy: Look at the P_Key that the host behind this port uses, and at the
--     partition configuration of the subnet manager.
-- false-positives: A host that was moved to another partition and still uses
--     the old one.
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
WHERE counter = 'rcv_constraint_errors' AND NOT saturated AND
      delta >= :min_delta AND coalesce(per_hour >= :per_hour, 1);
