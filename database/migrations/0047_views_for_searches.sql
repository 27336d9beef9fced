-- The view through which a new table is searched by a part of a text, made in one line of its migration:
-- SELECT make_found_view('parcel'). 0023 says why there is one. A table that gets columns calls it again.
CREATE FUNCTION make_found_view(searched text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  found text := 'found_' || searched;
BEGIN
  EXECUTE format('DROP VIEW IF EXISTS %I', found);
  EXECUTE format($view$CREATE VIEW %I AS
    SELECT * FROM %I WHERE company_id = nullif(current_setting('app.company_id', true), '')::int$view$, found, searched);
  EXECUTE format('GRANT SELECT ON %I TO mainstreet_search', searched);
  GRANT CREATE ON SCHEMA public TO mainstreet_search;
  EXECUTE format('ALTER VIEW %I OWNER TO mainstreet_search', found);
  REVOKE CREATE ON SCHEMA public FROM mainstreet_search;
  EXECUTE format('GRANT SELECT ON %I TO mainstreet_app', found);
END $$;
REVOKE ALL ON FUNCTION make_found_view(text) FROM PUBLIC;
