-- Views for sqlite3(1): what each snapshot knew, in readable form.
--
--     SELECT * FROM link WHERE snapshot = 12 AND gbps < 400;
--
-- All are keyed by the column snapshot: name one, or the answer is about every
-- snapshot there is.  What is gone in a snapshot is not in it; what could not
-- be read then has seen 'unread', and its last known values.  NULL is "not
-- read".  GUIDs are signed integers, beside them stands the usual text (_hex).
-- Columns ending in _key join with the tables.

DROP VIEW IF EXISTS node;
CREATE VIEW node AS SELECT
    s.id AS snapshot,
    k.id AS node_key,
    k.guid AS node_guid,            -- NodeGUID
    printf('0x%016x', k.guid) AS node_guid_hex,
    k.instance,                     -- 0 but for duplicates of a NodeGUID
    coalesce(nullif(n.name, ''), printf('0x%016x', k.guid)) AS name,
                                    -- NodeDescription made safe to show; the
                                    -- GUID when there is none
    n.type,                         -- 1 CA, 2 switch, 3 router
    CASE n.type WHEN 1 THEN 'CA' WHEN 2 THEN 'switch' WHEN 3 THEN 'router'
        END AS type_name,
    n.type = 1 AND n.device_id = 0xcf09 AS aggregation, -- SHARP, in a switch
    n.nports,                       -- NumPorts
    n.system_image_guid,            -- nodes of one box share it
    CASE WHEN n.system_image_guid IS NOT NULL
        THEN printf('0x%016x', n.system_image_guid) END AS system_image_guid_hex,
    n.device_id,
    n.vendor_id,                    -- IEEE OUI
    n.revision,
    n.enhanced_port0,               -- switches: port 0 is a full port
    n.lft_cap,                      -- switches: entries of the forwarding table
    n.lft_top,                      -- switches: highest LID in it
    d.route,                        -- directed route from the local port, of
                                    -- nodes that share a GUID with another
    CASE n.seen WHEN 0 THEN 'read' ELSE 'unread' END AS seen,
    CASE n.seen WHEN 0 THEN s.id ELSE n.last_read END AS last_read
                                    -- the snapshot its values are from
FROM snapshot s
CROSS JOIN node_key k ON k.fabric = s.fabric
CROSS JOIN node_rev n ON n.node = k.id AND n.snapshot =
    (SELECT max(x.snapshot) FROM node_rev x
     WHERE x.node = k.id AND x.snapshot <= s.id)
LEFT JOIN duplicate_row d ON d.snapshot = s.id AND d.node = k.id
WHERE n.seen <> 2;

DROP VIEW IF EXISTS port;
CREATE VIEW port AS SELECT
    s.id AS snapshot,
    p.id AS port_key,
    k.id AS node_key,
    k.guid AS node_guid,            -- NodeGUID
    printf('0x%016x', k.guid) AS node_guid_hex,
    k.instance,                     -- 0 but for duplicates of a NodeGUID
    p.num AS port,
    coalesce(nullif(n.name, ''), printf('0x%016x', k.guid)) AS node,
    n.type AS node_type,            -- 1 CA, 2 switch, 3 router
    r.guid AS port_guid,            -- where it is known
    CASE WHEN r.guid IS NOT NULL
        THEN printf('0x%016x', r.guid) END AS port_guid_hex,
    r.lid,                          -- these four mean something of CA, router
    r.lmc,                          -- and switch port 0 only
    r.sm_lid,                       -- MasterSMLID
    r.sm_sl,
    r.state,                        -- 1 DOWN 2 INIT 3 ARMED 4 ACTIVE
    CASE r.state WHEN 1 THEN 'DOWN' WHEN 2 THEN 'INIT' WHEN 3 THEN 'ARMED'
        WHEN 4 THEN 'ACTIVE' END AS state_name,
    r.phys,                         -- 2 Polling 3 Disabled 5 LinkUp
    CASE r.phys WHEN 1 THEN 'Sleep' WHEN 2 THEN 'Polling'
        WHEN 3 THEN 'Disabled' WHEN 4 THEN 'PortConfigurationTraining'
        WHEN 5 THEN 'LinkUp' WHEN 6 THEN 'LinkErrorRecovery'
        WHEN 7 THEN 'PhyTest' END AS phys_name,
    r.speed,                        -- rank of the active speed: speed_name
    sn.name AS speed_name,
    r.speed_code,                   -- raw: ext2 << 8 | ext << 4 | original
    r.speed_supported,              -- masks of 1 << rank
    r.speed_enabled,
    r.width,                        -- rank of the active width: width_name
    wn.name AS width_name,
    r.width_supported,              -- masks of 1 << rank
    r.width_enabled,
    sn.sold_gbps * wn.lanes AS gbps, -- rate of the link, Gb/s
    r.mtu,                          -- NeighborMTU, octets
    r.mtu_cap,                      -- MTUCap, octets
    r.vl_cap,                       -- wire codes
    r.op_vls,
    r.cap_mask,                     -- CapabilityMask; CA, router, port 0
    r.cap_mask2,
    r.peer AS peer_key,             -- the other end of the cable: NULL when
    qk.guid AS peer_guid,           -- there is none, or it never answered
    CASE WHEN qk.guid IS NOT NULL
        THEN printf('0x%016x', qk.guid) END AS peer_guid_hex,
    qk.instance AS peer_instance,
    q.num AS peer_port,
    coalesce(nullif(qn.name, ''), CASE WHEN qk.guid IS NOT NULL
        THEN printf('0x%016x', qk.guid) END) AS peer_node,
    CASE WHEN r.peer IS NULL THEN NULL WHEN r.link_seen = 0 THEN 'read'
        ELSE 'unread' END AS peer_seen,
    r.present,                      -- PortInfo was read, then or before
    CASE WHEN r.present AND r.seen = 0 THEN 'read' ELSE 'unread' END AS seen,
    CASE WHEN r.present AND r.seen = 0 THEN s.id ELSE r.last_read END
        AS last_read                -- the snapshot its values are from
FROM snapshot s
CROSS JOIN node_key k ON k.fabric = s.fabric
CROSS JOIN node_rev n ON n.node = k.id AND n.snapshot =
    (SELECT max(x.snapshot) FROM node_rev x
     WHERE x.node = k.id AND x.snapshot <= s.id)
CROSS JOIN port_key p ON p.node = k.id
CROSS JOIN port_rev r ON r.port = p.id AND r.snapshot =
    (SELECT max(x.snapshot) FROM port_rev x
     WHERE x.port = p.id AND x.snapshot <= s.id)
LEFT JOIN port_key q ON q.id = r.peer
LEFT JOIN node_key qk ON qk.id = q.node
LEFT JOIN node_rev qn ON qn.node = q.node AND qn.snapshot =
    (SELECT max(x.snapshot) FROM node_rev x
     WHERE x.node = q.node AND x.snapshot <= s.id)
LEFT JOIN speed_name sn ON sn.rank = r.speed
LEFT JOIN width_name wn ON wn.rank = r.width
WHERE n.seen <> 2 AND r.seen <> 2 AND (r.present OR r.peer IS NOT NULL);

-- One row a cable.  Which end comes first never changes while both live.
DROP VIEW IF EXISTS link;
CREATE VIEW link AS SELECT
    s.id AS snapshot,
    p.id AS port_key,
    k.guid AS node_guid,            -- one end
    printf('0x%016x', k.guid) AS node_guid_hex,
    k.instance,
    p.num AS port,
    coalesce(nullif(n.name, ''), printf('0x%016x', k.guid)) AS node,
    n.type AS node_type,            -- 1 CA, 2 switch, 3 router
    q.id AS peer_key,
    qk.guid AS peer_guid,           -- the other end
    CASE WHEN qk.guid IS NOT NULL
        THEN printf('0x%016x', qk.guid) END AS peer_guid_hex,
    qk.instance AS peer_instance,
    q.num AS peer_port,
    coalesce(nullif(m.name, ''), printf('0x%016x', qk.guid)) AS peer_node,
    m.type AS peer_type,
    r.state,                        -- 1 DOWN 2 INIT 3 ARMED 4 ACTIVE
    t.state AS peer_state,
    CASE min(coalesce(r.state, t.state), coalesce(t.state, r.state))
        WHEN 1 THEN 'DOWN' WHEN 2 THEN 'INIT' WHEN 3 THEN 'ARMED'
        WHEN 4 THEN 'ACTIVE' END AS state_name, -- the lower of both ends'
    sn.rank AS speed,               -- the slower of both ends'; NULL where
    sn.name AS speed_name,          -- one has a code that nobody knows
    wn.rank AS width,               -- the narrower of both ends'
    wn.name AS width_name,
    sn.sold_gbps * wn.lanes AS gbps, -- Gb/s
    r.speed_supported & t.speed_supported AS speed_supported, -- masks of
    r.speed_enabled & t.speed_enabled AS speed_enabled,       -- 1 << rank,
    r.width_supported & t.width_supported AS width_supported, -- what both
    r.width_enabled & t.width_enabled AS width_enabled,       -- ends have
    CASE WHEN r.link_seen = 0 AND t.link_seen = 0 THEN 'read'
        ELSE 'unread' END AS seen
FROM snapshot s
CROSS JOIN node_key k ON k.fabric = s.fabric
CROSS JOIN port_key p ON p.node = k.id
CROSS JOIN port_rev r ON r.port = p.id AND r.snapshot =
    (SELECT max(x.snapshot) FROM port_rev x
     WHERE x.port = p.id AND x.snapshot <= s.id)
CROSS JOIN port_rev t ON t.port = r.peer AND t.snapshot =
    (SELECT max(x.snapshot) FROM port_rev x
     WHERE x.port = r.peer AND x.snapshot <= s.id)
CROSS JOIN port_key q ON q.id = r.peer
CROSS JOIN node_key qk ON qk.id = q.node
CROSS JOIN node_rev n ON n.node = k.id AND n.snapshot =
    (SELECT max(x.snapshot) FROM node_rev x
     WHERE x.node = k.id AND x.snapshot <= s.id)
CROSS JOIN node_rev m ON m.node = q.node AND m.snapshot =
    (SELECT max(x.snapshot) FROM node_rev x
     WHERE x.node = q.node AND x.snapshot <= s.id)
LEFT JOIN speed_name sn ON sn.rank =
    min(coalesce(r.speed, t.speed), coalesce(t.speed, r.speed)) AND
    NOT (r.speed IS NULL AND coalesce(r.speed_code, 0) > 0) AND
    NOT (t.speed IS NULL AND coalesce(t.speed_code, 0) > 0)
LEFT JOIN width_name wn ON wn.rank =
    min(coalesce(r.width, t.width), coalesce(t.width, r.width))
WHERE r.seen <> 2 AND t.seen <> 2 AND t.peer = r.port AND r.port <= r.peer;

-- Each port that says it hosts a subnet manager.
DROP VIEW IF EXISTS sm;
CREATE VIEW sm AS SELECT
    m.snapshot,
    m.port AS port_key,
    k.guid AS node_guid,
    printf('0x%016x', k.guid) AS node_guid_hex,
    k.instance,
    p.num AS port,
    coalesce(nullif(n.name, ''), printf('0x%016x', k.guid)) AS node,
    r.lid,                          -- of the port
    r.sm_lid,                       -- the port's MasterSMLID
    m.answered,                     -- 0: IsSM is set, and nothing came back
    m.guid AS sm_guid,              -- SMInfo.GUID, a port's
    CASE WHEN m.guid IS NOT NULL
        THEN printf('0x%016x', m.guid) END AS sm_guid_hex,
    m.priority,                     -- 0 to 15
    m.state,                        -- 0 NOT-ACTIVE 1 DISCOVERING 2 STANDBY
    CASE m.state WHEN 0 THEN 'NOT-ACTIVE' WHEN 1 THEN 'DISCOVERING'
        WHEN 2 THEN 'STANDBY' WHEN 3 THEN 'MASTER' END AS state_name,
    m.act_count                     -- lower than before: it restarted
FROM sm_row m
CROSS JOIN port_key p ON p.id = m.port
CROSS JOIN node_key k ON k.id = p.node
LEFT JOIN node_rev n ON n.node = p.node AND n.snapshot =
    (SELECT max(x.snapshot) FROM node_rev x
     WHERE x.node = p.node AND x.snapshot <= m.snapshot)
LEFT JOIN port_rev r ON r.port = m.port AND r.snapshot =
    (SELECT max(x.snapshot) FROM port_rev x
     WHERE x.port = m.port AND x.snapshot <= m.snapshot);

-- Each query that failed.
DROP VIEW IF EXISTS failure;
CREATE VIEW failure AS SELECT
    f.snapshot,
    f.seq,                          -- in the order of the sweep
    k.guid AS node_guid,            -- NULL: it never told who it is
    CASE WHEN k.guid IS NOT NULL
        THEN printf('0x%016x', k.guid) END AS node_guid_hex,
    k.instance,
    f.num AS port,                  -- NULL: the node as a whole
    coalesce(nullif(n.name, ''), CASE WHEN k.guid IS NOT NULL
        THEN printf('0x%016x', k.guid) END) AS node,
    f.route,                        -- directed route from the local port
    f.mgmt_class,                   -- 0x81 SMP by directed route, 0x04 PMA
    f.attribute,                    -- attribute id
    f.modifier,                     -- attribute modifier
    f.status,                       -- 0 to 4, as in status_name
    CASE f.status WHEN 0 THEN 'no answer' WHEN 1 THEN 'MAD status'
        WHEN 2 THEN 'malformed' WHEN 3 THEN 'not sent'
        WHEN 4 THEN 'given up' END AS status_name,
    f.mad_status,                   -- of the reply
    f.text                          -- in words
FROM failure_row f
LEFT JOIN node_key k ON k.id = f.node
LEFT JOIN node_rev n ON n.node = f.node AND n.snapshot =
    (SELECT max(x.snapshot) FROM node_rev x
     WHERE x.node = f.node AND x.snapshot <= f.snapshot);

-- The counters that were read, one row a port: totals, not deltas.
DROP VIEW IF EXISTS counter;
CREATE VIEW counter AS SELECT
    c.snapshot,
    c.port AS port_key,
    k.guid AS node_guid,
    printf('0x%016x', k.guid) AS node_guid_hex,
    k.instance,
    p.num AS port,
    coalesce(nullif(n.name, ''), printf('0x%016x', k.guid)) AS node,
    @COUNTERS@
    c.at,                           -- ms after snapshot.started_ms
    c.src                           -- 1 PortCounters 2 Extended 4 its errors
                                    -- 8 PortRcvErrorDetails
                                    -- 16 PortXmitDiscardDetails
FROM counter_row c
LEFT JOIN error_rev e ON c.src & 5 AND e.port = c.port AND e.snapshot =
    (SELECT max(x.snapshot) FROM error_rev x
     WHERE x.port = c.port AND x.snapshot <= c.snapshot)
LEFT JOIN detail_row d ON d.snapshot = c.snapshot AND d.port = c.port
CROSS JOIN port_key p ON p.id = c.port
CROSS JOIN node_key k ON k.id = p.node
LEFT JOIN node_rev n ON n.node = p.node AND n.snapshot =
    (SELECT max(x.snapshot) FROM node_rev x
     WHERE x.node = p.node AND x.snapshot <= c.snapshot);
