-- id: link-unexpected
-- title: A cable is there that nobody expects
-- severity: warning
-- why: It joins two expected nodes in ports that should be free (ibaudit
--     expect show). Routing uses it all the same, and may be the worse for it:
--     a fat tree with one cable too many is none any more.
-- remedy: Ask who plugged it. Pull it, or, where it belongs there, set the
--     expectation anew (ibaudit expect set).
-- false-positives: A plan that does not list all cables.

SELECT node_guid, instance, port, peer_guid, peer_instance, peer_port,
       CASE WHEN (node_guid, instance, port) =
                 (peer_guid, peer_instance, peer_port)
            THEN 'is cabled to itself and should be free'
            ELSE 'is not expected: both ports should be free' END AS message,
       node, peer
FROM unexpected_link;
