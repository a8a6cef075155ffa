-- id: counter-xmit-constraint-errors
-- title: Packets are not sent for partition rules
-- severity: warning
-- why: The switch port refused to send packets whose partition key or kind is
--     not allowed on it. No cable does that; a partition is not set up alike
--     everywhere.
-- remedy: Compare the partition configuration of the subnet manager with what
--     the host behind this port uses (P_Key table, smpquery pkeys).
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
WHERE counter = 'xmit_constraint_errors' AND NOT saturated AND
      delta >= :min_delta AND coalesce(per_hour >= :per_hour, 1);
