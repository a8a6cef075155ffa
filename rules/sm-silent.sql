-- id: sm-silent
-- title: Subnet manager does not answer
-- severity: warning
-- why: The port says that a subnet manager runs on it, and SMInfo was not
--     answered. Its process hangs or is stopped; as a master it blocks what
--     comes up, and as a standby it may not take over.
-- remedy: Look at the subnet manager's process on that host (systemctl status
--     opensm, its log, memory and load) and restart it.
-- false-positives: A process that was starting or very busy at that moment.

SELECT s.node_guid, s.instance, s.port,
       'says that it hosts a subnet manager, and SMInfo is not answered' ||
           coalesce('; it was ' || p.state || ' in the snapshot before', '')
           AS message,
       s.port_guid, p.state AS state_before
FROM sm s
LEFT JOIN prev_sm p ON p.node_guid = s.node_guid AND
                       p.instance = s.instance AND p.port = s.port
WHERE NOT s.answered AND NOT EXISTS (
    SELECT 1 FROM failure f         -- the sweep's time was up: not its fault
    WHERE f.node_guid = s.node_guid AND f.instance = s.instance AND
          f.port = s.port AND f.attribute = 'SMInfo' AND
          f.status = 'not sent');
