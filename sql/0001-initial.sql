-- Schema 1: snapshots of fabrics; topology as changes, counters as wide rows.
--
-- GUIDs are signed 64-bit integers (SQLite has no others): show them with
-- printf('0x%016x', guid).  NULL is "not read", never 0.
--
-- A *_rev row says what became true in its snapshot and holds until the next
-- row of the same key.  seen: 0 read, 1 unread (carried over from last_read),
-- 2 gone (a tombstone: its other columns mean nothing).  A port of which
-- nothing was ever known has no row.

CREATE TABLE fabric (
    id            INTEGER PRIMARY KEY,
    name          TEXT NOT NULL UNIQUE,
    subnet_prefix INTEGER NOT NULL          -- as of its last snapshot
);

CREATE TABLE snapshot (
    id                INTEGER PRIMARY KEY AUTOINCREMENT,
    fabric            INTEGER NOT NULL REFERENCES fabric (id),
    subnet_prefix     INTEGER NOT NULL,     -- of the local port
    started_ms        INTEGER NOT NULL,     -- since 1970-01-01 UTC
    finished_ms       INTEGER NOT NULL,
    complete          INTEGER NOT NULL,     -- every SMP was answered
    with_counters     INTEGER NOT NULL,
    pma_asked         INTEGER NOT NULL,     -- ports
    pma_answered      INTEGER NOT NULL,
    mads_sent         INTEGER NOT NULL,
    mads_unmatched    INTEGER NOT NULL,
    discovery         TEXT NOT NULL,
    local_port        INTEGER REFERENCES port_key (id),
    note              TEXT,
    -- counted among what was read in this snapshot
    switches          INTEGER NOT NULL,
    cas               INTEGER NOT NULL,
    aggregation_nodes INTEGER NOT NULL,
    routers           INTEGER NOT NULL,
    ports             INTEGER NOT NULL,
    links             INTEGER NOT NULL,
    sms               INTEGER NOT NULL,
    failures          INTEGER NOT NULL,
    unread_nodes      INTEGER NOT NULL
);
CREATE INDEX snapshot_fabric ON snapshot (fabric, id);

-- Identity: one row for each node and port that was ever seen.
CREATE TABLE node_key (
    id       INTEGER PRIMARY KEY,
    fabric   INTEGER NOT NULL REFERENCES fabric (id),
    guid     INTEGER NOT NULL,              -- NodeGUID
    instance INTEGER NOT NULL,              -- 0 but for duplicates
    UNIQUE (fabric, guid, instance)
);

CREATE TABLE port_key (
    id   INTEGER PRIMARY KEY,
    node INTEGER NOT NULL REFERENCES node_key (id),
    num  INTEGER NOT NULL,
    UNIQUE (node, num)
);

CREATE TABLE node_rev (
    node              INTEGER NOT NULL REFERENCES node_key (id),
    snapshot          INTEGER NOT NULL REFERENCES snapshot (id),
    seen              INTEGER NOT NULL,
    last_read         INTEGER,
    nports            INTEGER NOT NULL,     -- NumPorts
    descr             BLOB,                 -- NodeDescription as on the wire
    name              TEXT,                 -- the same, safe to show
    type              INTEGER,              -- 1 CA, 2 switch, 3 router
    system_image_guid INTEGER,
    device_id         INTEGER,
    revision          INTEGER,
    vendor_id         INTEGER,
    enhanced_port0    INTEGER,
    lft_cap           INTEGER,
    lft_top           INTEGER,
    PRIMARY KEY (node, snapshot)
) WITHOUT ROWID;

CREATE TABLE port_rev (
    port            INTEGER NOT NULL REFERENCES port_key (id),
    snapshot        INTEGER NOT NULL REFERENCES snapshot (id),
    seen            INTEGER NOT NULL,
    last_read       INTEGER,
    present         INTEGER NOT NULL,       -- PortInfo was ever read
    peer            INTEGER REFERENCES port_key (id),
    link_seen       INTEGER NOT NULL,
    guid            INTEGER,
    lid             INTEGER,
    lmc             INTEGER,
    sm_lid          INTEGER,
    sm_sl           INTEGER,
    state           INTEGER,
    phys            INTEGER,
    speed           INTEGER,                -- rank: see speed_name
    speed_code      INTEGER,
    speed_supported INTEGER,                -- mask of 1 << rank
    speed_enabled   INTEGER,
    width           INTEGER,                -- rank: see width_name
    width_supported INTEGER,
    width_enabled   INTEGER,
    mtu             INTEGER,                -- octets
    mtu_cap         INTEGER,
    vl_cap          INTEGER,
    op_vls          INTEGER,
    cap_mask        INTEGER,
    cap_mask2       INTEGER,
    PRIMARY KEY (port, snapshot)
) WITHOUT ROWID;

-- Every port that says it hosts a subnet manager, in each snapshot.
CREATE TABLE sm_row (
    snapshot  INTEGER NOT NULL REFERENCES snapshot (id),
    port      INTEGER NOT NULL REFERENCES port_key (id),
    answered  INTEGER NOT NULL,
    guid      INTEGER,
    priority  INTEGER,
    state     INTEGER,      -- 0 NOT-ACTIVE 1 DISCOVERING 2 STANDBY 3 MASTER
    act_count INTEGER,
    PRIMARY KEY (snapshot, port)
) WITHOUT ROWID;

-- Every query that failed.
CREATE TABLE failure_row (
    snapshot   INTEGER NOT NULL REFERENCES snapshot (id),
    seq        INTEGER NOT NULL,
    node       INTEGER REFERENCES node_key (id),    -- NULL: it never said
    num        INTEGER,                             -- port, NULL: the node
    route      TEXT NOT NULL,                       -- directed, "0,1,5"
    mgmt_class INTEGER NOT NULL,
    attribute  INTEGER NOT NULL,
    modifier   INTEGER NOT NULL,
    status     INTEGER NOT NULL,    -- 0 no answer 1 MAD status 2 malformed
    mad_status INTEGER NOT NULL,    -- 3 not sent 4 given up
    text       TEXT NOT NULL,
    PRIMARY KEY (snapshot, seq)
) WITHOUT ROWID;

-- Counters of one port in one snapshot.  The counters' own columns are added
-- from the program's counter table (ibaudit counters).
CREATE TABLE counter_row (
    snapshot INTEGER NOT NULL REFERENCES snapshot (id),
    port     INTEGER NOT NULL REFERENCES port_key (id),
    at       INTEGER NOT NULL,      -- ms after snapshot.started_ms
    src      INTEGER NOT NULL,      -- 1 PortCounters 2 Extended 4 its errors
    PRIMARY KEY (snapshot, port)
) WITHOUT ROWID;

-- What `ibaudit run` found: one row an episode of (rule, place).  Without a
-- node it is about the fabric, without a port about the node.
CREATE TABLE finding_row (
    id             INTEGER PRIMARY KEY,
    fabric         INTEGER NOT NULL REFERENCES fabric (id),
    rule           TEXT NOT NULL,
    node_guid      INTEGER,
    instance       INTEGER,
    port           INTEGER,
    peer_guid      INTEGER,
    peer_instance  INTEGER,
    peer_port      INTEGER,
    severity       TEXT NOT NULL,       -- these two of the last check
    message        TEXT NOT NULL,       -- that had it
    first_snapshot INTEGER NOT NULL REFERENCES snapshot (id),
    last_snapshot  INTEGER NOT NULL REFERENCES snapshot (id),
    closed         INTEGER REFERENCES snapshot (id) -- the first without it
);
CREATE INDEX finding_open ON finding_row (fabric, rule, node_guid, port)
    WHERE closed IS NULL;

-- Names of the ranks, filled from the program's tables (src/model/speed.c).
CREATE TABLE speed_name (
    rank      INTEGER PRIMARY KEY,
    name      TEXT NOT NULL,
    lane_gbps REAL NOT NULL,            -- signalling rate
    sold_gbps REAL NOT NULL
);
CREATE TABLE width_name (
    rank  INTEGER PRIMARY KEY,
    name  TEXT NOT NULL,
    lanes INTEGER NOT NULL
);

-- What was derived from the program: hash of views, counter columns, names.
CREATE TABLE setting (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;
