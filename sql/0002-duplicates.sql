-- Schema 2: where nodes that share a GUID are.
--
-- The directed route by which the sweep reached each node that was read and
-- shares its NodeGUID, or the PortGUID of an end port, with another one: it is
-- what tells them apart for smpquery -D and ibportstate -D.
CREATE TABLE duplicate_row (
    snapshot INTEGER NOT NULL REFERENCES snapshot (id),
    node     INTEGER NOT NULL REFERENCES node_key (id),
    route    TEXT NOT NULL,         -- from the local port, "0,1,5"
    PRIMARY KEY (snapshot, node)
) WITHOUT ROWID;
