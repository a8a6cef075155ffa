-- id: counter-link-downed
-- title: Link goes down again and again
-- severity: warning
-- why: The link failed and came back. Each time the jobs that use it stall or
--     die. When the counters of both ends rise it is the cable; one end alone
--     usually means that the device at the other end restarted, which takes a
--     link down two times.
-- remedy: Both ends rise: reseat, then change the cable. One end alone: look
--     at the uptime and the log of the device at the other end.
-- false-positives: A host that is rebooted several times between two sweeps,
--     and cables that are being worked on.
-- param: min_delta = 3 -- smallest rise when the other end does not count one;
--     ten would hide a link that flaps, and a reboot is two
-- param: per_hour = 1 -- smallest rise in an hour
-- param: both_ends = 1 -- smallest rise when the other end counts one too
-- param: error_per_hour = 10 -- rise in an hour that makes it an error, since
--     jobs fail then; 0: none does

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
WHERE counter = 'link_downed' AND NOT saturated AND delta > 0 AND
      (delta >= :min_delta OR peer_delta >= :min_delta OR
       (NOT reset AND min(delta, peer_delta) >= :both_ends)) AND
      coalesce(per_hour * max(delta, coalesce(peer_delta, 0)) / delta >=
               :per_hour, 1) AND
      NOT (coalesce(peer_delta, 0) > 0 AND NOT reset AND
           (peer_guid_hex, peer_instance, peer_port) <
           (node_guid_hex, instance, port));
