-- Staff correct lines of a previewed billing file without a new file.
INSERT INTO status_edge (machine, from_state, to_state, event) VALUES ('billing_file', 'previewed', 'previewing', 'correct');

-- A preview lists lines with errors first, then new and changed records. The order is that of lineKinds in
-- features/billing-files/rules.ts.
ALTER TABLE billing_file_line ADD COLUMN rank int NOT NULL GENERATED ALWAYS AS (
  array_position('{invalid,account,bill,adjustment,account_updated,paid,shutoff,no_document}'::text[], what)) STORED;
COMMENT ON COLUMN billing_file_line.rank IS 'Position of the kind in a preview.';
CREATE INDEX billing_file_line_by_rank ON billing_file_line (company_id, rank, id);
CREATE INDEX billing_file_line_in_preview ON billing_file_line (company_id, file_id, rank, id);
