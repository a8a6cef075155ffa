INSERT INTO temp.failure
SELECT k.guid, ib_guid(k.guid), k.instance, f.num,
       coalesce(n.name, ib_guid(k.guid)),
       CASE f.mgmt_class WHEN 4 THEN 'PMA' ELSE 'SMP' END,
       ib_attribute(f.mgmt_class, f.attribute), f.modifier,
       ib_fail_status(f.status), f.mad_status, f.route, f.text
FROM main.failure_row f
LEFT JOIN main.node_key k ON k.id = f.node
LEFT JOIN temp.stored_node n ON n.key = f.node
WHERE f.snapshot = :snapshot;
