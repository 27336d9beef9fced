-- A code that staff made for an account, beside the one that the billing system prints: it works once, and not for ever.
CREATE TABLE utility_link_code (
  company_id int NOT NULL REFERENCES company,
  account_id bigint NOT NULL,
  code_hash bytea NOT NULL,
  made_at timestamptz(3) NOT NULL,
  made_by text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  PRIMARY KEY (company_id, account_id),
  FOREIGN KEY (company_id, account_id) REFERENCES utility_account
);
COMMENT ON TABLE utility_link_code IS 'the newest code that staff made for an account; another one takes its place';
COMMENT ON COLUMN utility_link_code.made_by IS 'who made it, as they were called then';

GRANT SELECT, INSERT, UPDATE ON utility_link_code TO mainstreet_app;
GRANT SELECT ON utility_link_code TO mainstreet_platform;
