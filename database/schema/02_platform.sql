-- Municipalities, their settings, and figures of all of them.

-- Public numbers of municipalities.
CREATE SEQUENCE company_number START 101;
GRANT USAGE ON SEQUENCE company_number TO mainstreet_app, mainstreet_platform;

CREATE TABLE timezone (
  id int PRIMARY KEY,
  label text NOT NULL UNIQUE,
  zone text NOT NULL UNIQUE
);
COMMENT ON TABLE timezone IS 'reference: Time zones that a company can choose.';
GRANT SELECT ON timezone TO mainstreet_app, mainstreet_platform;
INSERT INTO timezone (id, label, zone) VALUES
  (1, 'Eastern Time', 'America/New_York'),
  (2, 'Central Time', 'America/Chicago'),
  (3, 'Mountain Time', 'America/Denver'),
  (4, 'Mountain Time (Arizona)', 'America/Phoenix'),
  (5, 'Pacific Time', 'America/Los_Angeles'),
  (6, 'Alaska Time', 'America/Anchorage'),
  (7, 'Hawaii Time', 'Pacific/Honolulu'),
  (8, 'Atlantic Time', 'America/Puerto_Rico');

CREATE TABLE company (
  id int PRIMARY KEY DEFAULT nextval('company_number'),
  guid uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
  name text NOT NULL CHECK (name = regexp_replace(btrim(name), '\s+', ' ', 'g')),
  subdomain text NOT NULL,
  license_no text NOT NULL DEFAULT '',
  address1 text NOT NULL,
  address2 text NOT NULL DEFAULT '',
  city text NOT NULL,
  state text NOT NULL,
  zipcode text NOT NULL,
  phone_no text NOT NULL,
  website_url text NOT NULL,
  timezone_id int NOT NULL DEFAULT 1 REFERENCES timezone,
  office_hours_open text NOT NULL DEFAULT '08:00',
  office_hours_closed text NOT NULL DEFAULT '16:30',
  is_online int NOT NULL DEFAULT 0 CHECK (is_online IN (0, 1)),
  offline_msg text NOT NULL DEFAULT '',
  use_dbilling int NOT NULL DEFAULT 1 CHECK (use_dbilling IN (0, 1)),
  is_managed_services int NOT NULL DEFAULT 0 CHECK (is_managed_services IN (0, 1)),
  has_chk_agnst_prcl int NOT NULL DEFAULT 0 CHECK (has_chk_agnst_prcl IN (0, 1)),
  is_demo int NOT NULL DEFAULT 0 CHECK (is_demo IN (0, 1)),
  founded int,
  tagline text NOT NULL DEFAULT '',
  site_wide_message text NOT NULL DEFAULT '',
  theme_background text NOT NULL DEFAULT '#324c96' CHECK (theme_background ~ '^#[0-9a-f]{6}$'),
  theme_text text NOT NULL DEFAULT '#111111' CHECK (theme_text ~ '^#[0-9a-f]{6}$'),
  file_path text NOT NULL DEFAULT '',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  name_key text COLLATE "C" GENERATED ALWAYS AS (lower(name)) STORED,
  search_text text GENERATED ALWAYS AS (lower((((((((((((((((((id)::text || ' ') || name) || ' ') || address1) || ' ') || city) || ' ') || state) || ' ') || zipcode) || ' ') || phone_no) || ' ') || subdomain) || ' ') || (guid)::text))) STORED,
  fiscal_month int NOT NULL DEFAULT 1 CHECK (fiscal_month BETWEEN 1 AND 12),
  pay_by_phone_number text NOT NULL DEFAULT '' CHECK (pay_by_phone_number ~ '^([0-9]{10})?$')
);
COMMENT ON TABLE company IS 'reference: Municipalities, with the public data that every host reads.';
COMMENT ON COLUMN company.use_dbilling IS '1 if the company uses the platform''s billing system (spec 3).';
COMMENT ON COLUMN company.has_chk_agnst_prcl IS '1 if addresses are checked against parcels (spec 3).';
COMMENT ON COLUMN company.file_path IS 'Path of the logo.';
COMMENT ON COLUMN company.name_key IS 'Name in lower case, for uniqueness and sorting.';
COMMENT ON COLUMN company.fiscal_month IS 'First month of the fiscal year.';
COMMENT ON COLUMN company.pay_by_phone_number IS 'Pay by Phone number in ten digits. Empty if the company takes no payments by phone.';
CREATE INDEX company_by_folded_name ON company (folded(name_key), name_key, id);
CREATE INDEX company_by_key ON company (name_key, id);
CREATE INDEX company_by_text ON company USING gin (folded(search_text) gin_trgm_ops, folded(name_key) gin_trgm_ops);
CREATE UNIQUE INDEX company_name_once ON company (lower(name));
CREATE UNIQUE INDEX company_pay_by_phone_once ON company (pay_by_phone_number) WHERE pay_by_phone_number <> '';
CREATE UNIQUE INDEX company_subdomain_once ON company (lower(subdomain));
GRANT SELECT ON company TO mainstreet_app;
GRANT SELECT, INSERT, UPDATE ON company TO mainstreet_platform;

CREATE TABLE office_days (
  company_id int PRIMARY KEY REFERENCES company,
  work_days jsonb NOT NULL,
  holidays jsonb NOT NULL
);
COMMENT ON TABLE office_days IS 'Working days and holidays of a company''s office.';
COMMENT ON COLUMN office_days.work_days IS 'Weekdays on which the office is open, from 1 (Monday) to 7 (Sunday).';
COMMENT ON COLUMN office_days.holidays IS 'Days on which the office is closed, as {on, name}.';
GRANT SELECT, INSERT, UPDATE ON office_days TO mainstreet_app, mainstreet_platform;

CREATE TABLE company_component (
  company_id int NOT NULL REFERENCES company,
  url text NOT NULL,
  is_active int NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1)),
  PRIMARY KEY (company_id, url)
);
COMMENT ON TABLE company_component IS 'Portal modules of a company. Each module is identified by its path.';
GRANT SELECT, INSERT, UPDATE, DELETE ON company_component TO mainstreet_app, mainstreet_platform;

CREATE TABLE company_service (
  company_id int NOT NULL REFERENCES company,
  id int NOT NULL,
  name text NOT NULL,
  description text NOT NULL,
  icon text,
  url text NOT NULL,
  is_active int NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1)),
  position int NOT NULL,
  button_text text NOT NULL DEFAULT '',
  PRIMARY KEY (company_id, id)
);
COMMENT ON TABLE company_service IS 'Service tiles on a company''s home page.';
GRANT SELECT, INSERT, UPDATE, DELETE ON company_service TO mainstreet_app, mainstreet_platform;

CREATE TABLE announcement (
  id int PRIMARY KEY,
  location text NOT NULL CHECK (location IN ('landing', 'back_office')),
  message text NOT NULL,
  until date NOT NULL
);
COMMENT ON TABLE announcement IS 'reference: Dated notices from the platform to all companies.';
COMMENT ON COLUMN announcement.until IS 'Last day on which the notice is shown.';
GRANT SELECT ON announcement TO mainstreet_app, mainstreet_platform;
INSERT INTO announcement (id, location, message, until) VALUES
  (1, 'landing', 'This portal is new. Your login, email, password, accounts, history and settings are unchanged.', '2024-11-30'),
  (2, 'back_office', 'NEW GUIDE AVAILABLE!', '2024-12-15');

CREATE TABLE company_announcement (
  company_id int NOT NULL REFERENCES company,
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  location text NOT NULL CHECK (location IN ('landing', 'back_office')),
  message text NOT NULL,
  until date NOT NULL,
  PRIMARY KEY (company_id, id)
);
COMMENT ON TABLE company_announcement IS 'Dated notices of a company.';
COMMENT ON COLUMN company_announcement.until IS 'Last day on which the notice is shown.';
GRANT SELECT, INSERT, UPDATE, DELETE ON company_announcement TO mainstreet_app, mainstreet_platform;

CREATE TABLE company_config (
  company_id int PRIMARY KEY REFERENCES company,
  tags jsonb NOT NULL DEFAULT '[]',
  contacts jsonb NOT NULL DEFAULT '[]'
);
COMMENT ON TABLE company_config IS 'Company settings that have no table of their own. Public data is in company, and payment settings are in payment_settings.';
GRANT SELECT ON company_config TO mainstreet_app;
GRANT SELECT, INSERT, UPDATE ON company_config TO mainstreet_platform;

CREATE TABLE company_config_version (
  company_id int NOT NULL REFERENCES company,
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  at timestamptz(3) NOT NULL,
  actor_kind text NOT NULL,
  actor_id bigint,
  actor_name text NOT NULL,
  section text NOT NULL,
  origin text NOT NULL DEFAULT 'form' CHECK (origin IN ('form', 'logo', 'restored', 'import')),
  before jsonb NOT NULL,
  after jsonb NOT NULL,
  PRIMARY KEY (company_id, id)
);
COMMENT ON TABLE company_config_version IS 'Saved changes of a settings section, with the values before and after. Rows are never changed or deleted.';
COMMENT ON COLUMN company_config_version.origin IS 'form: saved on the settings screen. restored: staff restored an earlier version.';
CREATE INDEX company_config_version_of_section ON company_config_version (company_id, section, id);
GRANT SELECT ON company_config_version TO mainstreet_app;
GRANT SELECT, INSERT ON company_config_version TO mainstreet_platform;

CREATE TABLE event_type (
  id int PRIMARY KEY,
  name text NOT NULL,
  category text NOT NULL CHECK (category IN ('billing', 'rental', 'workorder', 'inspection'))
);
COMMENT ON TABLE event_type IS 'reference: Types of scheduled items.';
GRANT SELECT ON event_type TO mainstreet_app, mainstreet_platform;
INSERT INTO event_type (id, name, category) VALUES
  (1, 'Billing Task', 'billing'),
  (2, 'Rental Reservation', 'rental'),
  (3, 'Work Order', 'workorder'),
  (4, 'Inspection', 'inspection'),
  (5, 'Hearing', 'inspection');

CREATE TABLE scheduled_item (
  company_id int NOT NULL REFERENCES company,
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  event_type_id int NOT NULL REFERENCES event_type,
  title text NOT NULL,
  description text NOT NULL DEFAULT '',
  starts_at timestamptz(3) NOT NULL,
  ends_at timestamptz(3) NOT NULL,
  status text CHECK (status IN ('not_started', 'in_progress', 'completed')),
  source_kind text CHECK (source_kind ~ '^[a-z_]{2,30}$'),
  source_id bigint,
  assigned_to bigint,
  department_id bigint,
  crew_id bigint,
  PRIMARY KEY (company_id, id),
  CHECK (ends_at >= starts_at),
  CHECK ((source_kind IS NULL) = (source_id IS NULL))
);
COMMENT ON TABLE scheduled_item IS 'Calendar item of a company.';
COMMENT ON COLUMN scheduled_item.source_kind IS 'Kind of record that the item belongs to. If staff move the item, the portal also moves that record.';
CREATE INDEX scheduled_item_by_time ON scheduled_item (company_id, starts_at, id);
CREATE INDEX scheduled_item_of_crew ON scheduled_item (company_id, crew_id, starts_at) WHERE crew_id IS NOT NULL;
CREATE INDEX scheduled_item_of_department ON scheduled_item (company_id, department_id, starts_at) WHERE department_id IS NOT NULL;
CREATE INDEX scheduled_item_of_person ON scheduled_item (company_id, assigned_to, starts_at) WHERE assigned_to IS NOT NULL;
CREATE UNIQUE INDEX scheduled_item_of_source ON scheduled_item (company_id, source_kind, source_id) WHERE source_kind IS NOT NULL;
CREATE INDEX scheduled_item_over_companies ON scheduled_item (starts_at, company_id, id) INCLUDE (event_type_id, status);
GRANT SELECT, INSERT, UPDATE, DELETE ON scheduled_item TO mainstreet_app, mainstreet_platform;

CREATE TABLE last_change (
  company_id int NOT NULL,
  subject text NOT NULL,
  field text NOT NULL,
  at timestamptz(3) NOT NULL,
  actor_name text NOT NULL,
  PRIMARY KEY (company_id, subject, field)
);
COMMENT ON TABLE last_change IS 'Time and author of the last change to each field of an entity, for messages about edit conflicts. Written by server/edits.ts.';
COMMENT ON COLUMN last_change.company_id IS 'Company, or 0 for the platform.';
COMMENT ON COLUMN last_change.subject IS 'Edited entity, such as `person 17`.';
GRANT SELECT, INSERT, UPDATE ON last_change TO mainstreet_app, mainstreet_platform;

CREATE TABLE failed_guess (
  scope text NOT NULL,
  key_hash bytea NOT NULL,
  failures int NOT NULL,
  window_started_at timestamptz(3) NOT NULL,
  blocked_until timestamptz(3),
  PRIMARY KEY (scope, key_hash)
);
COMMENT ON TABLE failed_guess IS 'local: Counters of failed guesses, such as wrong passwords. The key of each counter is hashed. All servers share the counters.';
COMMENT ON COLUMN failed_guess.scope IS 'Name of a rate limit (server/limits.ts).';
CREATE INDEX failed_guess_by_age ON failed_guess (window_started_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON failed_guess TO mainstreet_app, mainstreet_platform;

CREATE TABLE refused_call (
  company int NOT NULL,
  minute timestamptz(3) NOT NULL,
  action text NOT NULL,
  path text NOT NULL,
  summary text NOT NULL,
  actor_kind text NOT NULL,
  actor_id bigint NOT NULL,
  impersonator_id bigint NOT NULL,
  times int NOT NULL DEFAULT 1,
  first_at timestamptz(3) NOT NULL,
  last_at timestamptz(3) NOT NULL,
  PRIMARY KEY (minute, company, action, path, actor_kind, actor_id, impersonator_id)
);
COMMENT ON TABLE refused_call IS 'local: Refused calls of the current minute, counted by caller and path. A job moves the counts of past minutes into the audit log.';
COMMENT ON COLUMN refused_call.company IS 'Company id. 0 is the platform.';
COMMENT ON COLUMN refused_call.summary IS 'Summary of the refused call, as in the API documentation.';
COMMENT ON COLUMN refused_call.actor_id IS 'Id of the caller. 0 if the caller is not signed in.';
COMMENT ON COLUMN refused_call.impersonator_id IS 'Id of the impersonator. 0 without impersonation.';
GRANT SELECT, INSERT, UPDATE, DELETE ON refused_call TO mainstreet_platform;

CREATE TABLE daily_figure (
  company_id int NOT NULL REFERENCES company,
  day date NOT NULL,
  measure text NOT NULL,
  part text NOT NULL,
  count bigint NOT NULL,
  cents bigint NOT NULL,
  PRIMARY KEY (company_id, day, measure, part)
);
COMMENT ON TABLE daily_figure IS 'Daily counts of a company (features/analytics), written by a job. Days are in the company''s time zone.';
COMMENT ON COLUMN daily_figure.measure IS 'Name of a measure in features/analytics/rules.ts.';
COMMENT ON COLUMN daily_figure.part IS 'Part of the measure, such as a channel or a state.';
GRANT SELECT, INSERT, UPDATE, DELETE ON daily_figure TO mainstreet_app, mainstreet_platform;

CREATE TABLE platform_daily_figure (
  day date NOT NULL,
  measure text NOT NULL,
  part text NOT NULL,
  count bigint NOT NULL,
  cents bigint NOT NULL,
  PRIMARY KEY (day, measure, part)
);
COMMENT ON TABLE platform_daily_figure IS 'local: Daily figures, summed over all companies.';
GRANT SELECT, INSERT, UPDATE ON platform_daily_figure TO mainstreet_app, mainstreet_platform;

CREATE TABLE figure_progress (
  company_id int PRIMARY KEY REFERENCES company,
  through date NOT NULL,
  checked_at timestamptz(3) NOT NULL
);
COMMENT ON TABLE figure_progress IS 'Progress of the job that computes the daily figures of a company.';
COMMENT ON COLUMN figure_progress.through IS 'Last day counted.';
COMMENT ON COLUMN figure_progress.checked_at IS 'Time of the last count.';
GRANT SELECT, INSERT, UPDATE ON figure_progress TO mainstreet_app, mainstreet_platform;

CREATE TABLE figure_walk (
  id int PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  began_at timestamptz(3) NOT NULL,
  through date NOT NULL
);
COMMENT ON TABLE figure_walk IS 'local: Last run of the job that computes the daily figures of all companies.';
COMMENT ON COLUMN figure_walk.through IS 'Last day counted for every company.';
GRANT SELECT, INSERT, UPDATE ON figure_walk TO mainstreet_app, mainstreet_platform;

CREATE TABLE secret_key (
  id int PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  fingerprint text NOT NULL,
  since timestamptz(3) NOT NULL
);
COMMENT ON TABLE secret_key IS 'local: Fingerprint of the key that encrypts the secrets in this database. The table has one row.';
COMMENT ON COLUMN secret_key.fingerprint IS 'Fingerprint of the key. The server refuses to start with another key while the database contains texts encrypted with this key.';
GRANT SELECT, INSERT, UPDATE ON secret_key TO mainstreet_platform;

-- Counts an attempt for several limits in one statement. Returns the limits that are exceeded.
CREATE FUNCTION count_tries(now timestamptz, scopes text[], hashes bytea[], limits int[], minutes int[], pauses boolean[], weights int[]) RETURNS TABLE(nth int, failures int, window_started_at timestamptz, blocked_until timestamptz, refused boolean) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  counted failed_guess;
BEGIN
  FOR n IN 1 .. cardinality(scopes) LOOP
    IF weights[n] = 0 THEN
      SELECT * INTO counted FROM failed_guess g WHERE g.scope = scopes[n] AND g.key_hash = hashes[n];
      IF counted.blocked_until > now THEN
        RETURN QUERY SELECT n, counted.failures, counted.window_started_at::timestamptz, counted.blocked_until::timestamptz, true;
        RETURN;
      END IF;
      CONTINUE;
    END IF;
    INSERT INTO failed_guess AS g (scope, key_hash, failures, window_started_at, blocked_until)
    VALUES (scopes[n], hashes[n], weights[n], now, NULL)
    ON CONFLICT (scope, key_hash) DO UPDATE SET
      failures = CASE WHEN (CASE WHEN pauses[n] THEN g.window_started_at ELSE greatest(g.window_started_at, g.blocked_until) END)
        <= now - make_interval(mins => minutes[n]) THEN weights[n] ELSE g.failures + weights[n] END,
      window_started_at = CASE WHEN (CASE WHEN pauses[n] THEN g.window_started_at ELSE greatest(g.window_started_at, g.blocked_until) END)
        <= now - make_interval(mins => minutes[n]) THEN now ELSE g.window_started_at END,
      blocked_until = NULL
    -- Evaluated on the row that the previous try left. A blocked row is not returned.
    WHERE g.blocked_until IS NULL OR g.blocked_until <= now
    RETURNING g.* INTO counted;
    IF NOT FOUND THEN
      RETURN QUERY SELECT n, g.failures, g.window_started_at::timestamptz, g.blocked_until::timestamptz, true
        FROM failed_guess g WHERE g.scope = scopes[n] AND g.key_hash = hashes[n];
      RETURN;
    END IF;
    IF counted.failures >= limits[n] THEN
      UPDATE failed_guess g SET blocked_until = CASE WHEN pauses[n]
        THEN counted.window_started_at + make_interval(mins => minutes[n])
        ELSE now + least(interval '1 hour', interval '1 minute' * power(2, least(counted.failures - limits[n], 10))) END
      WHERE g.scope = scopes[n] AND g.key_hash = hashes[n] RETURNING * INTO counted;
    END IF;
    RETURN QUERY SELECT n, counted.failures, counted.window_started_at::timestamptz, counted.blocked_until::timestamptz, false;
  END LOOP;
END $$;
