-- The audit log as a chain: each row is sealed with a hash over itself and the seal before it, town by town. Sealing is
-- done in batches by a job, so that no two transactions wait for each other to know which row comes next.

ALTER TABLE audit_event ADD COLUMN person_id bigint;
COMMENT ON COLUMN audit_event.person_id IS 'whom it concerns, where that is somebody else than who did it';
CREATE INDEX audit_event_by_actor ON audit_event (company_id, actor_id, at DESC, id DESC);
CREATE INDEX audit_event_about_person ON audit_event (company_id, person_id, at DESC, id DESC) WHERE person_id IS NOT NULL;

CREATE TABLE audit_seal (
  company_id int NOT NULL REFERENCES company,
  position bigint NOT NULL CHECK (position > 0),
  event_id bigint NOT NULL,
  hash bytea NOT NULL,
  sealed_at timestamptz(3) NOT NULL,
  PRIMARY KEY (company_id, position),
  UNIQUE (company_id, event_id),
  FOREIGN KEY (company_id, event_id) REFERENCES audit_event
);

CREATE TABLE platform_audit_seal (
  position bigint PRIMARY KEY CHECK (position > 0),
  event_id bigint NOT NULL UNIQUE REFERENCES platform_audit_event,
  hash bytea NOT NULL,
  sealed_at timestamptz(3) NOT NULL
);
COMMENT ON TABLE platform_audit_seal IS 'local: the chain of what the platform''s staff did outside any one town';

CREATE TABLE audit_unsealed (
  town int NOT NULL,
  event_id bigint NOT NULL,
  PRIMARY KEY (town, event_id)
);
COMMENT ON TABLE audit_unsealed IS 'local: rows of the audit log that wait to be sealed; town 0 is the platform';

GRANT SELECT, INSERT ON audit_seal TO mainstreet_app, mainstreet_platform;
GRANT SELECT, INSERT ON platform_audit_seal TO mainstreet_platform;
GRANT INSERT ON audit_unsealed TO mainstreet_app;
GRANT SELECT, INSERT, DELETE ON audit_unsealed TO mainstreet_platform;

ALTER TABLE audit_event NO FORCE ROW LEVEL SECURITY;
INSERT INTO audit_unsealed SELECT company_id, id FROM audit_event;
ALTER TABLE audit_event FORCE ROW LEVEL SECURITY;
INSERT INTO audit_unsealed SELECT 0, id FROM platform_audit_event;
