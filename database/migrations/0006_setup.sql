CREATE TABLE setup_choice (
  company_id int NOT NULL REFERENCES company,
  step text NOT NULL,
  choice text NOT NULL,
  at timestamptz(3) NOT NULL,
  by_name text NOT NULL,
  PRIMARY KEY (company_id, step)
);
COMMENT ON TABLE setup_choice IS 'Choices of staff in Get Started. The state of each step is computed.';
COMMENT ON COLUMN setup_choice.step IS 'Step of a feature, or card for the card itself.';
COMMENT ON COLUMN setup_choice.choice IS 'Choice that the step offers, not_for_us, or hidden for the card.';
GRANT SELECT, INSERT, UPDATE, DELETE ON setup_choice TO mainstreet_app, mainstreet_platform;

ALTER TABLE company ADD COLUMN online_reserved int NOT NULL DEFAULT 0 CHECK (online_reserved IN (0, 1));
COMMENT ON COLUMN company.online_reserved IS '1 if only the platform turns the portal online or offline.';
UPDATE company SET online_reserved = 1 WHERE is_managed_services = 1;

ALTER TABLE company_config_version DROP CONSTRAINT company_config_version_origin_check;
ALTER TABLE company_config_version ADD CONSTRAINT company_config_version_origin_check
  CHECK (origin IN ('form', 'logo', 'restored', 'import', 'go_online'));
COMMENT ON COLUMN company_config_version.origin IS 'form: saved on the settings screen. restored: staff restored an earlier version. go_online: staff turned the portal online or offline in Get Started.';
