-- id: link-speed-limited
-- title: Links have less enabled than both ends support
-- severity: info
-- why: The ends support a faster speed than is enabled on them. That is often
--     meant so (an older cable, a split, a power budget), and sometimes a
--     setting that was forgotten. Links between the same two kinds of device
--     make one line; its place is the first of them.
-- remedy: If it is not meant so, enable the speed at both ends (ibportstate
--     LID PORT espeed, or the switch's configuration) and reset the port.
-- false-positives: Devices that list speeds as supported which their cage,
--     cable or licence does not allow.

WITH limited AS (
    SELECT *, min(device_id, peer_device_id) AS device,
           max(device_id, peer_device_id) AS other
    FROM link
    WHERE best_speed < best_supported_speed AND NOT is_loop),
numbered AS (
    SELECT *, count(*) OVER same AS links,
           row_number() OVER (same ORDER BY node_guid_hex, instance, port)
               AS nth
    FROM limited
    WINDOW same AS (PARTITION BY device, other, best_speed,
                    best_supported_speed))
SELECT node_guid, instance, port, peer_guid, peer_instance, peer_port,
       printf('%d link%s between devices 0x%x and 0x%x %s no more than %s ' ||
              'enabled; the ends support %s', links,
              CASE links WHEN 1 THEN '' ELSE 's' END, device, other,
              CASE links WHEN 1 THEN 'has' ELSE 'have' END,
              best_speed_name, best_supported_speed_name) AS message,
       links, printf('0x%04x', device) AS device_id,
       printf('0x%04x', other) AS peer_device_id,
       best_speed_name AS enabled, best_supported_speed_name AS supported
FROM numbered
WHERE nth = 1;
