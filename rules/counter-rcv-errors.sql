-- id: counter-rcv-errors
-- title: Packets arrive damaged
-- severity: warning
-- why: Packets came in with a bad checksum or a bad length. Each is sent
--     again, so jobs slow down. The fault lies on this cable or in the
--     transmitter at its other end.
-- remedy: Clean and reseat the cable; change it if the errors go on, then the
--     transceiver at the far end. If every cable of the far device shows it,
--     that device is at fault.
-- false-positives: A link that retrained since the baseline damages packets
--     meanwhile: it is reported as an info then.
-- param: min_delta = 10 -- smallest rise; a handful is chance
-- param: per_hour = 10 -- smallest rise in an hour
-- param: error_per_hour = 0 -- rise in an hour that makes it an error; 0: none
--     does

SELECT node_guid, instance, port, peer_guid, peer_instance, peer_port,
       counter_name || ' ' || rise ||
           CASE WHEN bounced
                THEN '; the device or the link began anew meanwhile'
                ELSE '' END AS message,
       CASE WHEN bounced THEN 'info'
            WHEN :error_per_hour > 0 AND per_hour >= :error_per_hour
            THEN 'error' END AS severity,
       counter_name AS counter, value, prev AS previous, delta,
       round(per_hour, 1) AS per_hour, interval_s
FROM counter
WHERE counter = 'rcv_errors' AND NOT saturated AND
      delta >= :min_delta AND coalesce(per_hour >= :per_hour, 1);
