-- A source may be told of the zones of the town that it is about: a border that touches none of their addresses is left out.

ALTER TABLE alert_source ADD COLUMN zone_ids bigint[] NOT NULL DEFAULT '{}';
COMMENT ON COLUMN alert_source.zone_ids IS 'zones of the town in one of whose addresses the border of a message has to be; empty: anywhere in the town';
