-- id: link-below-expected
-- title: Link is slower or narrower than expected
-- severity: error
-- why: It once ran faster, or the plan says that it should (ibaudit expect
--     show). Both ends may have agreed on less because one of them was
--     narrowed, or has another cable or transceiver than before.
-- remedy: Compare what both ends have enabled and support (ibaudit show latest
--     ports) with the expectation; look for a cable or a transceiver of a
--     slower kind, and for a setting that limits the port.
-- false-positives: Where both ends could do better, link-speed or link-width
--     tells of it and this rule does not.

SELECT e.node_guid, e.instance, e.port, e.peer_guid, e.peer_instance,
       e.peer_port,
       'runs at ' || coalesce(l.rate, l.speed_name, l.width_name) || '; ' ||
           coalesce(ib_rate(e.speed, e.width), e.speed_name, e.width_name) ||
           ' is expected' AS message,
       l.speed_name AS speed, l.width_name AS width,
       e.speed_name AS expected_speed, e.width_name AS expected_width
FROM expected_link e
JOIN link l ON l.node_guid = e.node_guid AND l.instance = e.instance AND
               l.port = e.port
WHERE e.state = 'there' AND (l.speed < e.speed OR l.width < e.width) AND
      NOT l.degraded AND NOT l.unknown_speed;
