-- Names that differ in spaces alone read the same: they are kept with single spaces, so that the unique key on their lower
-- case tells them apart as people do. Where two companies differ in nothing else, the later one gets its number behind it.
UPDATE company c
SET name = regexp_replace(btrim(c.name), '\s+', ' ', 'g') || CASE WHEN EXISTS (
    SELECT 1 FROM company other
    WHERE other.id < c.id
      AND lower(regexp_replace(btrim(other.name), '\s+', ' ', 'g')) = lower(regexp_replace(btrim(c.name), '\s+', ' ', 'g')))
  THEN ' (' || c.id || ')' ELSE '' END
WHERE c.name <> regexp_replace(btrim(c.name), '\s+', ' ', 'g') OR EXISTS (
  SELECT 1 FROM company other
  WHERE other.id < c.id
    AND lower(regexp_replace(btrim(other.name), '\s+', ' ', 'g')) = lower(regexp_replace(btrim(c.name), '\s+', ' ', 'g')));

ALTER TABLE company ADD CONSTRAINT company_name_single_spaced CHECK (name = regexp_replace(btrim(name), '\s+', ' ', 'g'));
