-- id: link-slower-than-peers
-- title: Link is slower than other links of its kind
-- severity: warning
-- why: Links between the same two kinds of device, whose ends support the same
--     speed and width, nearly all run faster than this one. It keeps to what
--     is enabled on it, so the setting itself may be the fault.
-- remedy: Compare the enabled speeds and widths of its ends with those of a
--     link beside it (ibportstate LID PORT query). If the setting is right,
--     the cable may be of a slower kind: look at its label.
-- false-positives: A few links that are slow on purpose among many fast ones,
--     for example hosts behind split cables.
-- param: min_peers = 8 -- other links of its kind that must be there
-- param: share = 0.8 -- part of them that must be faster

WITH rate AS (
    SELECT min(device_id, peer_device_id) AS device,
           max(device_id, peer_device_id) AS other,
           best_supported_speed, best_supported_width, gbps,
           count(*) AS links
    FROM link
    WHERE NOT is_loop AND gbps > 0
    GROUP BY 1, 2, 3, 4, 5),
slow AS (
    SELECT r.*, sum(f.links) AS faster, max(f.gbps) AS fastest,
           (SELECT sum(a.links) - 1 FROM rate a
            WHERE a.device = r.device AND a.other = r.other AND
                  a.best_supported_speed = r.best_supported_speed AND
                  a.best_supported_width = r.best_supported_width) AS peers
    FROM rate r
    JOIN rate f USING (device, other, best_supported_speed,
                       best_supported_width)
    WHERE f.gbps > r.gbps
    GROUP BY device, other, best_supported_speed, best_supported_width,
             r.gbps)
SELECT l.node_guid, l.instance, l.port, l.peer_guid, l.peer_instance,
       l.peer_port,
       printf('runs at %s; %d of %d other links of its kind are faster, up ' ||
              'to %g Gb/s', l.rate, s.faster, s.peers, s.fastest) AS message,
       l.gbps, s.fastest AS peers_gbps, s.faster AS peers_faster, s.peers
FROM slow s
JOIN link l ON min(l.device_id, l.peer_device_id) = s.device AND
               max(l.device_id, l.peer_device_id) = s.other AND
               l.best_supported_speed = s.best_supported_speed AND
               l.best_supported_width = s.best_supported_width AND
               l.gbps = s.gbps AND NOT l.is_loop AND NOT l.degraded
WHERE s.peers >= :min_peers AND s.faster >= :share * s.peers;
