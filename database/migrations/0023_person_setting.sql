CREATE TABLE person_setting (
  company_id int NOT NULL,
  person_id bigint NOT NULL,
  name text NOT NULL CHECK ((length(name) >= 1) AND (length(name) <= 120)),
  value jsonb NOT NULL,
  changed_at timestamptz(3) NOT NULL,
  PRIMARY KEY (company_id, person_id, name)
);
COMMENT ON TABLE person_setting IS 'Settings of the screens of each member of staff (server/person-settings.ts). Company 0 is the platform.';
COMMENT ON COLUMN person_setting.value IS 'JSON that the screen reads, such as the visible columns of a list.';
GRANT SELECT, INSERT, UPDATE, DELETE ON person_setting TO mainstreet_app, mainstreet_platform;
