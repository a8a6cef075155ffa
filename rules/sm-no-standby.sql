-- id: sm-no-standby
-- title: There is no standby subnet manager
-- severity: warning
-- why: One subnet manager is MASTER and none stands by. When its host fails,
--     the fabric stays without a subnet manager until somebody notices.
-- remedy: Start a second subnet manager on another host (lower priority, same
--     sm_key), or find out why the one that used to stand by does not run.
-- false-positives: A site that wants a single one: skip this rule.

SELECT node_guid, instance, port,
       printf('%s port %d is MASTER, and no subnet manager stands by', node,
              port) ||
           CASE WHEN (SELECT complete FROM snapshot_info) THEN ''
                ELSE '; but a part of the fabric was not read' END AS message,
       port_guid AS master_port_guid, priority
FROM sm
WHERE state = 'MASTER' AND
      (SELECT count(*) FROM sm WHERE state = 'MASTER') = 1 AND
      NOT EXISTS (SELECT 1 FROM sm WHERE state = 'STANDBY' OR NOT answered);
