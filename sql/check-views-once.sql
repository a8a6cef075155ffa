-- The views under the rules that exist once, not for the baseline too: see
-- check-views.sql.

CREATE TEMP TABLE stored_counter (
    counter          TEXT,
    port             INTEGER,
    name             TEXT,
    unit             TEXT,
    width            INTEGER,
    value            INTEGER,
    prev             INTEGER,
    delta            INTEGER,
    interval_s       REAL,
    reset            INTEGER,
    saturated        INTEGER,
    saturated_before INTEGER,
    peer             INTEGER,   -- port key, or the last one known
    peer_node        INTEGER,
    peer_num         INTEGER,
    was_up           INTEGER,
    PRIMARY KEY (counter, port)
) WITHOUT ROWID;
CREATE INDEX temp.stored_counter_port ON stored_counter (port);

CREATE TEMP TABLE stored_name (
    guid INTEGER PRIMARY KEY,
    name TEXT
);

-- One row: this snapshot and its baseline.
CREATE TEMP TABLE snapshot_info (
    id            INTEGER,
    fabric        TEXT,
    started_ms    INTEGER,      -- since 1970-01-01 UTC
    finished_ms   INTEGER,
    complete      INTEGER,      -- 1: every SMP was answered
    with_counters INTEGER,      -- 1: the sweep asked for counters
    pma_asked     INTEGER,      -- ports whose counters were asked for
    pma_answered  INTEGER,      -- ports whose counters were read
    baseline      INTEGER,      -- its id; NULL: there is none
    interval_s    REAL,         -- since the baseline; NULL when not above 0
    fabric_key    INTEGER,
    local_guid    INTEGER,      -- NodeGUID, instance and port of the port
    local_instance INTEGER,     -- that the sweep went out by
    local_port    INTEGER,
    expectation   TEXT          -- 'snapshot', 'topology', 'plan': what says
                                -- what the fabric should be; NULL: nothing
);

-- One row an error counter of a port that moved since the baseline, fell, or
-- stands at its maximum.  The widest counter that the port has is judged.
CREATE TEMP VIEW counter AS SELECT
    n.guid AS node_guid,
    ib_guid(n.guid) AS node_guid_hex,
    n.instance,
    p.num AS port,
    n.name AS node,
    m.guid AS peer_guid,        -- the other end, or the last one known
    ib_guid(m.guid) AS peer_guid_hex,
    m.instance AS peer_instance,
    c.peer_num AS peer_port,
    m.name AS peer,
    c.counter,                  -- 'symbol_error': see ibaudit counters
    c.name AS counter_name,     -- 'SymbolErrorCounter'
    c.unit,
    c.width,                    -- bits
    c.value,
    c.prev,                     -- in the baseline, else the last reading
                                -- before it; NULL: there is none
    c.delta,                    -- the rise; after a reset, since the reset;
                                -- NULL: not known
    c.delta / (max(c.interval_s, 3600) / 3600.0) AS per_hour,
                                -- an interval below an hour counts as one;
                                -- NULL: the clock did not move forward
    c.interval_s,               -- between the two readings; NULL: not above 0
    c.reset,                    -- 1: somebody cleared it, or the device
                                --    restarted
    c.saturated,                -- 1: at its maximum, where it stands still
    c.saturated_before,         -- 1: in the baseline too
    EXISTS (SELECT 1 FROM main.error_rev x, temp.snapshot_info i
            WHERE x.port = c.port AND x.reset = '*' AND
                  x.snapshot > i.baseline AND x.snapshot <= i.id)
        AS epoch,               -- 1: the port's counters all began anew: its
                                --    device restarted, or was cleared
    (SELECT o.delta FROM temp.stored_counter o
     WHERE o.counter = c.counter AND o.port = c.peer AND NOT o.reset)
        AS peer_delta,          -- the same counter's rise at the other end
    coalesce(NOT c.was_up, 0) OR EXISTS (
        SELECT 1 FROM temp.stored_counter o
        WHERE o.port IN (c.port, c.peer) AND o.delta > 0 AND
              o.counter IN ('link_downed', 'link_error_recovery')) OR
        EXISTS (SELECT 1 FROM main.error_rev x, temp.snapshot_info i
                WHERE x.port IN (c.port, c.peer) AND x.reset = '*' AND
                      x.snapshot > i.baseline AND x.snapshot <= i.id)
        AS bounced,             -- 1: the link retrained, went down, was away
                                --    or a device began anew since the
                                --    baseline, at either end
    CASE WHEN c.reset THEN 'counts ' || c.delta || ' since it was reset'
         ELSE 'rose by ' || c.delta || ' to ' || c.value END ||
    coalesce(' within ' || ib_duration(c.interval_s), '')
        AS rise                 -- in words
FROM temp.stored_counter c
JOIN temp.stored_port p ON p.key = c.port
JOIN temp.stored_node n ON n.key = p.node
LEFT JOIN temp.stored_node m ON m.key = c.peer_node;

-- One row a time that an error counter of a port moved, in the day before the
-- snapshot: windows of time, however often one sweeps.
CREATE TEMP VIEW event AS SELECT
    n.guid AS node_guid,
    ib_guid(n.guid) AS node_guid_hex,
    n.instance,
    p.num AS port,
    n.name AS node,
    m.guid AS peer_guid,        -- the other end, as it is in this snapshot
    ib_guid(m.guid) AS peer_guid_hex,
    m.instance AS peer_instance,
    q.num AS peer_port,
    m.name AS peer,
    e.snapshot,                 -- the first that had the value
    e.age_s,                    -- how long before this snapshot that was
    e.interval_s,               -- since the sweep before that: the event was
                                -- within it
    e.counter,                  -- 'link_downed': see ibaudit counters
    e.value,
    e.prev,
    CASE WHEN e.reset THEN e.value ELSE e.value - e.prev END AS delta,
    e.reset,                    -- 1: it was cleared before it rose to that
    e.epoch,                    -- 1: all counters of the port began anew
    e.port_key,
    p.peer AS peer_key
FROM (@EVENTS@) e
LEFT JOIN temp.stored_port p ON p.key = e.port_key
LEFT JOIN temp.stored_node n ON n.key = p.node
LEFT JOIN temp.stored_port q ON q.key = p.peer
LEFT JOIN temp.stored_node m ON m.key = q.node;

-- One row a cable that went down within the day before the snapshot, since a
-- device at an end of it last began anew: a host that was rebooted takes its
-- link down, and that is no fault of the cable.  The end that counted more.
CREATE TEMP VIEW flap AS
WITH flap_anew AS (
    SELECT x.port AS port_key, max(x.snapshot) AS snapshot
    FROM temp.snapshot_info i
    CROSS JOIN main.snapshot s ON s.fabric = i.fabric_key AND s.id <= i.id AND
        s.started_ms > i.started_ms - 86400000
    CROSS JOIN main.error_rev x ON x.snapshot = s.id
    WHERE x.reset = '*'
    GROUP BY x.port),
flap_down AS (
    SELECT e.node_guid, e.node_guid_hex, e.instance, e.port, e.node,
           e.peer_guid, e.peer_guid_hex, e.peer_instance, e.peer_port, e.peer,
           e.port_key, e.peer_key,
           total(CASE WHEN e.age_s < 3600
                      THEN e.delta * min(1, 3600 / max(e.interval_s, 1))
                 END) AS in_hour,
           total(e.delta * min(1, 86400 / max(e.interval_s, 1))) AS in_day
    FROM event e
    WHERE e.counter = 'link_downed' AND e.delta > 0 AND NOT e.epoch AND
          NOT EXISTS (SELECT 1 FROM flap_anew a
                      WHERE a.port_key IN (e.port_key, e.peer_key) AND
                            a.snapshot >= e.snapshot)
    GROUP BY e.port_key)
SELECT node_guid, node_guid_hex, instance, port, node,
       peer_guid, peer_guid_hex, peer_instance, peer_port, peer,
       CAST(in_hour AS INTEGER) AS in_hour, -- how often, in the last hour
       CAST(in_day AS INTEGER) AS in_day    -- and in the last day: the part of
                                            -- an interval that is longer
FROM flap_down d
WHERE NOT EXISTS (SELECT 1 FROM flap_down o
                  WHERE o.port_key = d.peer_key AND
                        (o.in_day > d.in_day OR
                         (o.in_day = d.in_day AND o.port_key < d.port_key)));

-- One row: is the fabric at rest?  What is found in one that is not may be over
-- in a minute.
CREATE TEMP VIEW settled AS
WITH settled_master AS (
    SELECT s.id, (SELECT group_concat(guid)
                  FROM (SELECT guid FROM main.sm_row
                        WHERE snapshot = s.id AND state = 3
                        ORDER BY guid)) AS guids
    FROM main.snapshot s, temp.snapshot_info i
    WHERE s.fabric = i.fabric_key AND s.id <= i.id AND
          (s.started_ms > i.started_ms - 300000 OR
           s.id = (SELECT max(id) FROM main.snapshot
                   WHERE fabric = i.fabric_key AND id < i.id AND
                         started_ms <= i.started_ms - 300000))),
settled_link AS (
    SELECT count(*) AS n, total(state < 4) AS waiting FROM temp.stored_link)
SELECT NOT changed AND waiting * 200 <= n AS settled,
       changed AS master_changed,   -- 1: within five minutes, as far as the
                                    --    sweeps can tell, or there is none
       CAST(waiting AS INTEGER) AS links_waiting, -- up, and not ACTIVE
       n AS links
FROM (SELECT EXISTS (
          SELECT 1 FROM settled_master m, temp.snapshot_info i
          WHERE m.id < i.id AND m.guids IS NOT (
              SELECT guids FROM settled_master WHERE id = i.id)) OR
          (SELECT guids FROM settled_master m, temp.snapshot_info i
           WHERE m.id = i.id) IS NULL AS changed), settled_link;

-- One row a query that failed.
CREATE TEMP TABLE failure (
    node_guid     INTEGER,      -- NULL: it never said who it is
    node_guid_hex TEXT,
    instance      INTEGER,
    port          INTEGER,      -- NULL: the node as a whole
    node          TEXT,
    class         TEXT,         -- 'SMP', 'PMA'
    attribute     TEXT,         -- 'PortInfo'
    modifier      INTEGER,
    status        TEXT,         -- 'no answer', 'MAD status', 'malformed',
                                -- 'not sent', 'given up'
    mad_status    INTEGER,
    route         TEXT,         -- directed, '0,1,5'
    text          TEXT
);

-- One row a node, port or link that was read before and not now.  The ports
-- and links of an unread node are not listed one by one.
CREATE TEMP VIEW unread AS
SELECT 'node' AS kind,          -- 'node', 'port', 'link'
       guid AS node_guid,
       ib_guid(guid) AS node_guid_hex,
       instance,
       NULL AS port,
       name AS node,
       last_read,               -- id of the snapshot that read it last
       (SELECT (i.started_ms - s.started_ms) / 1000.0
        FROM temp.snapshot_info i, main.snapshot s WHERE s.id = last_read)
           AS last_read_age_s   -- how long ago; NULL: it was dropped
FROM temp.stored_node
WHERE seen = 1
UNION ALL
SELECT 'port', n.guid, ib_guid(n.guid), n.instance, p.num, n.name, r.last_read,
       NULL
FROM temp.stored_port p
JOIN temp.stored_node n ON n.key = p.node
JOIN main.port_rev r ON r.port = p.key AND r.snapshot = p.rev
WHERE p.seen = 1 AND p.present AND n.seen = 0
UNION ALL
SELECT 'link', n.guid, ib_guid(n.guid), n.instance, p.num, n.name, NULL,
       NULL
FROM temp.stored_port p JOIN temp.stored_node n ON n.key = p.node
WHERE p.link_seen = 1 AND p.peer IS NOT NULL AND n.seen = 0;

-- What the fabric should be (ibaudit expect), laid over the snapshot by the
-- program; without an expectation all of these are empty.  One row a node that
-- is expected.
CREATE TEMP TABLE expected_node (
    node_guid         INTEGER,  -- NULL: only its name is known, and nobody
    node_guid_hex     TEXT,     --    has had it
    instance          INTEGER,
    node              TEXT,     -- its name
    type              TEXT,     -- 'CA', 'switch', 'router'; NULL: not known
    state             TEXT,     -- 'read', 'unread', 'gone', 'never' (seen),
                                -- 'ambiguous' (several have its name)
    last_read         INTEGER,  -- unread: the snapshot that read it last
    namesakes         INTEGER,  -- ambiguous: how many there are
    replaced          INTEGER,  -- 1: another stands in its place; that was
                                --    read, and is what the views tell of
    told              INTEGER,  -- 1: read, or away with a line of its own
                                -- 0: away behind one that has
    behind            INTEGER,  -- how many are away behind it
    cut_off           INTEGER,  -- 1: away, and all ports where it should be
                                --    were read: down, or they lead elsewhere
    neighbor_guid     INTEGER,  -- the first port where it should be, of those
    neighbor_instance INTEGER,  -- whose node was read; NULL: none was
    neighbor_port     INTEGER,
    neighbor          TEXT,
    neighbor_now      TEXT      -- 'Polling', 'up, and leads to leaf2 port 3';
                                -- NULL: not read
);

-- One row a node that was read and that nobody expects, but for the second
-- node of a NodeGUID, those of an ambiguous name, and SHARP's aggregation node
-- in a switch that is expected.  Nodes that replace another have a row, too.
CREATE TEMP TABLE unexpected_node (
    node_guid         INTEGER,
    node_guid_hex     TEXT,
    instance          INTEGER,
    node              TEXT,
    type              TEXT,
    replaces          TEXT,     -- the name of the one in whose place it is
    told              INTEGER,  -- 1: it has a line of its own, 0: it is behind
                                -- one that has
    behind            INTEGER,
    neighbor_guid     INTEGER,  -- where it is
    neighbor_instance INTEGER,
    neighbor_port     INTEGER,
    neighbor          TEXT
);

-- One row a cable that is expected.  The first end is the one with the lower
-- (NodeGUID as text, instance, port), where both are known.
CREATE TEMP TABLE expected_link (
    node_guid     INTEGER,
    node_guid_hex TEXT,
    instance      INTEGER,
    port          INTEGER,
    node          TEXT,
    node_state    TEXT,         -- as in expected_node
    own_now       TEXT,         -- what is at the port, as neighbor_now; NULL:
                                -- the cable, or it was not read
    peer_guid     INTEGER,
    peer_guid_hex TEXT,
    peer_instance INTEGER,
    peer_port     INTEGER,
    peer          TEXT,
    peer_state    TEXT,
    peer_now      TEXT,
    state         TEXT,         -- 'there', 'missing', 'miscabled'; NULL: it
                                -- was not read
    speed         INTEGER,      -- ranks, the least that will do; NULL: any
    speed_name    TEXT,
    width         INTEGER,
    width_name    TEXT
);

-- One row a cable between two expected nodes, in ports where none is expected.
CREATE TEMP TABLE unexpected_link (
    node_guid     INTEGER,
    node_guid_hex TEXT,
    instance      INTEGER,
    port          INTEGER,
    node          TEXT,
    peer_guid     INTEGER,
    peer_guid_hex TEXT,
    peer_instance INTEGER,
    peer_port     INTEGER,
    peer          TEXT
);

-- One row a set of cables that are in each other's places, or in a wrong port.
CREATE TEMP TABLE miscabled (
    node_guid     INTEGER,      -- the two ports to begin with; a cable need
    node_guid_hex TEXT,         -- not lead from one to the other
    instance      INTEGER,
    port          INTEGER,
    node          TEXT,
    peer_guid     INTEGER,
    peer_guid_hex TEXT,
    peer_instance INTEGER,
    peer_port     INTEGER,
    peer          TEXT,
    cables        INTEGER,      -- so many expected ones are concerned
    text          TEXT          -- what leads where, and what to move
);
