-- Texts that are sealed under the installation's key, and the ways of showing who one is beside a password.

-- Sealed texts are kept in columns that end in _sealed, each with its key's fingerprint in front.
CREATE TABLE secret_key (
  id int PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  fingerprint text NOT NULL,
  since timestamptz(3) NOT NULL
);
COMMENT ON TABLE secret_key IS 'local: by which the key is known that this database''s texts are sealed with';

GRANT SELECT, INSERT, UPDATE ON secret_key TO mainstreet_platform;
