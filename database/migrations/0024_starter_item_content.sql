ALTER TABLE starter_item ADD COLUMN content jsonb;
COMMENT ON COLUMN starter_item.content IS 'Settings and questions that the entry gave the item. Null if its kind of records has no contents, or the entry was added before this column.';
COMMENT ON COLUMN starter_item.version IS 'Version of the pack whose entry the item has.';
