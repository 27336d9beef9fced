-- Columns of imported files, and billing files that wait for staff to choose their columns.

CREATE TABLE import_mapping (
  company_id int NOT NULL REFERENCES company,
  kind text NOT NULL,
  header_hash text NOT NULL,
  mapping jsonb NOT NULL,
  saved_at timestamptz(3) NOT NULL,
  PRIMARY KEY (company_id, kind, header_hash)
);
COMMENT ON TABLE import_mapping IS 'Columns of imported files, by the column names of the file.';
COMMENT ON COLUMN import_mapping.kind IS 'Layout that the mapping belongs to, such as bills.';
COMMENT ON COLUMN import_mapping.header_hash IS 'Hash of the column names.';
GRANT SELECT, INSERT, UPDATE, DELETE ON import_mapping TO mainstreet_app, mainstreet_platform;

ALTER TABLE billing_file DROP CONSTRAINT billing_file_state_check;
ALTER TABLE billing_file ADD CONSTRAINT billing_file_state_check
  CHECK (state IN ('previewing', 'mapping', 'previewed', 'importing', 'imported', 'refused', 'discarded'));
ALTER TABLE billing_file ADD COLUMN mapping jsonb;
ALTER TABLE billing_file ADD COLUMN columns jsonb;
COMMENT ON COLUMN billing_file.mapping IS 'Columns of the file and its layout. Null until they are certain.';
COMMENT ON COLUMN billing_file.columns IS 'Column names with sample values, for the choice of staff. Null without a choice.';

INSERT INTO status_edge (machine, from_state, to_state, event) VALUES
  ('billing_file', 'previewing', 'mapping', 'hold'),
  ('billing_file', 'mapping', 'previewing', 'map'),
  ('billing_file', 'mapping', 'discarded', 'discard');
