PRAGMA application_id = 1768055157;
PRAGMA user_version = 1;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE fabric (
    id            INTEGER PRIMARY KEY,
    name          TEXT NOT NULL UNIQUE,
    subnet_prefix INTEGER NOT NULL          -- as of its last snapshot
);
INSERT INTO fabric VALUES(1,'default',-108086391056891904);
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
INSERT INTO snapshot VALUES(1,1,-108086391056891904,1796101476363,1796101476382,1,1,24,24,137,0,'engine',1,NULL,4,6,0,0,42,10,1,0,0);
INSERT INTO snapshot VALUES(2,1,-108086391056891904,1796101476579,1796101476598,1,1,24,24,137,0,'engine',1,'one cable is being worked on',4,6,0,0,42,10,1,0,0);
INSERT INTO snapshot VALUES(3,1,-108086391056891904,1796101476795,1796101476815,1,0,0,0,79,0,'engine',1,NULL,4,6,0,0,42,10,1,0,0);
INSERT INTO snapshot VALUES(4,1,-108086391056891904,1796101477044,1796101477069,1,1,23,23,130,0,'engine',1,NULL,4,5,0,0,41,9,1,0,0);
INSERT INTO snapshot VALUES(5,1,-108086391056891904,1796101477368,1796101477393,1,1,24,24,137,0,'engine',1,NULL,4,6,0,0,42,10,1,0,0);
CREATE TABLE node_key (
    id       INTEGER PRIMARY KEY,
    fabric   INTEGER NOT NULL REFERENCES fabric (id),
    guid     INTEGER NOT NULL,              -- NodeGUID
    instance INTEGER NOT NULL,              -- 0 but for duplicates
    UNIQUE (fabric, guid, instance)
);
INSERT INTO node_key VALUES(1,1,783956085571840,0);
INSERT INTO node_key VALUES(2,1,783960380539136,0);
INSERT INTO node_key VALUES(3,1,783956085572096,0);
INSERT INTO node_key VALUES(4,1,783956085572352,0);
INSERT INTO node_key VALUES(5,1,783964675506432,0);
INSERT INTO node_key VALUES(6,1,783964675506688,0);
INSERT INTO node_key VALUES(7,1,783960380539392,0);
INSERT INTO node_key VALUES(8,1,783956085572608,0);
INSERT INTO node_key VALUES(9,1,783956085572864,0);
INSERT INTO node_key VALUES(10,1,783956085573120,0);
CREATE TABLE port_key (
    id   INTEGER PRIMARY KEY,
    node INTEGER NOT NULL REFERENCES node_key (id),
    num  INTEGER NOT NULL,
    UNIQUE (node, num)
);
INSERT INTO port_key VALUES(1,1,1);
INSERT INTO port_key VALUES(2,2,0);
INSERT INTO port_key VALUES(3,2,1);
INSERT INTO port_key VALUES(4,2,2);
INSERT INTO port_key VALUES(5,2,3);
INSERT INTO port_key VALUES(6,2,4);
INSERT INTO port_key VALUES(7,2,5);
INSERT INTO port_key VALUES(8,2,6);
INSERT INTO port_key VALUES(9,2,7);
INSERT INTO port_key VALUES(10,2,8);
INSERT INTO port_key VALUES(11,3,1);
INSERT INTO port_key VALUES(12,4,1);
INSERT INTO port_key VALUES(13,5,0);
INSERT INTO port_key VALUES(14,5,1);
INSERT INTO port_key VALUES(15,5,2);
INSERT INTO port_key VALUES(16,5,3);
INSERT INTO port_key VALUES(17,5,4);
INSERT INTO port_key VALUES(18,5,5);
INSERT INTO port_key VALUES(19,5,6);
INSERT INTO port_key VALUES(20,5,7);
INSERT INTO port_key VALUES(21,5,8);
INSERT INTO port_key VALUES(22,6,0);
INSERT INTO port_key VALUES(23,6,1);
INSERT INTO port_key VALUES(24,6,2);
INSERT INTO port_key VALUES(25,6,3);
INSERT INTO port_key VALUES(26,6,4);
INSERT INTO port_key VALUES(27,6,5);
INSERT INTO port_key VALUES(28,6,6);
INSERT INTO port_key VALUES(29,6,7);
INSERT INTO port_key VALUES(30,6,8);
INSERT INTO port_key VALUES(31,7,0);
INSERT INTO port_key VALUES(32,7,1);
INSERT INTO port_key VALUES(33,7,2);
INSERT INTO port_key VALUES(34,7,3);
INSERT INTO port_key VALUES(35,7,4);
INSERT INTO port_key VALUES(36,7,5);
INSERT INTO port_key VALUES(37,7,6);
INSERT INTO port_key VALUES(38,7,7);
INSERT INTO port_key VALUES(39,7,8);
INSERT INTO port_key VALUES(40,8,1);
INSERT INTO port_key VALUES(41,9,1);
INSERT INTO port_key VALUES(42,10,1);
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
INSERT INTO node_rev VALUES(1,1,0,NULL,1,X'6e6f646531','node1',1,783956085571840,4129,161,713,NULL,NULL,NULL);
INSERT INTO node_rev VALUES(2,1,0,NULL,8,X'6c65616631','leaf1',2,783960380539136,54002,161,713,1,1024,10);
INSERT INTO node_rev VALUES(3,1,0,NULL,1,X'6e6f646532','node2',1,783956085572096,4129,161,713,NULL,NULL,NULL);
INSERT INTO node_rev VALUES(4,1,0,NULL,1,X'6e6f646533','node3',1,783956085572352,4129,161,713,NULL,NULL,NULL);
INSERT INTO node_rev VALUES(5,1,0,NULL,8,X'7370696e6531','spine1',2,783964675506432,54002,161,713,1,1024,10);
INSERT INTO node_rev VALUES(6,1,0,NULL,8,X'7370696e6532','spine2',2,783964675506688,54002,161,713,1,1024,10);
INSERT INTO node_rev VALUES(7,1,0,NULL,8,X'6c65616632','leaf2',2,783960380539392,54002,161,713,1,1024,10);
INSERT INTO node_rev VALUES(8,1,0,NULL,1,X'6e6f646534','node4',1,783956085572608,4129,161,713,NULL,NULL,NULL);
INSERT INTO node_rev VALUES(8,4,2,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO node_rev VALUES(8,5,0,NULL,1,X'6e6f646534','node4',1,783956085572608,4129,161,713,NULL,NULL,NULL);
INSERT INTO node_rev VALUES(9,1,0,NULL,1,X'6e6f646535','node5',1,783956085572864,4129,161,713,NULL,NULL,NULL);
INSERT INTO node_rev VALUES(10,1,0,NULL,1,X'6e6f646536','node6',1,783956085573120,4129,161,713,NULL,NULL,NULL);
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
INSERT INTO port_rev VALUES(1,1,0,NULL,1,3,0,783956085571841,1,0,1,0,4,5,1,1,14,2,3,62,8,2048,2048,4,4,5292106,48);
INSERT INTO port_rev VALUES(2,1,0,NULL,1,NULL,0,783960380539136,2,0,1,0,4,5,1,1,14,2,3,62,8,256,1024,4,4,49224,48);
INSERT INTO port_rev VALUES(3,1,0,NULL,1,1,0,NULL,NULL,NULL,NULL,NULL,4,5,1,1,14,2,3,62,8,2048,2048,4,4,NULL,NULL);
INSERT INTO port_rev VALUES(4,1,0,NULL,1,11,0,NULL,NULL,NULL,NULL,NULL,4,5,1,1,14,2,3,62,8,2048,2048,4,4,NULL,NULL);
INSERT INTO port_rev VALUES(5,1,0,NULL,1,12,0,NULL,NULL,NULL,NULL,NULL,4,5,1,1,14,2,3,62,8,2048,2048,4,4,NULL,NULL);
INSERT INTO port_rev VALUES(6,1,0,NULL,1,14,0,NULL,NULL,NULL,NULL,NULL,4,5,1,1,14,2,3,62,8,2048,2048,4,4,NULL,NULL);
INSERT INTO port_rev VALUES(7,1,0,NULL,1,23,0,NULL,NULL,NULL,NULL,NULL,4,5,1,1,14,2,3,62,8,2048,2048,4,4,NULL,NULL);
INSERT INTO port_rev VALUES(8,1,0,NULL,1,NULL,0,NULL,NULL,NULL,NULL,NULL,1,2,NULL,NULL,14,2,NULL,62,8,NULL,2048,4,NULL,NULL,NULL);
INSERT INTO port_rev VALUES(9,1,0,NULL,1,NULL,0,NULL,NULL,NULL,NULL,NULL,1,2,NULL,NULL,14,2,NULL,62,8,NULL,2048,4,NULL,NULL,NULL);
INSERT INTO port_rev VALUES(10,1,0,NULL,1,NULL,0,NULL,NULL,NULL,NULL,NULL,1,2,NULL,NULL,14,2,NULL,62,8,NULL,2048,4,NULL,NULL,NULL);
INSERT INTO port_rev VALUES(11,1,0,NULL,1,4,0,783956085572097,6,0,1,0,4,5,1,1,14,2,3,62,8,2048,2048,4,4,5292104,48);
INSERT INTO port_rev VALUES(12,1,0,NULL,1,5,0,783956085572353,7,0,1,0,4,5,1,1,14,2,3,62,8,2048,2048,4,4,5292104,48);
INSERT INTO port_rev VALUES(13,1,0,NULL,1,NULL,0,783964675506432,3,0,1,0,4,5,1,1,14,2,3,62,8,256,1024,4,4,49224,48);
INSERT INTO port_rev VALUES(14,1,0,NULL,1,6,0,NULL,NULL,NULL,NULL,NULL,4,5,1,1,14,2,3,62,8,2048,2048,4,4,NULL,NULL);
INSERT INTO port_rev VALUES(15,1,0,NULL,1,35,0,NULL,NULL,NULL,NULL,NULL,4,5,1,1,14,2,3,62,8,2048,2048,4,4,NULL,NULL);
INSERT INTO port_rev VALUES(16,1,0,NULL,1,NULL,0,NULL,NULL,NULL,NULL,NULL,1,2,NULL,NULL,14,2,NULL,62,8,NULL,2048,4,NULL,NULL,NULL);
INSERT INTO port_rev VALUES(17,1,0,NULL,1,NULL,0,NULL,NULL,NULL,NULL,NULL,1,2,NULL,NULL,14,2,NULL,62,8,NULL,2048,4,NULL,NULL,NULL);
INSERT INTO port_rev VALUES(18,1,0,NULL,1,NULL,0,NULL,NULL,NULL,NULL,NULL,1,2,NULL,NULL,14,2,NULL,62,8,NULL,2048,4,NULL,NULL,NULL);
INSERT INTO port_rev VALUES(19,1,0,NULL,1,NULL,0,NULL,NULL,NULL,NULL,NULL,1,2,NULL,NULL,14,2,NULL,62,8,NULL,2048,4,NULL,NULL,NULL);
INSERT INTO port_rev VALUES(20,1,0,NULL,1,NULL,0,NULL,NULL,NULL,NULL,NULL,1,2,NULL,NULL,14,2,NULL,62,8,NULL,2048,4,NULL,NULL,NULL);
INSERT INTO port_rev VALUES(21,1,0,NULL,1,NULL,0,NULL,NULL,NULL,NULL,NULL,1,2,NULL,NULL,14,2,NULL,62,8,NULL,2048,4,NULL,NULL,NULL);
INSERT INTO port_rev VALUES(22,1,0,NULL,1,NULL,0,783964675506688,5,0,1,0,4,5,1,1,14,2,3,62,8,256,1024,4,4,49224,48);
INSERT INTO port_rev VALUES(23,1,0,NULL,1,7,0,NULL,NULL,NULL,NULL,NULL,4,5,1,1,14,2,3,62,8,2048,2048,4,4,NULL,NULL);
INSERT INTO port_rev VALUES(24,1,0,NULL,1,36,0,NULL,NULL,NULL,NULL,NULL,4,5,1,1,14,2,3,62,8,2048,2048,4,4,NULL,NULL);
INSERT INTO port_rev VALUES(25,1,0,NULL,1,NULL,0,NULL,NULL,NULL,NULL,NULL,1,2,NULL,NULL,14,2,NULL,62,8,NULL,2048,4,NULL,NULL,NULL);
INSERT INTO port_rev VALUES(26,1,0,NULL,1,NULL,0,NULL,NULL,NULL,NULL,NULL,1,2,NULL,NULL,14,2,NULL,62,8,NULL,2048,4,NULL,NULL,NULL);
INSERT INTO port_rev VALUES(27,1,0,NULL,1,NULL,0,NULL,NULL,NULL,NULL,NULL,1,2,NULL,NULL,14,2,NULL,62,8,NULL,2048,4,NULL,NULL,NULL);
INSERT INTO port_rev VALUES(28,1,0,NULL,1,NULL,0,NULL,NULL,NULL,NULL,NULL,1,2,NULL,NULL,14,2,NULL,62,8,NULL,2048,4,NULL,NULL,NULL);
INSERT INTO port_rev VALUES(29,1,0,NULL,1,NULL,0,NULL,NULL,NULL,NULL,NULL,1,2,NULL,NULL,14,2,NULL,62,8,NULL,2048,4,NULL,NULL,NULL);
INSERT INTO port_rev VALUES(30,1,0,NULL,1,NULL,0,NULL,NULL,NULL,NULL,NULL,1,2,NULL,NULL,14,2,NULL,62,8,NULL,2048,4,NULL,NULL,NULL);
INSERT INTO port_rev VALUES(31,1,0,NULL,1,NULL,0,783960380539392,4,0,1,0,4,5,1,1,14,2,3,62,8,256,1024,4,4,49224,48);
INSERT INTO port_rev VALUES(32,1,0,NULL,1,40,0,NULL,NULL,NULL,NULL,NULL,4,5,1,1,14,2,3,62,8,2048,2048,4,4,NULL,NULL);
INSERT INTO port_rev VALUES(32,4,0,NULL,1,NULL,0,NULL,NULL,NULL,NULL,NULL,1,2,NULL,NULL,14,2,NULL,62,8,NULL,2048,4,NULL,NULL,NULL);
INSERT INTO port_rev VALUES(32,5,0,NULL,1,40,0,NULL,NULL,NULL,NULL,NULL,4,5,1,1,14,2,3,62,8,2048,2048,4,4,NULL,NULL);
INSERT INTO port_rev VALUES(33,1,0,NULL,1,41,0,NULL,NULL,NULL,NULL,NULL,4,5,1,1,14,2,3,62,8,2048,2048,4,4,NULL,NULL);
INSERT INTO port_rev VALUES(34,1,0,NULL,1,42,0,NULL,NULL,NULL,NULL,NULL,4,5,1,1,14,2,3,62,8,2048,2048,4,4,NULL,NULL);
INSERT INTO port_rev VALUES(35,1,0,NULL,1,15,0,NULL,NULL,NULL,NULL,NULL,4,5,1,1,14,2,3,62,8,2048,2048,4,4,NULL,NULL);
INSERT INTO port_rev VALUES(36,1,0,NULL,1,24,0,NULL,NULL,NULL,NULL,NULL,4,5,1,1,14,2,3,62,8,2048,2048,4,4,NULL,NULL);
INSERT INTO port_rev VALUES(37,1,0,NULL,1,NULL,0,NULL,NULL,NULL,NULL,NULL,1,2,NULL,NULL,14,2,NULL,62,8,NULL,2048,4,NULL,NULL,NULL);
INSERT INTO port_rev VALUES(38,1,0,NULL,1,NULL,0,NULL,NULL,NULL,NULL,NULL,1,2,NULL,NULL,14,2,NULL,62,8,NULL,2048,4,NULL,NULL,NULL);
INSERT INTO port_rev VALUES(39,1,0,NULL,1,NULL,0,NULL,NULL,NULL,NULL,NULL,1,2,NULL,NULL,14,2,NULL,62,8,NULL,2048,4,NULL,NULL,NULL);
INSERT INTO port_rev VALUES(40,1,0,NULL,1,32,0,783956085572609,8,0,1,0,4,5,1,1,14,2,3,62,8,2048,2048,4,4,5292104,48);
INSERT INTO port_rev VALUES(40,4,2,NULL,0,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO port_rev VALUES(40,5,0,NULL,1,32,0,783956085572609,8,0,1,0,4,5,1,1,14,2,3,62,8,2048,2048,4,4,5292104,48);
INSERT INTO port_rev VALUES(41,1,0,NULL,1,33,0,783956085572865,9,0,1,0,4,5,1,1,14,2,3,62,8,2048,2048,4,4,5292104,48);
INSERT INTO port_rev VALUES(42,1,0,NULL,1,34,0,783956085573121,10,0,1,0,4,5,1,1,14,2,3,62,8,2048,2048,4,4,5292104,48);
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
INSERT INTO sm_row VALUES(1,1,1,783956085571841,0,3,204);
INSERT INTO sm_row VALUES(2,1,1,783956085571841,0,3,205);
INSERT INTO sm_row VALUES(3,1,1,783956085571841,0,3,206);
INSERT INTO sm_row VALUES(4,1,1,783956085571841,0,3,321);
INSERT INTO sm_row VALUES(5,1,1,783956085571841,0,3,451);
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
CREATE TABLE counter_row (
    snapshot INTEGER NOT NULL REFERENCES snapshot (id),
    port     INTEGER NOT NULL REFERENCES port_key (id),
    at       INTEGER NOT NULL,      -- ms after snapshot.started_ms
    src      INTEGER NOT NULL, symbol_error INTEGER, link_error_recovery INTEGER, link_downed INTEGER, rcv_errors INTEGER, rcv_remote_physical_errors INTEGER, rcv_switch_relay_errors INTEGER, xmit_discards INTEGER, xmit_constraint_errors INTEGER, rcv_constraint_errors INTEGER, local_link_integrity_errors INTEGER, excessive_buffer_overrun_errors INTEGER, qp1_dropped INTEGER, vl15_dropped INTEGER, xmit_wait INTEGER, xmit_data INTEGER, rcv_data INTEGER, xmit_pkts INTEGER, rcv_pkts INTEGER, unicast_xmit_pkts INTEGER, unicast_rcv_pkts INTEGER, multicast_xmit_pkts INTEGER, multicast_rcv_pkts INTEGER,      -- 1 PortCounters 2 Extended 4 its errors
    PRIMARY KEY (snapshot, port)
) WITHOUT ROWID;
INSERT INTO counter_row VALUES(1,1,1,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,14040,14040,195,195,0,0,0,0);
INSERT INTO counter_row VALUES(1,2,1,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,0,0,0,0,0,0,0,0);
INSERT INTO counter_row VALUES(1,3,1,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,14832,14904,206,207,0,0,0,0);
INSERT INTO counter_row VALUES(1,4,1,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,648,648,9,9,0,0,0,0);
INSERT INTO counter_row VALUES(1,5,3,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,720,720,10,10,0,0,0,0);
INSERT INTO counter_row VALUES(1,6,3,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,7344,7344,102,102,0,0,0,0);
INSERT INTO counter_row VALUES(1,7,4,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,2088,2088,29,29,0,0,0,0);
INSERT INTO counter_row VALUES(1,11,3,3,7,0,2,0,0,0,0,0,0,0,0,NULL,0,0,1008,1080,14,15,0,0,0,0);
INSERT INTO counter_row VALUES(1,12,4,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,1008,1080,14,15,0,0,0,0);
INSERT INTO counter_row VALUES(1,13,7,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,0,0,0,0,0,0,0,0);
INSERT INTO counter_row VALUES(1,14,8,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,8208,8280,114,115,0,0,0,0);
INSERT INTO counter_row VALUES(1,15,9,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,5400,5400,75,75,0,0,0,0);
INSERT INTO counter_row VALUES(1,22,7,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,0,0,0,0,0,0,0,0);
INSERT INTO counter_row VALUES(1,23,9,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,2880,2952,40,41,0,0,0,0);
INSERT INTO counter_row VALUES(1,24,9,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,144,144,2,2,0,0,0,0);
INSERT INTO counter_row VALUES(1,31,11,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,0,0,0,0,0,0,0,0);
INSERT INTO counter_row VALUES(1,32,12,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,648,648,9,9,0,0,0,0);
INSERT INTO counter_row VALUES(1,33,14,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,648,648,9,9,0,0,0,0);
INSERT INTO counter_row VALUES(1,34,15,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,648,648,9,9,0,0,0,0);
INSERT INTO counter_row VALUES(1,35,16,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,7776,6912,108,96,0,0,0,0);
INSERT INTO counter_row VALUES(1,36,17,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,216,1368,3,19,0,0,0,0);
INSERT INTO counter_row VALUES(1,40,15,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,1080,1152,15,16,0,0,0,0);
INSERT INTO counter_row VALUES(1,41,16,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,1080,1152,15,16,0,0,0,0);
INSERT INTO counter_row VALUES(1,42,18,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,1080,1152,15,16,0,0,0,0);
INSERT INTO counter_row VALUES(2,1,1,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,23328,23328,324,324,0,0,0,0);
INSERT INTO counter_row VALUES(2,2,2,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,0,0,0,0,0,0,0,0);
INSERT INTO counter_row VALUES(2,3,2,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,24192,24264,336,337,0,0,0,0);
INSERT INTO counter_row VALUES(2,4,2,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,1224,1224,17,17,0,0,0,0);
INSERT INTO counter_row VALUES(2,5,2,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,1152,1152,16,16,0,0,0,0);
INSERT INTO counter_row VALUES(2,6,4,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,11088,12240,154,170,0,0,0,0);
INSERT INTO counter_row VALUES(2,7,5,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,4824,3672,67,51,0,0,0,0);
INSERT INTO counter_row VALUES(2,11,4,3,90,0,1,0,0,0,0,0,0,0,0,NULL,0,0,1584,1656,22,23,0,0,0,0);
INSERT INTO counter_row VALUES(2,12,5,3,0,0,0,0,0,0,65535,0,0,0,0,NULL,0,0,1584,1656,22,23,0,0,0,0);
INSERT INTO counter_row VALUES(2,13,7,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,0,0,0,0,0,0,0,0);
INSERT INTO counter_row VALUES(2,14,8,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,13032,11952,181,166,0,0,0,0);
INSERT INTO counter_row VALUES(2,15,8,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,7632,8784,106,122,0,0,0,0);
INSERT INTO counter_row VALUES(2,22,8,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,0,0,0,0,0,0,0,0);
INSERT INTO counter_row VALUES(2,23,8,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,4320,5544,60,77,0,0,0,0);
INSERT INTO counter_row VALUES(2,24,10,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,1512,360,21,5,0,0,0,0);
INSERT INTO counter_row VALUES(2,31,11,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,0,0,0,0,0,0,0,0);
INSERT INTO counter_row VALUES(2,32,13,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,1152,1152,16,16,0,0,0,0);
INSERT INTO counter_row VALUES(2,33,14,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,1152,1152,16,16,0,0,0,0);
INSERT INTO counter_row VALUES(2,34,16,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,1224,1224,17,17,0,0,0,0);
INSERT INTO counter_row VALUES(2,35,16,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,11160,9072,155,126,0,0,0,0);
INSERT INTO counter_row VALUES(2,36,18,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,432,2736,6,38,0,0,0,0);
INSERT INTO counter_row VALUES(2,40,16,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,1584,1656,22,23,0,0,0,0);
INSERT INTO counter_row VALUES(2,41,16,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,1512,1584,21,22,0,0,0,0);
INSERT INTO counter_row VALUES(2,42,18,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,1584,1656,22,23,0,0,0,0);
INSERT INTO counter_row VALUES(4,1,6,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,45792,45864,636,637,0,0,0,0);
INSERT INTO counter_row VALUES(4,2,7,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,0,0,0,0,0,0,0,0);
INSERT INTO counter_row VALUES(4,3,7,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,46872,46872,651,651,0,0,0,0);
INSERT INTO counter_row VALUES(4,4,7,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,2376,2376,33,33,0,0,0,0);
INSERT INTO counter_row VALUES(4,5,8,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,2304,2304,32,32,0,0,0,0);
INSERT INTO counter_row VALUES(4,6,14,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,22032,24408,306,339,0,0,0,0);
INSERT INTO counter_row VALUES(4,7,14,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,9864,7560,137,105,0,0,0,0);
INSERT INTO counter_row VALUES(4,11,14,3,90,0,1,0,0,0,0,0,0,0,0,NULL,0,0,2664,2736,37,38,0,0,0,0);
INSERT INTO counter_row VALUES(4,12,14,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,2664,2736,37,38,0,0,0,0);
INSERT INTO counter_row VALUES(4,13,14,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,0,0,0,0,0,0,0,0);
INSERT INTO counter_row VALUES(4,14,16,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,25128,22824,349,317,0,0,0,0);
INSERT INTO counter_row VALUES(4,15,16,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,14976,17352,208,241,0,0,0,0);
INSERT INTO counter_row VALUES(4,22,16,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,0,0,0,0,0,0,0,0);
INSERT INTO counter_row VALUES(4,23,16,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,8208,10584,114,147,0,0,0,0);
INSERT INTO counter_row VALUES(4,24,16,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,3024,720,42,10,0,0,0,0);
INSERT INTO counter_row VALUES(4,31,19,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,0,0,0,0,0,0,0,0);
INSERT INTO counter_row VALUES(4,32,21,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,1944,1944,27,27,0,0,0,0);
INSERT INTO counter_row VALUES(4,33,21,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,2448,2448,34,34,0,0,0,0);
INSERT INTO counter_row VALUES(4,34,23,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,2520,2520,35,35,0,0,0,0);
INSERT INTO counter_row VALUES(4,35,23,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,19224,15984,267,222,0,0,0,0);
INSERT INTO counter_row VALUES(4,36,23,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,792,4248,11,59,0,0,0,0);
INSERT INTO counter_row VALUES(4,41,23,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,2808,2880,39,40,0,0,0,0);
INSERT INTO counter_row VALUES(4,42,24,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,2736,2808,38,39,0,0,0,0);
INSERT INTO counter_row VALUES(5,1,5,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,63504,63648,882,884,0,0,0,0);
INSERT INTO counter_row VALUES(5,2,6,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,0,0,0,0,0,0,0,0);
INSERT INTO counter_row VALUES(5,3,7,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,64656,64584,898,897,0,0,0,0);
INSERT INTO counter_row VALUES(5,4,7,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,3312,3312,46,46,0,0,0,0);
INSERT INTO counter_row VALUES(5,5,7,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,3096,3096,43,43,0,0,0,0);
INSERT INTO counter_row VALUES(5,6,7,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,30600,34200,425,475,0,0,0,0);
INSERT INTO counter_row VALUES(5,7,9,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,13752,10296,191,143,0,0,0,0);
INSERT INTO counter_row VALUES(5,11,7,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,3384,3456,47,48,0,0,0,0);
INSERT INTO counter_row VALUES(5,12,9,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,3456,3528,48,49,0,0,0,0);
INSERT INTO counter_row VALUES(5,13,10,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,0,0,0,0,0,0,0,0);
INSERT INTO counter_row VALUES(5,14,12,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,34992,31464,486,437,0,0,0,0);
INSERT INTO counter_row VALUES(5,15,12,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,20952,24552,291,341,0,0,0,0);
INSERT INTO counter_row VALUES(5,22,12,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,0,0,0,0,0,0,0,0);
INSERT INTO counter_row VALUES(5,23,12,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,10944,14472,152,201,0,0,0,0);
INSERT INTO counter_row VALUES(5,24,14,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,4536,1080,63,15,0,0,0,0);
INSERT INTO counter_row VALUES(5,31,16,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,0,0,0,0,0,0,0,0);
INSERT INTO counter_row VALUES(5,32,17,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,2664,2664,37,37,0,0,0,0);
INSERT INTO counter_row VALUES(5,33,19,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,3384,3384,47,47,0,0,0,0);
INSERT INTO counter_row VALUES(5,34,19,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,3312,3312,46,46,0,0,0,0);
INSERT INTO counter_row VALUES(5,35,25,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,27072,22608,376,314,0,0,0,0);
INSERT INTO counter_row VALUES(5,36,25,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,1152,5760,16,80,0,0,0,0);
INSERT INTO counter_row VALUES(5,40,19,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,2952,3024,41,42,0,0,0,0);
INSERT INTO counter_row VALUES(5,41,25,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,3744,3816,52,53,0,0,0,0);
INSERT INTO counter_row VALUES(5,42,25,3,0,0,0,0,0,0,0,0,0,0,0,NULL,0,0,3744,3816,52,53,0,0,0,0);
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
INSERT INTO finding_row VALUES(1,1,'sm-no-standby',783956085571840,0,1,NULL,NULL,NULL,'warning','node1 port 1 is MASTER, and no subnet manager stands by',1,5,NULL);
INSERT INTO finding_row VALUES(2,1,'link-speed-limited',783956085571840,0,1,783960380539136,0,1,'info','6 links between devices 0x1021 and 0xd2f2 have no more than SDR enabled; the ends support QDR',1,5,NULL);
INSERT INTO finding_row VALUES(3,1,'link-speed-limited',783960380539136,0,4,783964675506432,0,1,'info','4 links between devices 0xd2f2 and 0xd2f2 have no more than SDR enabled; the ends support QDR',1,5,NULL);
INSERT INTO finding_row VALUES(4,1,'counter-saturated',783956085572352,0,1,783960380539136,0,3,'warning','PortXmitDiscards rose from 0 and stands at its maximum, 65535',2,2,4);
INSERT INTO finding_row VALUES(5,1,'counter-reset',783956085572096,0,1,783960380539136,0,2,'info','was cleared: LinkDownedCounter from 2 to 1',2,2,4);
INSERT INTO finding_row VALUES(6,1,'counter-symbol-error',783956085572096,0,1,783960380539136,0,2,'info','SymbolErrorCounter rose by 83 to 90 within a second; the link trained anew meanwhile',2,2,4);
INSERT INTO finding_row VALUES(7,1,'counter-reset',783956085572352,0,1,783960380539136,0,3,'info','was cleared: PortXmitDiscards from 65535 to 0',4,4,5);
INSERT INTO finding_row VALUES(8,1,'counter-reset',783956085572096,0,1,783960380539136,0,2,'info','was cleared: LinkDownedCounter from 1 to 0, SymbolErrorCounter from 90 to 0',5,5,NULL);
CREATE TABLE speed_name (
    rank      INTEGER PRIMARY KEY,
    name      TEXT NOT NULL,
    lane_gbps REAL NOT NULL,            -- signalling rate
    sold_gbps REAL NOT NULL
);
INSERT INTO speed_name VALUES(1,'SDR',2.5,2.5);
INSERT INTO speed_name VALUES(2,'DDR',5.0,5.0);
INSERT INTO speed_name VALUES(3,'QDR',10.0,10.0);
INSERT INTO speed_name VALUES(4,'FDR10',10.3125,10.0);
INSERT INTO speed_name VALUES(5,'FDR',14.0625,14.0);
INSERT INTO speed_name VALUES(6,'EDR',25.78125,25.0);
INSERT INTO speed_name VALUES(7,'HDR',53.125,50.0);
INSERT INTO speed_name VALUES(8,'NDR',106.25,100.0);
INSERT INTO speed_name VALUES(9,'XDR',212.5,200.0);
CREATE TABLE width_name (
    rank  INTEGER PRIMARY KEY,
    name  TEXT NOT NULL,
    lanes INTEGER NOT NULL
);
INSERT INTO width_name VALUES(1,'1X',1);
INSERT INTO width_name VALUES(2,'2X',2);
INSERT INTO width_name VALUES(3,'4X',4);
INSERT INTO width_name VALUES(4,'8X',8);
INSERT INTO width_name VALUES(5,'12X',12);
CREATE TABLE setting (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;
INSERT INTO setting VALUES('derived','5156799450849099190');
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('snapshot',5);
CREATE INDEX snapshot_fabric ON snapshot (fabric, id);
CREATE INDEX finding_open ON finding_row (fabric, rule, node_guid, port)
    WHERE closed IS NULL;
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
    CASE n.seen WHEN 0 THEN 'read' ELSE 'unread' END AS seen,
    CASE n.seen WHEN 0 THEN s.id ELSE n.last_read END AS last_read
                                    -- the snapshot its values are from
FROM snapshot s
CROSS JOIN node_key k ON k.fabric = s.fabric
CROSS JOIN node_rev n ON n.node = k.id AND n.snapshot =
    (SELECT max(x.snapshot) FROM node_rev x
     WHERE x.node = k.id AND x.snapshot <= s.id)
WHERE n.seen <> 2
;
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
WHERE n.seen <> 2 AND r.seen <> 2 AND (r.present OR r.peer IS NOT NULL)
;
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
WHERE r.seen <> 2 AND t.seen <> 2 AND t.peer = r.port AND r.port <= r.peer
;
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
     WHERE x.port = m.port AND x.snapshot <= m.snapshot)
;
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
     WHERE x.node = f.node AND x.snapshot <= f.snapshot)
;
CREATE VIEW counter AS SELECT
    c.snapshot,
    c.port AS port_key,
    k.guid AS node_guid,
    printf('0x%016x', k.guid) AS node_guid_hex,
    k.instance,
    p.num AS port,
    coalesce(nullif(n.name, ''), printf('0x%016x', k.guid)) AS node,
    c.symbol_error, -- errors: bit errors on the lanes: dust, a bad transceiver or cable
    c.link_error_recovery, -- events: the link retrained by itself: clean, reseat, replace the cable
    c.link_downed, -- events: the link went down: a cable when both ends rise, one end alone is usually a reboot
    c.rcv_errors, -- packets: packets received damaged: the cable or the far transmitter
    c.rcv_remote_physical_errors, -- packets: packets that were already marked bad: the fault is upstream
    c.rcv_switch_relay_errors, -- packets: packets a switch could not forward: normally benign
    c.xmit_discards, -- packets: packets dropped before sending: congestion or a dead peer
    c.xmit_constraint_errors, -- packets: packets not sent for a partition or raw rule: check partitions
    c.rcv_constraint_errors, -- packets: packets refused for a partition or raw rule: check partitions
    c.local_link_integrity_errors, -- events: local physical errors beyond the threshold: the cable
    c.excessive_buffer_overrun_errors, -- events: flow control failed for long: firmware or the far end
    c.qp1_dropped, -- packets: management packets dropped at queue pair 1: a busy host
    c.vl15_dropped, -- packets: subnet management packets dropped: too many at once
    c.xmit_wait, -- ticks: time with data to send and no credit: congestion ahead
    c.xmit_data, -- 4 octets: data sent
    c.rcv_data, -- 4 octets: data received
    c.xmit_pkts, -- packets: packets sent
    c.rcv_pkts, -- packets: packets received
    c.unicast_xmit_pkts, -- packets: unicast packets sent
    c.unicast_rcv_pkts, -- packets: unicast packets received
    c.multicast_xmit_pkts, -- packets: multicast packets sent
    c.multicast_rcv_pkts, -- packets: multicast packets received
    c.at,                           -- ms after snapshot.started_ms
    c.src                           -- 1 PortCounters 2 Extended 4 its errors
FROM counter_row c
CROSS JOIN port_key p ON p.id = c.port
CROSS JOIN node_key k ON k.id = p.node
LEFT JOIN node_rev n ON n.node = p.node AND n.snapshot =
    (SELECT max(x.snapshot) FROM node_rev x
     WHERE x.node = p.node AND x.snapshot <= c.snapshot)
;
COMMIT;
