-- Towns are found by a part of what their row says, by index, however many there are.

ALTER TABLE company
  ADD COLUMN name_key text COLLATE "C" GENERATED ALWAYS AS (lower(name)) STORED,
  ADD COLUMN search_text text GENERATED ALWAYS AS (lower(id::text || ' ' || name || ' ' || address1 || ' ' || city || ' ' || state
    || ' ' || zipcode || ' ' || phone_no || ' ' || subdomain || ' ' || guid::text)) STORED;
CREATE INDEX company_by_key ON company (name_key, id);
CREATE INDEX company_by_text ON company USING gin (search_text gin_trgm_ops, name_key gin_trgm_ops);
DROP INDEX company_by_name;
