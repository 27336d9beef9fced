ALTER TABLE company ADD COLUMN shares_records int NOT NULL DEFAULT 0 CHECK (shares_records IN (0, 1));
COMMENT ON COLUMN company.shares_records IS '1 if other municipalities may copy forms and other records that staff built.';
CREATE INDEX company_shares_records ON company (name_key, id) WHERE shares_records = 1;
