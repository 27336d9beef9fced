-- Registrations from another system keep their old number, which a search finds.
ALTER TABLE registration ADD COLUMN old_number text COLLATE "C" NOT NULL DEFAULT '';
COMMENT ON COLUMN registration.old_number IS 'Number in the system that the registration was imported from. Empty for other registrations.';
CREATE UNIQUE INDEX registration_old_number_once ON registration (company_id, kind, old_number) WHERE old_number <> '';
DROP VIEW found_registration;
ALTER TABLE registration DROP COLUMN search_text;
ALTER TABLE registration ADD COLUMN search_text text COLLATE "C" NOT NULL GENERATED ALWAYS AS (lower((((((((((name || ' ') || owner_name) || ' ') || location) || ' ') ||
CASE kind
    WHEN 1 THEN 'H-'
    WHEN 2 THEN 'B-'
    ELSE 'R-'
END) || ((100000 + id))::text) || ' ') || old_number))) STORED;
CREATE INDEX registration_by_text ON registration USING gin (company_id, folded(search_text) gin_trgm_ops);
SELECT make_found_view('registration');

INSERT INTO status_edge (machine, from_state, to_state, event) VALUES
  ('registration', '', 'registered', 'import'),
  ('registration', '', 'pending', 'import_pending'),
  ('registration', '', 'due', 'import_due'),
  ('registration', '', 'lapsed', 'import_lapsed'),
  ('registration', '', 'ended', 'import_ended');
