-- id: link-speed
-- title: Link runs slower than both ends have enabled
-- severity: error
-- why: Both ends could agree on a faster speed and did not. Every job whose
--     traffic crosses this cable is held back by it, and its bit errors are
--     usually next.
-- remedy: Reseat the cable at both ends and look for dust and bent fibres; if
--     the link comes up slow again, change the cable, then the transceivers.
--     Resetting the port (ibportstate LID PORT reset) makes it negotiate anew.
-- false-positives: A link that was narrowed on purpose has the slower speed
--     enabled at one end at least, and is not reported. Nor is a port that is
--     cabled to its own switch.

SELECT node_guid, instance, port, peer_guid, peer_instance, peer_port,
       'runs at ' || coalesce(rate, 'speed ' || speed_name) ||
           '; both ends can do ' || coalesce(best_rate, best_speed_name)
           AS message,
       NULL AS severity, speed_name AS speed, width_name AS width, gbps,
       best_speed_name AS best_speed, best_width_name AS best_width, best_gbps
FROM link
WHERE speed < best_speed AND NOT is_loop
UNION ALL
SELECT node_guid, instance, port, peer_guid, peer_instance, peer_port,
       printf('runs at a speed that is not known (code 0x%x, at the other ' ||
              'end 0x%x)', own_speed_code, peer_speed_code),
       'warning', NULL, width_name, NULL, best_speed_name, best_width_name,
       best_gbps
FROM link
WHERE unknown_speed AND (own_speed_code > 0 OR peer_speed_code > 0) AND
      NOT coalesce(speed < best_speed, 0) AND NOT is_loop;
