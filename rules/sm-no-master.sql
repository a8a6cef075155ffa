-- id: sm-no-master
-- title: No subnet manager is MASTER
-- severity: warning
-- why: Without a master nobody assigns LIDs or routes: what runs goes on, but
--     no port that comes up becomes usable, and no job that needs a path
--     record starts. Twice in a row makes it an error, since a hand-over can
--     leave one sweep without a master.
-- remedy: Start the subnet manager (systemctl start opensm) and look into its
--     log why it is not running. With switches that have one built in, look
--     whether it is enabled.
-- false-positives: A hand-over that was under way; one minute is normal.

SELECT NULL AS node_guid, NULL AS instance, NULL AS port,
       CASE managers WHEN 0
            THEN 'no port says that it hosts a subnet manager'
            ELSE 'no subnet manager is MASTER: ' || states END ||
           CASE WHEN twice THEN '; it was so in the baseline already'
                ELSE '' END ||
           -- what was not read may host one
           CASE WHEN complete THEN ''
                ELSE '; but a part of the fabric was not read' END AS message,
       CASE WHEN twice AND complete THEN 'error' END AS severity,
       managers AS subnet_managers
FROM (SELECT (SELECT count(*) FROM sm) AS managers,
             (SELECT group_concat(node || ' port ' || port || ' is ' || state,
                                  ', ')
              FROM sm) AS states,
             (SELECT baseline FROM snapshot_info) IS NOT NULL AND NOT EXISTS (
                 SELECT 1 FROM prev_sm WHERE state = 'MASTER' OR NOT answered)
                 AS twice,
             (SELECT complete FROM snapshot_info) AS complete)
WHERE NOT EXISTS (SELECT 1 FROM sm WHERE state = 'MASTER' OR NOT answered);
