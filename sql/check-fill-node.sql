-- @stored_node: what stood in the snapshot, from the newest change of each
-- node up to it.
INSERT INTO temp.@stored_node
SELECT k.id, k.guid, k.instance,
       coalesce(m.name, nullif(r.name, ''), ib_guid(k.guid)),
       r.seen, r.last_read, r.type, r.nports, r.system_image_guid,
       r.device_id, r.vendor_id, r.revision, r.enhanced_port0, d.route
FROM main.node_rev r
CROSS JOIN main.node_key k ON k.id = r.node
LEFT JOIN temp.stored_name m ON m.guid = k.guid
LEFT JOIN main.duplicate_row d ON d.snapshot = :snapshot AND d.node = k.id
WHERE r.snapshot <= :snapshot AND r.seen < 2 AND
      k.fabric = (SELECT fabric FROM main.snapshot WHERE id = :snapshot) AND
      NOT EXISTS (SELECT 1 FROM main.node_rev x
                  WHERE x.node = r.node AND x.snapshot > r.snapshot AND
                        x.snapshot <= :snapshot);
