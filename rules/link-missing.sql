-- id: link-missing
-- title: An expected cable is not there
-- severity: error
-- why: Both nodes are there and the cable between them is not (ibaudit expect
--     show). What should go over it takes another way, or none.
-- remedy: See whether the cable is plugged at both ends; reseat it, then
--     change it. A port that is Disabled was switched off: ask who did it, and
--     enable it (ibportstate LID PORT enable).
-- false-positives: A port that is kept down on purpose. A cable of a node that
--     is missing is in that node's line, one that leads elsewhere in
--     link-miscabled.

SELECT node_guid, instance, port, peer_guid, peer_instance, peer_port,
       'is not there: ' ||
           CASE WHEN own_now = peer_now THEN 'both ends are ' || own_now
                ELSE 'the first end ' ||
                     coalesce('is ' || own_now, 'was not read') ||
                     ', the other one ' ||
                     coalesce('is ' || peer_now, 'was not read') END
           AS message,
       own_now, peer_now, speed_name AS speed, width_name AS width
FROM expected_link
WHERE state = 'missing';
