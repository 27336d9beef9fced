-- Calls that were refused are counted here for a minute, so that nobody can make the audit log grow without end.

CREATE TABLE refused_call (
  town int NOT NULL,
  minute timestamptz(3) NOT NULL,
  action text NOT NULL,
  path text NOT NULL,
  asked text NOT NULL,
  actor_kind text NOT NULL,
  actor_id bigint NOT NULL,
  impersonator_id bigint NOT NULL,
  times int NOT NULL DEFAULT 1,
  first_at timestamptz(3) NOT NULL,
  last_at timestamptz(3) NOT NULL,
  PRIMARY KEY (minute, town, action, path, actor_kind, actor_id, impersonator_id)
);
COMMENT ON TABLE refused_call IS 'local: refused calls of the minute; town 0 is the platform, actor and impersonator 0 are nobody';
GRANT SELECT, INSERT, UPDATE, DELETE ON refused_call TO mainstreet_platform;
