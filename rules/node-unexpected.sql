-- id: node-unexpected
-- title: A node is there that nobody expects
-- severity: warning
-- why: The fabric has more than it should (ibaudit expect show): somebody
--     attached a host or a switch, or replaced an adapter. What is new is in
--     no expectation, so that nobody would miss it.
-- remedy: Ask who attached it. Where it belongs there, set the expectation
--     anew (ibaudit expect set); one that replaces another has a new GUID,
--     which the subnet manager's files may need, too.
-- false-positives: A second node of one NodeGUID has a rule of its own
--     (dup-node-guid), and SHARP's aggregation nodes come with their switch.

SELECT node_guid, instance, NULL AS port,
       CASE WHEN replaces IS NOT NULL
            THEN 'stands where ' || replaces || ' should, at ' || neighbor ||
                 ' port ' || neighbor_port || ': replaced?'
            WHEN neighbor IS NULL THEN 'is not expected'
            ELSE 'is not expected; it is at ' || neighbor || ' port ' ||
                 neighbor_port END ||
       CASE behind WHEN 0 THEN '' WHEN 1 THEN ', and another node behind it'
            ELSE ', and ' || behind || ' others behind it' END AS message,
       replaces, behind, neighbor, neighbor_port
FROM unexpected_node
WHERE told;
