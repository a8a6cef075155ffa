-- id: counter-excessive-buffer-overrun-errors
-- title: Flow control fails on the link
-- severity: warning
-- why: The port was sent more than it had room for, over several flow control
--     periods in a row. The two ends do not agree on credits: firmware, or a
--     link that loses flow control packets.
-- remedy: Reset the port. If it comes back, bring the firmware of both devices
--     up to date, then change the cable.
-- false-positives: None known.
-- param: min_delta = 2 -- smallest rise; each is a long failure, and four bits
--     end at 15
-- param: per_hour = 1 -- smallest rise in an hour
-- param: error_per_hour = 0 -- rise in an hour that makes it an error; 0: none
--     does

SELECT node_guid, instance, port, peer_guid, peer_instance, peer_port,
       counter_name || ' ' || rise AS message,
       CASE WHEN :error_per_hour > 0 AND per_hour >= :error_per_hour
            THEN 'error' END AS severity,
       counter_name AS counter, value, prev AS previous, delta,
       round(per_hour, 1) AS per_hour, interval_s
FROM counter
WHERE counter = 'excessive_buffer_overrun_errors' AND NOT saturated AND
      delta >= :min_delta AND coalesce(per_hour >= :per_hour, 1);
