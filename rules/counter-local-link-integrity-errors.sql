-- id: counter-local-link-integrity-errors
-- title: Errors on the link exceed the threshold of the port
-- severity: warning
-- why: So many bit errors came so fast that the port counted one of these
--     events; each of them makes the link retrain. The cable is bad, not
--     merely dirty.
-- remedy: Change the cable. If it goes on with a new one, change the
--     transceivers, the far one first.
-- false-positives: A link that retrained since the baseline: it is reported as
--     an info then.
-- param: min_delta = 2 -- smallest rise; each is a burst of errors, and four
--     bits end at 15
-- param: per_hour = 1 -- smallest rise in an hour
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
WHERE counter = 'local_link_integrity_errors' AND NOT saturated AND
      delta >= :min_delta AND coalesce(per_hour >= :per_hour, 1);
