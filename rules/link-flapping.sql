-- id: link-flapping
-- title: Link goes down again and again
-- severity: error
-- why: The link failed and came back, several times within hours. Each time the
--     jobs that use it stall or die.
-- remedy: Reseat the cable at both ends, clean it, then change it; when the next
--     one flaps too, the port of the adapter or the switch is at fault. Take
--     the host out of service until then.
-- false-positives: A cable that is being worked on. A host that restarts again
--     and again is none: each start sets its counters back, and what a link
--     lost before that is not counted.
-- param: in_hour = 3 -- how often in an hour
-- param: in_day = 5 -- how often in a day

-- The windows are of time: it does not matter how often one sweeps.
SELECT node_guid, instance, port, peer_guid, peer_instance, peer_port,
       'went down ' ||
           CASE WHEN in_hour >= :in_hour
                THEN in_hour || ' times in the last hour'
                ELSE in_day || ' times in the last day' END AS message,
       in_hour, in_day
FROM flap
WHERE in_hour >= :in_hour OR in_day >= :in_day;
