-- id: counter-saturated
-- title: Error counter stands at its maximum
-- severity: warning
-- why: The counter reached its largest value and stands still there: how many
--     errors came since cannot be known, and the port is blind for this kind
--     of error until somebody clears it. One that was full before already is
--     an info.
-- remedy: Treat the port as one whose counter rises fast (ibaudit rules show
--     of that counter's rule tells what to do), then clear the counter, for
--     example with perfquery -R LID PORT.
-- false-positives: Counters that nobody has cleared for years.
-- param: max_lines = 5 -- more counters than this that were full before make
--     one line

WITH full AS (
    SELECT *, count(*) OVER () AS counters,
           row_number() OVER (ORDER BY node_guid_hex, instance, port, counter)
               AS nth
    FROM counter
    WHERE saturated AND (saturated_before OR prev IS NULL))
SELECT node_guid, instance, port, peer_guid, peer_instance, peer_port,
       printf('%s %s and stands at its maximum, %d', counter_name,
              CASE WHEN reset THEN 'was reset' ELSE 'rose from ' || prev END,
              value) AS message,
       NULL AS severity, counter_name AS counter, value, prev AS previous,
       1 AS counters
FROM counter
WHERE saturated AND NOT saturated_before AND prev IS NOT NULL
UNION ALL
SELECT node_guid, instance, port, peer_guid, peer_instance, peer_port,
       printf('%s stands at its maximum, %d%s', counter_name, value,
              CASE WHEN saturated_before THEN ', as it did before'
                   ELSE ', since when is not known' END),
       'info', counter_name, value, prev, 1
FROM full
WHERE counters <= :max_lines
UNION ALL
SELECT NULL, NULL, NULL, NULL, NULL, NULL,
       printf('%d counters stand at their maximum as they did before, or ' ||
              'since when is not known; the first: %s of %s port %d',
              counters, counter_name, node, port),
       'info', NULL, NULL, NULL, counters
FROM full
WHERE counters > :max_lines AND nth = 1;
