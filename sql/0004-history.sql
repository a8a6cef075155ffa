-- Schema 4: error counters as changes.
--
-- A healthy fabric's error counters stand still, so they leave counter_row and
-- have a table like port_rev: a row where one of a port's differs from its
-- reading before.  It holds until the next row of the port, in the snapshots
-- in which the port's error counters were read: those where its counter_row
-- has 1 or 4 in src.  Its columns are added from the program's counter table.
CREATE TABLE error_rev (
    port     INTEGER NOT NULL REFERENCES port_key (id),
    snapshot INTEGER NOT NULL REFERENCES snapshot (id),
    src      INTEGER NOT NULL,  -- 1 PortCounters 4 the 64-bit ones
    full     INTEGER NOT NULL,  -- one of them stands at its maximum
    reset    TEXT,              -- those that somebody cleared since the row
                                -- before, by column; '*': the device began
                                -- anew, or all were cleared
    PRIMARY KEY (port, snapshot)
) WITHOUT ROWID;
CREATE INDEX error_rev_full ON error_rev (port, snapshot) WHERE full;

-- What changed in a snapshot.
CREATE INDEX error_rev_snapshot ON error_rev (snapshot);
CREATE INDEX port_rev_snapshot ON port_rev (snapshot);
CREATE INDEX node_rev_snapshot ON node_rev (snapshot);

-- The rows move over (src/store/split.c), then the old table goes.
DROP VIEW IF EXISTS counter;
ALTER TABLE counter_row RENAME TO counter_row_3;
CREATE TABLE counter_row (
    snapshot INTEGER NOT NULL REFERENCES snapshot (id),
    port     INTEGER NOT NULL REFERENCES port_key (id),
    at       INTEGER NOT NULL,      -- ms after snapshot.started_ms
    src      INTEGER NOT NULL,      -- 1 PortCounters 2 Extended 4 its errors
    PRIMARY KEY (snapshot, port)
) WITHOUT ROWID;

-- What `ibaudit run` found: one row an episode of (rule, place).  Without a
-- node it is about the fabric, without a port about the node.  Snapshots are
-- told by number and time, since pruning may have dropped them.
CREATE TABLE finding_row_4 (
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
    first_snapshot INTEGER NOT NULL,
    first_ms       INTEGER NOT NULL,    -- when that was started
    last_snapshot  INTEGER NOT NULL,
    last_ms        INTEGER NOT NULL,
    missed         INTEGER NOT NULL,    -- checks since, that could have had it
    closed         INTEGER,             -- the snapshot that ended it, NULL:
    closed_ms      INTEGER,             -- it is open
    ended          TEXT                 -- 'cleared', 'superseded'
);
INSERT INTO finding_row_4
SELECT f.id, f.fabric, f.rule, f.node_guid, f.instance, f.port, f.peer_guid,
       f.peer_instance, f.peer_port, f.severity, f.message,
       f.first_snapshot, a.started_ms, f.last_snapshot, b.started_ms, 0,
       f.closed, c.started_ms, CASE WHEN f.closed THEN 'cleared' END
FROM finding_row f
JOIN snapshot a ON a.id = f.first_snapshot
JOIN snapshot b ON b.id = f.last_snapshot
LEFT JOIN snapshot c ON c.id = f.closed;
DROP TABLE finding_row;
ALTER TABLE finding_row_4 RENAME TO finding_row;
CREATE INDEX finding_open ON finding_row (fabric, rule, node_guid, port)
    WHERE closed IS NULL;
CREATE INDEX finding_place ON finding_row (fabric, rule, node_guid, port);

-- What a fabric should be (ibaudit expect): from a snapshot, which pruning
-- keeps, or from a file.
CREATE TABLE expect_set (
    fabric   INTEGER PRIMARY KEY REFERENCES fabric (id),
    set_ms   INTEGER NOT NULL,
    kind     TEXT NOT NULL,         -- 'snapshot', 'topology', 'plan'
    source   TEXT NOT NULL,         -- when the snapshot was, or the file's
                                    -- name, safe to show
    snapshot INTEGER REFERENCES snapshot (id)
);

-- A node is known by its GUID and instance, or, of a plan, by its name; where
-- it has both, the name is only shown.
CREATE TABLE expect_node (
    id       INTEGER PRIMARY KEY,
    fabric   INTEGER NOT NULL REFERENCES expect_set (fabric),
    guid     INTEGER,
    instance INTEGER NOT NULL,
    type     INTEGER,               -- 1 CA, 2 switch, 3 router
    name     TEXT                   -- safe to show
);
CREATE INDEX expect_node_fabric ON expect_node (fabric);

CREATE TABLE expect_link (
    id     INTEGER PRIMARY KEY,
    fabric INTEGER NOT NULL REFERENCES expect_set (fabric),
    a_node INTEGER NOT NULL REFERENCES expect_node (id),
    a_port INTEGER NOT NULL,
    b_node INTEGER NOT NULL REFERENCES expect_node (id),
    b_port INTEGER NOT NULL,
    speed  INTEGER,                 -- the least that will do: ranks, or NULL
    width  INTEGER
);
CREATE INDEX expect_link_fabric ON expect_link (fabric);
