-- Extensions and functions that all other files use.
--
-- The files of this folder are the tables of the first version, one file for each area, in the order of their references.
-- Later changes are in ../migrations.
--
-- A table with company_id belongs to one municipality. secure_tenant_tables() gives it row-level security after each
-- migration. The comment of each other table starts with its kind: `reference:` is read by all companies and written by
-- the platform, `local:` belongs to this installation.
--
-- Rules, so that a municipality can move to another server: company_id is first in each key, no triggers, no ON DELETE
-- actions, no sequence of another table, and references in a circle are deferrable.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;
CREATE EXTENSION IF NOT EXISTS btree_gist;

GRANT USAGE ON SCHEMA public TO mainstreet_app, mainstreet_platform, mainstreet_search;

-- Gives each table with company_id row-level security. Without app.company_id, no row is visible.
CREATE FUNCTION secure_tenant_tables() RETURNS void LANGUAGE plpgsql AS $$
DECLARE tenant record;
BEGIN
  FOR tenant IN
    SELECT c.oid::regclass AS name
    FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'company_id' AND NOT a.attisdropped
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
      AND NOT (c.relrowsecurity AND c.relforcerowsecurity AND EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid))
  LOOP
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', tenant.name);
    EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', tenant.name);
    EXECUTE format(
      'CREATE POLICY own_company ON %s USING (company_id = nullif(current_setting(''app.company_id'', true), '''')::int)'
      ' WITH CHECK (company_id = nullif(current_setting(''app.company_id'', true), '''')::int)', tenant.name);
  END LOOP;
END $$;

-- Row-level security hides the rows of other companies, but keeps the planner from using trigram indexes. So lists search
-- a view that filters by company itself and reads past row-level security. `columns` limits the view if a table has
-- columns that searches may not see. Call it again after a migration adds a column.
CREATE FUNCTION make_found_view(searched text, columns text DEFAULT '*') RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  found text := 'found_' || searched;
BEGIN
  EXECUTE format('DROP VIEW IF EXISTS %I', found);
  EXECUTE format($view$CREATE VIEW %I AS
    SELECT %s FROM %I WHERE company_id = nullif(current_setting('app.company_id', true), '')::int$view$, found, columns, searched);
  EXECUTE format('GRANT SELECT %s ON %I TO mainstreet_search', CASE columns WHEN '*' THEN '' ELSE '(' || columns || ')' END, searched);
  GRANT CREATE ON SCHEMA public TO mainstreet_search;
  EXECUTE format('ALTER VIEW %I OWNER TO mainstreet_search', found);
  REVOKE CREATE ON SCHEMA public FROM mainstreet_search;
  EXECUTE format('GRANT SELECT ON %I TO mainstreet_app', found);
END $$;
REVOKE ALL ON FUNCTION make_found_view(text, text) FROM PUBLIC;

-- Text for searches: lower case, without accents and apostrophes. Indexes contain its results, so a change needs a
-- migration that builds them again.
CREATE FUNCTION folded(written text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  -- Most texts are ASCII, which needs none of the slow parts.
  SELECT CASE WHEN octet_length(written) = char_length(written) THEN lower(translate(written, '''`', ''))
    ELSE lower(translate(
      replace(replace(replace(replace(replace(regexp_replace(normalize(written, NFD),
        -- Marks over and under letters, all kinds of apostrophes, and invisible characters.
        '[\u0300-\u036F\u0027\u0060\u00B4\u00AD\u02B9-\u02BF\u02C8\u2018\u2019\u201B\u2032\u200B-\u200F\u202A-\u202E\u2060-\u2069\uA78C\uFEFF\uFF07]', '', 'g'),
        'ß', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'),
      'łŁøØđĐðÐħĦŧŦıɨ', 'lLoOdDdDhHtTii'))
  END
$$;

-- Pattern of LIKE that finds a text inside another, with all characters taken literally.
CREATE FUNCTION like_part(wanted text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT '%' || replace(replace(replace(folded(wanted), '\', '\\'), '%', '\%'), '_', '\_') || '%'
$$;

-- Email address or phone number that a list may show.
CREATE FUNCTION masked_receiver(receiver text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN receiver LIKE '+%' THEN '(***) ***-' || right(receiver, 4)
    ELSE left(receiver, 1) || '***@' || split_part(receiver, '@', -1) END $$;
