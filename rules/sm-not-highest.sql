-- id: sm-not-highest
-- title: The master is not the subnet manager that should be
-- severity: warning
-- why: The election gives the mastership to the highest priority, and among
--     equals to the lowest port GUID. Another one standing by ranks higher
--     than the master, so the two do not follow the election, or the next
--     restart will move the mastership.
-- remedy: Compare sm_priority and sm_key of the two, and look into both logs
--     for a hand-over that failed.
-- false-positives: A higher one that has just been started takes over within
--     a minute.

WITH best AS (
    SELECT * FROM sm
    WHERE state IN ('MASTER', 'STANDBY')
    ORDER BY priority DESC, port_guid_hex LIMIT 1)
SELECT m.node_guid, m.instance, m.port, b.node_guid AS peer_guid,
       b.instance AS peer_instance, b.port AS peer_port,
       printf('is MASTER with priority %d; %s port %d stands by with %s',
              m.priority, b.node, b.port,
              CASE WHEN b.priority > m.priority
                   THEN 'priority ' || b.priority
                   ELSE 'the same priority and a lower GUID' END) AS message,
       m.priority, b.priority AS best_priority, m.port_guid,
       b.port_guid AS best_port_guid
FROM sm m
JOIN best b
WHERE m.state = 'MASTER' AND b.state <> 'MASTER' AND
      (SELECT count(*) FROM sm WHERE state = 'MASTER') = 1;
