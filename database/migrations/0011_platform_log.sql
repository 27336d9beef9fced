-- The platform's own audit log as a list, and downloads that are about no one town.

ALTER TABLE platform_audit_event ADD COLUMN person_id bigint;
COMMENT ON COLUMN platform_audit_event.person_id IS 'whom it concerns, where that is somebody else than who did it';
CREATE INDEX platform_audit_event_by_time ON platform_audit_event (at DESC, id DESC);
CREATE INDEX platform_audit_event_by_actor ON platform_audit_event (actor_id, at DESC, id DESC);
CREATE INDEX platform_audit_event_about_person ON platform_audit_event (person_id, at DESC, id DESC) WHERE person_id IS NOT NULL;

CREATE TABLE platform_download_ticket (
  code_hash bytea PRIMARY KEY,
  call text NOT NULL,
  body jsonb NOT NULL,
  person_id bigint NOT NULL REFERENCES platform_person,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3)
);
COMMENT ON TABLE platform_download_ticket IS 'local: single-use tickets for downloads of the platform''s staff that are about no one town';
CREATE INDEX platform_download_ticket_by_age ON platform_download_ticket (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON platform_download_ticket TO mainstreet_platform;
