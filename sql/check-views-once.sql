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
    local_guid    INTEGER,      -- NodeGUID, instance and port of the port
    local_instance INTEGER,     -- that the sweep went out by
    local_port    INTEGER
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
    (SELECT o.delta FROM temp.stored_counter o
     WHERE o.counter = c.counter AND o.port = c.peer AND NOT o.reset)
        AS peer_delta,          -- the same counter's rise at the other end
    coalesce(NOT c.was_up, 0) OR EXISTS (
        SELECT 1 FROM temp.stored_counter o
        WHERE o.port IN (c.port, c.peer) AND o.delta > 0 AND
              o.counter IN ('link_downed', 'link_error_recovery'))
        AS bounced,             -- 1: the link retrained, went down or was
                                --    away since the baseline, at either end
    CASE WHEN c.reset THEN 'counts ' || c.delta || ' since it was reset'
         ELSE 'rose by ' || c.delta || ' to ' || c.value END ||
    coalesce(' within ' || ib_duration(c.interval_s), '')
        AS rise                 -- in words
FROM temp.stored_counter c
JOIN temp.stored_port p ON p.key = c.port
JOIN temp.stored_node n ON n.key = p.node
LEFT JOIN temp.stored_node m ON m.key = c.peer_node;

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
       last_read                -- id of the snapshot that read it last
FROM temp.stored_node
WHERE seen = 1
UNION ALL
SELECT 'port', n.guid, ib_guid(n.guid), n.instance, p.num, n.name, r.last_read
FROM temp.stored_port p
JOIN temp.stored_node n ON n.key = p.node
JOIN main.port_rev r ON r.port = p.key AND r.snapshot = p.rev
WHERE p.seen = 1 AND p.present AND n.seen = 0
UNION ALL
SELECT 'link', n.guid, ib_guid(n.guid), n.instance, p.num, n.name, NULL
FROM temp.stored_port p JOIN temp.stored_node n ON n.key = p.node
WHERE p.link_seen = 1 AND p.peer IS NOT NULL AND n.seen = 0;
