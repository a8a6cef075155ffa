-- @stored_link: two ports that name each other and were read as such.  Each
-- cable is met at the port with the lower key; then its ends are put in order.
-- GUIDs compare unsigned: the negative ones come last.  LIMIT and the last
-- WHERE keep SQLite from computing the inner columns again for each use.
INSERT INTO temp.@stored_link
SELECT CASE WHEN in_order THEN a ELSE b END,
       CASE WHEN in_order THEN b ELSE a END,
       CASE WHEN in_order THEN a_node ELSE b_node END,
       CASE WHEN in_order THEN b_node ELSE a_node END,
       CASE WHEN in_order THEN a_device ELSE b_device END,
       CASE WHEN in_order THEN b_device ELSE a_device END,
       is_loop,
       NOT is_loop AND (coalesce(speed < best_speed, 0) OR
                        coalesce(width < best_width, 0)),
       unknown_speed, state, speed, width, best_speed, best_width,
       best_supported_speed, best_supported_width
FROM (
    SELECT a.key AS a, b.key AS b, a.node AS a_node, b.node AS b_node,
           n.device_id AS a_device, m.device_id AS b_device,
           a.node = b.node AS is_loop,
           (n.guid < 0, n.guid, n.instance, a.num) <=
           (m.guid < 0, m.guid, m.instance, b.num) AS in_order,
           (a.phys = 5 AND coalesce(a.speed, 0) = 0) OR
               (b.phys = 5 AND coalesce(b.speed, 0) = 0) AS unknown_speed,
           ib_lower(a.state, b.state) AS state,
           ib_lower(a.speed, b.speed) AS speed,
           ib_lower(a.width, b.width) AS width,
           ib_top(a.speed_enabled & b.speed_enabled) AS best_speed,
           ib_top(a.width_enabled & b.width_enabled) AS best_width,
           ib_top(a.speed_supported & b.speed_supported)
               AS best_supported_speed,
           ib_top(a.width_supported & b.width_supported)
               AS best_supported_width
    FROM temp.@stored_port a
    CROSS JOIN temp.@stored_port b ON b.key = a.peer
    CROSS JOIN temp.@stored_node n ON n.key = a.node
    CROSS JOIN temp.@stored_node m ON m.key = b.node
    WHERE a.peer >= a.key AND b.peer = a.key AND
          a.link_seen = 0 AND b.link_seen = 0
    LIMIT -1)
WHERE a IS NOT NULL;
