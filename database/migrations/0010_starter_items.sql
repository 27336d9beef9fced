-- Entries of starter packs that a company has, so that adding a pack again doubles nothing.

CREATE TABLE starter_item (
  company_id int NOT NULL REFERENCES company,
  pack text NOT NULL,
  language text NOT NULL CHECK (language IN ('en', 'es')),
  key text NOT NULL,
  version int NOT NULL CHECK (version > 0),
  subject_id bigint NOT NULL,
  added_at timestamptz(3) NOT NULL,
  PRIMARY KEY (company_id, pack, language, key)
);
COMMENT ON TABLE starter_item IS 'Entries of starter packs that a company has. A row stays if staff edit or remove the item.';
COMMENT ON COLUMN starter_item.key IS 'Entry of the pack.';
COMMENT ON COLUMN starter_item.version IS 'Version of the pack when the entry was added.';
COMMENT ON COLUMN starter_item.subject_id IS 'Id of the item in the table of its feature.';
GRANT SELECT, INSERT, UPDATE, DELETE ON starter_item TO mainstreet_app, mainstreet_platform;
