-- Schema 3: what split PortRcvErrors and PortXmitDiscards up, of the few
-- ports whose details were read.  A row stands beside the port's counter_row;
-- its columns are added from the program's counter table.
CREATE TABLE detail_row (
    snapshot INTEGER NOT NULL REFERENCES snapshot (id),
    port     INTEGER NOT NULL REFERENCES port_key (id),
    PRIMARY KEY (snapshot, port)
) WITHOUT ROWID;
