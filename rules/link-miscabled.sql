-- id: link-miscabled
-- title: Cables are in the wrong ports
-- severity: error
-- why: Each of these cables is there, and leads somewhere else than it should
--     (ibaudit expect show): plugs were exchanged, or put into a wrong port.
--     Traffic flows, but not where routing and the job scheduler want it.
-- remedy: Move the plugs as the line says; it names the ends where that is
--     least work. Then sweep again: the line must be gone.
-- false-positives: A fabric that was cabled anew on purpose: set the
--     expectation anew (ibaudit expect set).

SELECT node_guid, instance, port, peer_guid, peer_instance, peer_port,
       text AS message, cables
FROM miscabled;
