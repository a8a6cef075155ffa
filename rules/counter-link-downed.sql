-- id: counter-link-downed
-- title: Link went down
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
-- param: flaps_in_hour = 3 -- from so many on link-flapping tells of it
-- param: flaps_in_day = 5 -- or from so many in a day

-- When both ends count, the first end of the cable tells for both.
SELECT node_guid, instance, port, peer_guid, peer_instance, peer_port,
       counter_name || ' ' || rise ||
           coalesce('; the other end''s by ' || nullif(peer_delta, 0), '')
           AS message,
       counter_name AS counter, value, prev AS previous, delta, peer_delta,
       round(per_hour, 1) AS per_hour, interval_s
FROM counter c
WHERE counter = 'link_downed' AND NOT saturated AND delta > 0 AND
      (delta >= :min_delta OR peer_delta >= :min_delta OR
       (NOT reset AND min(delta, peer_delta) >= :both_ends)) AND
      coalesce(per_hour * max(delta, coalesce(peer_delta, 0)) / delta >=
               :per_hour, 1) AND
      NOT (coalesce(peer_delta, 0) > 0 AND NOT reset AND
           (peer_guid_hex, peer_instance, peer_port) <
           (node_guid_hex, instance, port)) AND
      NOT EXISTS (
           SELECT 1 FROM flap f
           WHERE (f.in_hour >= :flaps_in_hour OR f.in_day >= :flaps_in_day) AND
                 ((f.node_guid = c.node_guid AND f.instance = c.instance AND
                   f.port = c.port) OR
                  (f.peer_guid = c.node_guid AND
                   f.peer_instance = c.instance AND f.peer_port = c.port)));
