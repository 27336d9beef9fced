ALTER TABLE company
  ADD COLUMN modules_off text[] NOT NULL DEFAULT '{}',
  ADD COLUMN modules_locked text[] NOT NULL DEFAULT '{}';
COMMENT ON COLUMN company.modules_off IS 'Modules that are off, by URL. All others are on.';
COMMENT ON COLUMN company.modules_locked IS 'Modules that only the platform turns on or off, by URL.';

UPDATE company c
SET
  modules_off = ARRAY(
    SELECT m.url
    FROM unnest(ARRAY[
      '/utility-portal', '/pay-bills', '/forms-documents', '/register-property', '/communication', '/relocate',
      '/resource-rentals', '/frequently-asked-questions'
    ]) AS m(url)
    WHERE NOT EXISTS (
      SELECT FROM company_component o WHERE o.company_id = c.id AND o.url = m.url AND o.is_active = 1
    )
  ),
  modules_locked = ARRAY(
    SELECT o.url FROM company_component o WHERE o.company_id = c.id AND o.is_locked = 1 ORDER BY o.url
  );

DROP TABLE company_component;
