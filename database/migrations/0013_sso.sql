-- Single sign-on: whom a town trusts to say who somebody is, whom they said so of, and what is on its way between.

CREATE TABLE sso_provider (
  company_id int PRIMARY KEY REFERENCES company,
  issuer text NOT NULL,
  client_id text NOT NULL,
  client_secret_sealed text NOT NULL,
  label text NOT NULL CHECK (length(label) BETWEEN 1 AND 40),
  audience text NOT NULL CHECK (audience IN ('residents', 'staff', 'both')),
  claim_email text NOT NULL,
  claim_first_name text NOT NULL,
  claim_last_name text NOT NULL,
  counts_as_second_factor boolean NOT NULL DEFAULT false,
  is_active int NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1))
);

CREATE TABLE ccs_issuer (
  company_id int PRIMARY KEY REFERENCES company,
  issuer text NOT NULL,
  label text NOT NULL CHECK (length(label) BETWEEN 1 AND 40),
  jwks jsonb,
  jwks_url text,
  is_active int NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1)),
  CHECK ((jwks IS NULL) <> (jwks_url IS NULL))
);
COMMENT ON TABLE ccs_issuer IS 'the billing system that hands customers over: who it is and its public keys';

-- Who says that somebody is this account: by issuer and subject, never by email.
CREATE TABLE sso_identity (
  company_id int NOT NULL REFERENCES company,
  issuer text NOT NULL,
  subject text NOT NULL,
  person_id bigint NOT NULL,
  linked_at timestamptz(3) NOT NULL,
  signed_in_at timestamptz(3) NOT NULL,
  undo_hash bytea,
  PRIMARY KEY (company_id, issuer, subject),
  UNIQUE (company_id, undo_hash),
  FOREIGN KEY (company_id, person_id) REFERENCES person
);
COMMENT ON COLUMN sso_identity.undo_hash IS 'of the code in the mail that told the owner, with which they take it back';
CREATE INDEX sso_identity_of_person ON sso_identity (company_id, person_id);

-- Somebody was sent to the issuer and is not back yet.
CREATE TABLE sso_attempt (
  company_id int NOT NULL REFERENCES company,
  state_hash bytea NOT NULL,
  browser_hash bytea NOT NULL,
  purpose text NOT NULL CHECK (purpose IN ('sign_in', 'test')),
  issuer text NOT NULL,
  nonce text NOT NULL,
  verifier_sealed text NOT NULL,
  started_by bigint,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  PRIMARY KEY (company_id, state_hash)
);
COMMENT ON COLUMN sso_attempt.browser_hash IS 'of the secret that stays in the tab that was sent: nobody else may come back';
CREATE INDEX sso_attempt_over ON sso_attempt (company_id, expires_at);

-- Somebody whom the issuer knows and who is not linked: it waits for the password of an account.
CREATE TABLE sso_pending (
  company_id int NOT NULL REFERENCES company,
  ticket_hash bytea NOT NULL,
  kind text NOT NULL CHECK (kind IN ('oidc', 'ccs')),
  issuer text NOT NULL,
  subject text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  PRIMARY KEY (company_id, ticket_hash)
);
CREATE INDEX sso_pending_over ON sso_pending (company_id, expires_at);

-- A billing system's hand-off that was accepted: never a second time, and a code that the page exchanges.
CREATE TABLE ccs_hand_off (
  company_id int NOT NULL REFERENCES company,
  issuer text NOT NULL,
  jti text NOT NULL,
  code_hash bytea NOT NULL,
  subject text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  code_expires_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  PRIMARY KEY (company_id, issuer, jti),
  UNIQUE (company_id, code_hash)
);
COMMENT ON COLUMN ccs_hand_off.expires_at IS 'from when on its token is refused for its age anyway, and the row may go';
CREATE INDEX ccs_hand_off_over ON ccs_hand_off (company_id, expires_at);

GRANT SELECT, INSERT, UPDATE ON sso_provider, ccs_issuer TO mainstreet_app, mainstreet_platform;
GRANT SELECT, INSERT, UPDATE, DELETE ON sso_identity, sso_attempt, sso_pending, ccs_hand_off TO mainstreet_app;
GRANT SELECT ON sso_identity TO mainstreet_platform;
GRANT SELECT, DELETE ON sso_attempt, sso_pending, ccs_hand_off TO mainstreet_platform;
