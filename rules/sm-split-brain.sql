-- id: sm-split-brain
-- title: More than one subnet manager is MASTER
-- severity: error
-- why: Two masters overwrite each other's LIDs and routes, and either can
--     declare hosts away that the other just brought up. Everything may look
--     healthy until one of them sweeps.
-- remedy: Stop all but the one that shall be master, at once. Then find out
--     why they did not agree: a different sm_key, a different subnet prefix,
--     or a fabric that was in two parts and was joined.
-- false-positives: None that lasts; a hand-over takes less than a sweep.

WITH master AS (
    SELECT *, count(*) OVER () AS masters,
           row_number() OVER (ORDER BY priority DESC, port_guid_hex) AS nth
    FROM sm
    WHERE state = 'MASTER')
SELECT a.node_guid, a.instance, a.port,
       b.node_guid AS peer_guid, b.instance AS peer_instance,
       b.port AS peer_port,
       a.masters || ' subnet managers are MASTER: ' || (
           SELECT group_concat(text, ', ') FROM (
               SELECT printf('%s port %d (%s, LID %d, priority %d)', node, port,
                             port_guid_hex, lid, priority) AS text
               FROM master ORDER BY nth)) AS message,
       a.masters,
       (SELECT group_concat(port_guid_hex, ' ') FROM (
            SELECT port_guid_hex FROM master ORDER BY nth)) AS port_guids
FROM master a
JOIN master b ON b.nth = 2
WHERE a.nth = 1;
