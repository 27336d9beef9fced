-- Who changed a field of something last, and when: told to whoever changes the same field from an older state of it.
-- Company 0 is the platform. A row for each field that was ever changed, so it grows with what there is to edit alone.

CREATE TABLE last_change (
  company_id int NOT NULL,
  subject text NOT NULL,
  field text NOT NULL,
  at timestamptz(3) NOT NULL,
  actor_name text NOT NULL,
  PRIMARY KEY (company_id, subject, field)
);
COMMENT ON TABLE last_change IS 'who changed a field last (server/edits.ts)';

GRANT SELECT, INSERT, UPDATE ON last_change TO mainstreet_app, mainstreet_platform;

-- The platform's own saves are repeated under a key as well, as company 0.
ALTER TABLE idempotency_key DROP CONSTRAINT idempotency_key_company_id_fkey;
