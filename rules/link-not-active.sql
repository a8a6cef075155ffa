-- id: link-not-active
-- title: Link is up but not ACTIVE
-- severity: warning
-- why: The cable works, but the subnet manager has not brought the port to
--     ACTIVE, so no data goes over it. Without a subnet manager that is so
--     everywhere, and makes one line.
-- remedy: Look into the subnet manager's log for this port: it may be held
--     back (quarantined, a duplicate GUID, a failed query), or the subnet
--     manager has not swept since the link came up. If it stays so, reset the
--     port.
-- false-positives: A link that came up seconds before the sweep.

WITH idle AS (
    SELECT *, count(*) OVER () AS links,
           row_number() OVER (ORDER BY node_guid_hex, instance, port) AS nth,
           EXISTS (SELECT 1 FROM sm WHERE state = 'MASTER') AS has_master
    FROM link
    WHERE state <> 'ACTIVE' AND NOT is_loop)
SELECT node_guid, instance, port, peer_guid, peer_instance, peer_port,
       printf('is up, and %s instead of ACTIVE%s', own_state,
              CASE WHEN peer_state <> own_state
                   THEN ' (the other end is ' || peer_state || ')'
                   ELSE '' END) AS message,
       own_state AS state, peer_state, 1 AS links
FROM idle
WHERE has_master AND own_state <> 'ACTIVE'
UNION ALL
-- Only the far end is not ACTIVE: it comes first.
SELECT peer_guid, peer_instance, peer_port, node_guid, instance, port,
       printf('is up, and %s instead of ACTIVE (the other end is %s)',
              peer_state, own_state),
       peer_state, own_state, 1
FROM idle
WHERE has_master AND own_state = 'ACTIVE'
UNION ALL
SELECT NULL, NULL, NULL, NULL, NULL, NULL,
       printf('%d link%s up and not ACTIVE: no subnet manager answers as ' ||
              'MASTER', links, CASE links WHEN 1 THEN ' is' ELSE 's are' END),
       NULL, NULL, links
FROM idle
WHERE NOT has_master AND nth = 1;
