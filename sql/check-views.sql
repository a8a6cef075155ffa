-- The views under the rules: what a rule may read (ibaudit-rules(7)).
--
-- They are temporary, live for one check and tell of one snapshot, and of the
-- baseline under the same names with prev_ in front.  "@" stands for nothing
-- and for "prev_".  A stored_* table is filled once per check, by the
-- check-fill-*.sql of its name, when a rule reads it; the views above them
-- add names.  stored_* tables are no interface.  The views' joins are outer
-- ones because SQLite leaves out those that a rule has no use for.
--
-- node, port and link hold only what was READ in the snapshot; unread tells
-- what was carried over from an earlier one.  NULL is "not read", never 0.
-- GUIDs are signed integers; *_hex is the text, which also sorts right.  A
-- node is named by the node name map, else by its description, else by its
-- GUID.  A speed or width is a rank: a larger number is faster or wider.

CREATE TEMP TABLE @stored_node (
    key               INTEGER PRIMARY KEY,  -- main.node_key.id
    guid              INTEGER,
    instance          INTEGER,
    name              TEXT,
    seen              INTEGER,
    last_read         INTEGER,
    type              INTEGER,
    nports            INTEGER,
    system_image_guid INTEGER,
    device_id         INTEGER,
    vendor_id         INTEGER,
    revision          INTEGER,
    enhanced_port0    INTEGER,
    route             TEXT
);

CREATE TEMP TABLE @stored_port (
    key             INTEGER PRIMARY KEY,    -- main.port_key.id
    rev             INTEGER,                -- main.port_rev.snapshot
    node            INTEGER,
    num             INTEGER,
    seen            INTEGER,                -- read here: 0, and present 1
    present         INTEGER,
    peer            INTEGER,                -- port key, last known
    link_seen       INTEGER,
    lid             INTEGER,
    sm_lid          INTEGER,
    state           INTEGER,
    phys            INTEGER,
    speed           INTEGER,
    speed_supported INTEGER,
    speed_enabled   INTEGER,
    width           INTEGER,
    width_supported INTEGER,
    width_enabled   INTEGER
);

CREATE TEMP TABLE @stored_link (
    own                  INTEGER PRIMARY KEY,   -- port keys
    peer                 INTEGER,
    own_node             INTEGER,
    peer_node            INTEGER,
    own_device           INTEGER,
    peer_device          INTEGER,
    is_loop              INTEGER,
    degraded             INTEGER,
    unknown_speed        INTEGER,
    state                INTEGER,
    speed                INTEGER,
    width                INTEGER,
    best_speed           INTEGER,
    best_width           INTEGER,
    best_supported_speed INTEGER,
    best_supported_width INTEGER
);

-- One row a port that says it hosts a subnet manager (IsSM), or that
-- MasterSMLID names.
CREATE TEMP TABLE @sm (
    node_guid     INTEGER,
    node_guid_hex TEXT,
    instance      INTEGER,
    port          INTEGER,
    node          TEXT,
    lid           INTEGER,
    lmc           INTEGER,
    sm_lid        INTEGER,      -- MasterSMLID of the port
    answered      INTEGER,      -- 1: SMInfo was answered; 0: the rest is NULL
    port_guid     INTEGER,      -- but for these two
    port_guid_hex TEXT,
    priority      INTEGER,      -- 0 to 15
    state         TEXT,         -- 'MASTER', 'STANDBY', 'DISCOVERING',
                                -- 'NOT-ACTIVE'
    act_count     INTEGER
);

-- One row a node that answered NodeInfo.
CREATE TEMP VIEW @node AS SELECT
    guid AS node_guid,
    ib_guid(guid) AS node_guid_hex,
    instance,                   -- 0 but for duplicates of a NodeGUID
    name AS node,
    ib_node_type(type) AS type, -- 'CA', 'switch', 'router'
    type = 1 AND device_id = 0xcf09 AS aggregation_node, -- SHARP
    nports,                     -- NodeInfo.NumPorts
    system_image_guid,
    ib_guid(system_image_guid) AS system_image_guid_hex,
    CASE WHEN type = 1 THEN ib_host(name, system_image_guid, guid) END
        AS host,                -- adapters of one host have the same: the first
                                -- of two words of their names, else the
                                -- system image GUID
    device_id,
    vendor_id,
    revision,
    enhanced_port0,             -- switches: 1, port 0 is a full port
    route                       -- directed, '0,1,5'; NULL but for nodes that
                                -- share their NodeGUID or a PortGUID
FROM @stored_node
WHERE seen = 0;

-- One row a port whose PortInfo was read, port 0 of switches too.  lid, lmc,
-- sm_lid, sm_sl and the capability masks mean something for end ports only.
CREATE TEMP VIEW @port AS SELECT
    n.guid AS node_guid,
    ib_guid(n.guid) AS node_guid_hex,
    n.instance,
    p.num AS port,
    n.name AS node,
    ib_node_type(n.type) AS type,
    n.device_id,
    r.guid AS port_guid,
    ib_guid(r.guid) AS port_guid_hex,
    (n.type = 2) = (p.num = 0) AS is_end_port,  -- has a LID of its own
    p.phys = 5 AS is_up,                        -- PortPhysicalState LinkUp
    p.lid,
    r.lmc,
    p.sm_lid,                                   -- MasterSMLID
    r.sm_sl,
    ib_state(p.state) AS state,                 -- 'ACTIVE', 'INIT', ...
    ib_phys(p.phys) AS phys,                    -- 'LinkUp', 'Polling', ...
    p.speed,                                    -- rank; NULL while not up
    ib_speed(p.speed) AS speed_name,            -- 'NDR'
    r.speed_code,                               -- raw
    p.width,                                    -- rank
    ib_width(p.width) AS width_name,            -- '4X'
    ib_gbps(p.speed, p.width) AS gbps,
    p.speed_supported,                          -- masks of 1 << rank
    p.speed_enabled,
    p.width_supported,
    p.width_enabled,
    r.mtu,                                      -- octets
    r.mtu_cap,
    r.vl_cap,
    r.op_vls,
    r.cap_mask,
    r.cap_mask2,
    r.cap_mask & 2 = 2 AS is_sm,                -- IsSM
    p.peer IS NOT NULL AND p.link_seen = 0 AS has_peer, -- somebody answered
    m.guid AS peer_guid,        -- the other end: read here when has_peer is 1,
    m.instance AS peer_instance, -- else the last known one
    q.num AS peer_port,
    m.name AS peer
FROM @stored_port p
LEFT JOIN @stored_node n ON n.key = p.node
LEFT JOIN main.port_rev r ON r.port = p.key AND r.snapshot = p.rev
LEFT JOIN @stored_port q ON q.key = p.peer
LEFT JOIN @stored_node m ON m.key = q.node
WHERE p.seen = 0 AND p.present;

-- One row a cable: both ends answered.  The first end is the one with the
-- lower (NodeGUID as text, instance, port).  own_* and peer_* are what the two
-- ends say; an end whose PortInfo was not read has NULL there.  Port 0 and
-- ports that the sweep did not reach have no row.
CREATE TEMP VIEW @link AS SELECT
    n.guid AS node_guid,
    ib_guid(n.guid) AS node_guid_hex,
    n.instance,
    a.num AS port,
    n.name AS node,
    ib_node_type(n.type) AS node_type,
    l.own_device AS device_id,
    m.guid AS peer_guid,
    ib_guid(m.guid) AS peer_guid_hex,
    m.instance AS peer_instance,
    b.num AS peer_port,
    m.name AS peer,
    ib_node_type(m.type) AS peer_type,
    l.peer_device AS peer_device_id,
    l.is_loop,                  -- 1: both ends are on one node
    l.degraded,                 -- 1: slower or narrower than both ends have
                                --    enabled; 0 for loops
    l.unknown_speed,            -- 1: an end is up at a speed that has no name
    ib_state(l.state) AS state, -- the lower one of the two ends
    ib_state(a.state) AS own_state,
    ib_state(b.state) AS peer_state,
    l.speed,                    -- rank, the slower end's
    ib_speed(l.speed) AS speed_name,
    a.speed AS own_speed,
    b.speed AS peer_speed,
    r.speed_code AS own_speed_code,     -- raw
    q.speed_code AS peer_speed_code,
    l.width,                    -- rank, the narrower end's
    ib_width(l.width) AS width_name,
    a.width AS own_width,
    b.width AS peer_width,
    ib_gbps(l.speed, l.width) AS gbps,
    ib_rate(l.speed, l.width) AS rate,  -- '400 Gb/s (4X NDR)'
    l.best_speed,               -- ranks, the best that both ends have enabled
    ib_speed(l.best_speed) AS best_speed_name,
    l.best_width,
    ib_width(l.best_width) AS best_width_name,
    ib_gbps(l.best_speed, l.best_width) AS best_gbps,
    ib_rate(l.best_speed, l.best_width) AS best_rate,
    l.best_supported_speed,     -- ranks, the best that both ends support
    ib_speed(l.best_supported_speed) AS best_supported_speed_name,
    l.best_supported_width,
    ib_width(l.best_supported_width) AS best_supported_width_name,
    a.speed_enabled AS own_speed_enabled,       -- masks of 1 << rank
    b.speed_enabled AS peer_speed_enabled,
    a.width_enabled AS own_width_enabled,
    b.width_enabled AS peer_width_enabled
FROM @stored_link l
LEFT JOIN @stored_port a ON a.key = l.own
LEFT JOIN @stored_port b ON b.key = l.peer
LEFT JOIN @stored_node n ON n.key = l.own_node
LEFT JOIN @stored_node m ON m.key = l.peer_node
LEFT JOIN main.port_rev r
    ON r.port = a.key AND r.snapshot = a.rev AND a.seen = 0
LEFT JOIN main.port_rev q
    ON q.port = b.key AND q.snapshot = b.rev AND b.seen = 0;
