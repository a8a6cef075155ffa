-- id: counter-symbol-error
-- title: Symbol errors are rising
-- severity: warning
-- why: The receiver of this port sees bit errors on the lanes. Dust, a bent
--     fibre, a bad transceiver or a cable at its end of life do that;
--     retransmits slow the jobs down, and the link starts to retrain when it
--     gets worse.
-- remedy: Clean and reseat the cable at both ends, the end that counts first.
--     If the errors go on, change the cable, then the transceiver at the far
--     end, whose light this port sees.
-- false-positives: A link that retrained since the baseline counts errors
--     while it trains: it is reported as an info then.
-- param: min_delta = 10 -- smallest rise; a handful is chance
-- param: per_hour = 10 -- smallest rise in an hour; about a bit error rate of
--     1e-14 on 4X NDR
-- param: error_per_hour = 0 -- rise in an hour that makes it an error; 0: none
--     does

SELECT node_guid, instance, port, peer_guid, peer_instance, peer_port,
       counter_name || ' ' || rise ||
           CASE WHEN bounced
                THEN '; the device or the link began anew meanwhile'
                ELSE '' END AS message,
       CASE WHEN bounced THEN 'info'
            WHEN :error_per_hour > 0 AND per_hour >= :error_per_hour
            THEN 'error' END AS severity,
       counter_name AS counter, value, prev AS previous, delta,
       round(per_hour, 1) AS per_hour, interval_s
FROM counter
WHERE counter = 'symbol_error' AND NOT saturated AND
      delta >= :min_delta AND coalesce(per_hour >= :per_hour, 1);
