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
