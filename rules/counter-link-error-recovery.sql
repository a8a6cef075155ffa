-- id: counter-link-error-recovery
-- title: Link retrains by itself
-- severity: warning
-- why: The link lost its lock and trained anew without going down. No packet
--     passes meanwhile, and jobs see a stall; a link that does so again and
--     again is about to fail.
-- remedy: Clean and reseat the cable at both ends; if it goes on, change the
--     cable, then the transceivers.
-- false-positives: Work on the cable, and a device at the other end that
--     restarted.
-- param: min_delta = 3 -- smallest rise; once or twice happens when somebody
--     touches the cable
-- param: per_hour = 1 -- smallest rise in an hour
-- param: error_per_hour = 0 -- rise in an hour that makes it an error; 0: none
--     does

-- When both ends count, the first end of the cable tells for both.
SELECT node_guid, instance, port, peer_guid, peer_instance, peer_port,
       counter_name || ' ' || rise ||
           coalesce('; the other end''s by ' || nullif(peer_delta, 0), '')
           AS message,
       CASE WHEN :error_per_hour > 0 AND per_hour >= :error_per_hour
            THEN 'error' END AS severity,
       counter_name AS counter, value, prev AS previous, delta, peer_delta,
       round(per_hour, 1) AS per_hour, interval_s
FROM counter
WHERE counter = 'link_error_recovery' AND NOT saturated AND delta > 0 AND
      (delta >= :min_delta OR peer_delta >= :min_delta) AND
      coalesce(per_hour * max(delta, coalesce(peer_delta, 0)) / delta >=
               :per_hour, 1) AND
      NOT (coalesce(peer_delta, 0) > 0 AND NOT reset AND
           (peer_guid_hex, peer_instance, peer_port) <
           (node_guid_hex, instance, port));
