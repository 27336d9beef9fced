-- Uploads, attachments and downloads.

CREATE TABLE download_token (
  company_id int NOT NULL REFERENCES company,
  code_hash bytea NOT NULL,
  call text NOT NULL,
  body jsonb NOT NULL,
  person_id bigint NOT NULL,
  person_kind text NOT NULL CHECK (person_kind IN ('guest', 'citizen', 'municipality', 'platform')),
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  session_hash bytea,
  PRIMARY KEY (company_id, code_hash)
);
COMMENT ON TABLE download_token IS 'Single-use tokens for downloads.';
COMMENT ON COLUMN download_token.call IS 'Path of the call that the token allows. The request body is fixed too and stored in body.';
COMMENT ON COLUMN download_token.person_id IS 'Person who requested the token. 0 for a guest.';
COMMENT ON COLUMN download_token.session_hash IS 'Session of the impersonation that requested the token. Null outside an impersonation.';
CREATE INDEX download_token_by_expiry ON download_token (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON download_token TO mainstreet_app, mainstreet_platform;

CREATE TABLE platform_download_token (
  code_hash bytea PRIMARY KEY,
  call text NOT NULL,
  body jsonb NOT NULL,
  person_id bigint NOT NULL REFERENCES platform_person,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3)
);
COMMENT ON TABLE platform_download_token IS 'local: Single-use download tokens of platform staff, for downloads that do not belong to one company.';
CREATE INDEX platform_download_token_by_age ON platform_download_token (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON platform_download_token TO mainstreet_platform;

CREATE TABLE attachment (
  company_id int NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  kind text NOT NULL,
  subject_kind text NOT NULL,
  subject_id bigint NOT NULL,
  nth int NOT NULL CHECK (nth >= 1),
  state text NOT NULL CHECK (state IN ('waiting', 'clean', 'refused')),
  name text NOT NULL,
  content_type text NOT NULL,
  bytes bigint NOT NULL,
  sha256 bytea NOT NULL,
  path text,
  preview bytea CHECK (octet_length(preview) <= 65536),
  finding text NOT NULL DEFAULT '',
  created_at timestamptz(3) NOT NULL,
  created_by_kind text NOT NULL CHECK (created_by_kind IN ('guest', 'citizen', 'municipality', 'platform', 'system')),
  created_by bigint,
  scanned_at timestamptz(3),
  refused_at timestamptz(3),
  expires_at timestamptz(3),
  taken_lat double precision CHECK ((taken_lat >= ('-90'::int)::double precision) AND (taken_lat <= (90)::double precision)),
  taken_lon double precision CHECK ((taken_lon >= ('-180'::int)::double precision) AND (taken_lon <= (180)::double precision)),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, subject_kind, subject_id, kind, nth),
  CHECK ((state = 'refused') = (path IS NULL)),
  CHECK ((state = 'refused') = (refused_at IS NOT NULL)),
  CHECK ((taken_lat IS NULL) = (taken_lon IS NULL))
);
COMMENT ON TABLE attachment IS 'Uploaded files of all features (server/attachments/). Company 0 is the platform.';
COMMENT ON COLUMN attachment.kind IS 'Purpose of the file, as declared by a feature.';
COMMENT ON COLUMN attachment.subject_kind IS 'With subject_id, identifies the record that the file belongs to.';
COMMENT ON COLUMN attachment.nth IS 'Number of the file within its subject. If each file replaces the previous one, this is the version number.';
COMMENT ON COLUMN attachment.state IS 'waiting: not scanned yet. refused: rejected by the virus scanner.';
COMMENT ON COLUMN attachment.path IS 'Key in the file store. Null if the virus scanner rejected the file, which is then deleted from the store.';
COMMENT ON COLUMN attachment.preview IS 'Thumbnail image.';
COMMENT ON COLUMN attachment.finding IS 'Finding of the virus scanner. Empty if none.';
COMMENT ON COLUMN attachment.expires_at IS 'Time of automatic deletion. Null if the file is never deleted automatically.';
COMMENT ON COLUMN attachment.taken_lat IS 'Latitude at which a photo was taken.';
COMMENT ON COLUMN attachment.taken_lon IS 'Longitude at which a photo was taken.';
CREATE INDEX attachment_expiring ON attachment (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX attachment_refused ON attachment (refused_at) WHERE refused_at IS NOT NULL;
CREATE INDEX attachment_waiting ON attachment (created_at) WHERE state = 'waiting';
GRANT SELECT, INSERT, UPDATE, DELETE ON attachment TO mainstreet_app, mainstreet_platform;

CREATE TABLE upload (
  company_id int NOT NULL,
  owner text NOT NULL,
  key text NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  bytes bigint NOT NULL CHECK (bytes > 0),
  received bigint NOT NULL DEFAULT 0,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (company_id, owner, key),
  CHECK (received >= 0 AND received <= bytes)
);
COMMENT ON TABLE upload IS 'Uploads in progress, before they become attachments (server/attachments/parts.ts). Company 0 is the platform.';
COMMENT ON COLUMN upload.owner IS 'Owner of the upload: account kind and person id of the session, or `guest` and the network of the IP address.';
COMMENT ON COLUMN upload.received IS 'Bytes received so far. The next part starts at this offset.';
CREATE INDEX upload_expiring ON upload (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON upload TO mainstreet_app, mainstreet_platform;

CREATE TABLE upload_part (
  company_id int NOT NULL,
  owner text NOT NULL,
  key text NOT NULL,
  part_offset bigint NOT NULL,
  content bytea NOT NULL,
  PRIMARY KEY (company_id, owner, key, part_offset),
  FOREIGN KEY (company_id, owner, key) REFERENCES upload ON DELETE CASCADE
);
COMMENT ON TABLE upload_part IS 'Received parts of an upload.';
GRANT SELECT, INSERT, DELETE ON upload_part TO mainstreet_app, mainstreet_platform;

CREATE TABLE idempotency_key (
  company_id int NOT NULL,
  call text NOT NULL,
  key text NOT NULL,
  body_hash bytea NOT NULL,
  lease_until timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL,
  stored_response text CONSTRAINT stored_response_is_sealed CHECK (stored_response ~ '^[0-9a-f]{16}\.[\w-]+$'),
  PRIMARY KEY (company_id, call, key)
);
COMMENT ON TABLE idempotency_key IS 'Idempotent call in progress or completed. A repeated call with the same body gets the stored response.';
COMMENT ON COLUMN idempotency_key.body_hash IS 'Keyed hash of the request body. The portal refuses a call with the same key and another body.';
COMMENT ON COLUMN idempotency_key.lease_until IS 'Time until which other calls with the same key are refused because this call is in progress.';
COMMENT ON COLUMN idempotency_key.stored_response IS 'Encrypted response of the completed call. Null until the call completes.';
CREATE INDEX idempotency_key_by_age ON idempotency_key (created_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency_key TO mainstreet_app, mainstreet_platform;

CREATE VIEW form_template_version WITH (security_invoker = true) AS
 SELECT attachment.subject_id AS template_id,
    attachment.nth AS version,
    attachment.name AS original_name,
    attachment.content_type,
    attachment.bytes,
    attachment.sha256,
    attachment.created_at AS uploaded_at,
    attachment.created_by AS uploaded_by
   FROM attachment
  WHERE attachment.company_id = 0 AND attachment.subject_kind = 'form' AND attachment.kind = 'form';
COMMENT ON VIEW form_template_version IS 'Attachments of form templates, by version.';
GRANT SELECT ON form_template_version TO mainstreet_platform;
