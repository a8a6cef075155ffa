-- id: link-width
-- title: Link runs on fewer lanes than both ends have enabled
-- severity: error
-- why: One or more lanes of the cable did not train, so the link has a half or
--     a quarter of its bandwidth. A link that is too slow as well is reported
--     once, by link-speed.
-- remedy: Reseat the cable at both ends and clean the optics; if a lane stays
--     away, change the cable, then the transceivers.
-- false-positives: A split port has only its own lanes enabled, and a link
--     that was narrowed on purpose the fewer lanes; neither is reported. Nor
--     is a port that is cabled to its own switch.

SELECT node_guid, instance, port, peer_guid, peer_instance, peer_port,
       'runs at ' || coalesce(rate, width_name) || '; both ends can do ' ||
           coalesce(best_rate, best_width_name) AS message,
       speed_name AS speed, width_name AS width, gbps,
       best_speed_name AS best_speed, best_width_name AS best_width, best_gbps
FROM link
WHERE width < best_width AND NOT coalesce(speed < best_speed, 0) AND
      NOT is_loop;
