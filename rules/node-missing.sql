-- id: node-missing
-- title: An expected node is not there
-- severity: error
-- why: The fabric should have this host or switch (ibaudit expect show), and
--     every job that was to run over it lacks it. A switch hides all that
--     hangs behind it: that is counted in its line.
-- remedy: Look whether it has power and has booted, then at the cable in the
--     port that is named here; one that answers nothing though its port is up
--     has hung. Where the fabric is to be without it from now on, set the
--     expectation anew (ibaudit expect set).
-- false-positives: A host that was rebooting during the sweep. A node that
--     did not answer behind a port that is up, or that was not read, is a
--     warning: it may be well. One in whose place another one stands is told by
--     node-unexpected.

WITH away AS (
    SELECT *,
           -- a port where it should be is silent, or was not read
           CASE WHEN state IN ('unread', 'ambiguous') THEN NOT cut_off
                ELSE neighbor_guid IS NOT NULL AND NOT cut_off END
               AS may_be_there,
           CASE behind WHEN 0 THEN ''
                WHEN 1 THEN '; a node behind it cannot be seen'
                ELSE '; ' || behind || ' nodes behind it cannot be seen' END
               AS rest,
           CASE WHEN neighbor_now IS NULL THEN ''
                ELSE '; ' || neighbor || ' port ' || neighbor_port ||
                     ', where it should be, is ' || neighbor_now END AS place
    FROM expected_node
    WHERE told AND state <> 'read')
-- Where only its name is known, the place is where it should be.
SELECT coalesce(node_guid, neighbor_guid) AS node_guid,
       CASE WHEN node_guid IS NULL THEN neighbor_instance ELSE instance END
           AS instance,
       CASE WHEN node_guid IS NULL THEN neighbor_port END AS port,
       CASE WHEN node_guid IS NOT NULL THEN ''
            WHEN neighbor IS NULL THEN node || ', which is expected, '
            ELSE 'expected here, ' || node || ' ' END ||
       CASE WHEN state = 'ambiguous'
            THEN 'is the name of ' || namesakes || ' nodes, and nothing is ' ||
                 'said of its cables: expect it by its GUID'
            WHEN state = 'never' THEN 'was never seen' || place
            WHEN state = 'gone' AND may_be_there
            THEN 'could not be read, was gone before' || place
            WHEN state = 'gone' THEN 'is gone' || place
            ELSE CASE WHEN may_be_there THEN 'could not be read'
                      ELSE 'cannot be reached' END ||
                 coalesce(', was last in snapshot ' || last_read, '') ||
                 place END ||
       rest AS message,
       CASE WHEN may_be_there THEN 'warning' END AS severity,
       node AS expected, state, behind, neighbor, neighbor_port
FROM away;
