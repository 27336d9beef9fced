-- Accounts that people look after themselves: links that confirm an email or set a password, which rules a town's
-- passwords follow, and the platform's own people and mail.

CREATE TABLE identity_settings (
  company_id int PRIMARY KEY REFERENCES company,
  password_rules text NOT NULL DEFAULT 'standard' CHECK (password_rules IN ('standard', 'nist'))
);
COMMENT ON COLUMN identity_settings.password_rules IS 'a town without a row follows the standard rules';

CREATE TABLE account_link (
  company_id int NOT NULL REFERENCES company,
  code_hash bytea NOT NULL,
  person_id bigint NOT NULL,
  purpose text NOT NULL CHECK (purpose IN ('confirm_email', 'change_email', 'reset_password')),
  email text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  PRIMARY KEY (company_id, code_hash),
  FOREIGN KEY (company_id, person_id) REFERENCES person
);
COMMENT ON COLUMN account_link.email IS 'where the link was sent; it counts only while that is what it is about';
CREATE INDEX account_link_of_person ON account_link (company_id, person_id, purpose, created_at);

ALTER TABLE platform_person
  ADD COLUMN address text NOT NULL DEFAULT '',
  ADD COLUMN city text NOT NULL DEFAULT '',
  ADD COLUMN state text NOT NULL DEFAULT '',
  ADD COLUMN zipcode text NOT NULL DEFAULT '',
  ADD COLUMN mobile_no text NOT NULL DEFAULT '';

CREATE TABLE platform_account_link (
  code_hash bytea PRIMARY KEY,
  person_id bigint NOT NULL REFERENCES platform_person,
  purpose text NOT NULL CHECK (purpose IN ('confirm_email', 'change_email', 'reset_password')),
  email text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3)
);
COMMENT ON TABLE platform_account_link IS 'local: links that the platform''s own staff is mailed';
CREATE INDEX platform_account_link_of_person ON platform_account_link (person_id, purpose, created_at);

-- Its ids come from the towns' outbox, so that a mail's id names one in the whole installation.
CREATE TABLE platform_mail (
  id bigint PRIMARY KEY DEFAULT nextval('mail_outbox_id_seq'),
  to_address text NOT NULL,
  subject text NOT NULL,
  text_body text NOT NULL,
  html_body text NOT NULL,
  attachments jsonb NOT NULL DEFAULT '[]',
  created_at timestamptz(3) NOT NULL,
  sent_at timestamptz(3),
  attempts int NOT NULL DEFAULT 0,
  last_error text
);
COMMENT ON TABLE platform_mail IS 'local: mails of no town, to the platform''s own staff';
CREATE INDEX platform_mail_by_time ON platform_mail (created_at DESC, id DESC);

GRANT SELECT ON identity_settings TO mainstreet_app;
GRANT SELECT, INSERT, UPDATE ON identity_settings TO mainstreet_platform;
GRANT SELECT, INSERT, UPDATE, DELETE ON account_link TO mainstreet_app;
GRANT SELECT ON account_link TO mainstreet_platform;
GRANT SELECT, INSERT, UPDATE, DELETE ON platform_account_link TO mainstreet_platform;
GRANT SELECT, INSERT, UPDATE ON platform_mail TO mainstreet_platform;
GRANT USAGE ON SEQUENCE mail_outbox_id_seq TO mainstreet_platform;
