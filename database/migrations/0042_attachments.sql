-- The files that people send: one table for all that is kept, and the parts of what is on its way.

-- Company 0 is the platform. What a file belongs to is named by its kind and number, as in status_history.
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
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, subject_kind, subject_id, kind, nth),
  CHECK ((state = 'refused') = (path IS NULL)),
  CHECK ((state = 'refused') = (refused_at IS NOT NULL))
);
COMMENT ON TABLE attachment IS 'files that people sent (server/attachments/)';
COMMENT ON COLUMN attachment.kind IS 'which use of files it is: the name that a feature declared';
COMMENT ON COLUMN attachment.nth IS 'counts the files of a subject; a version, where each file replaces the one before';
COMMENT ON COLUMN attachment.path IS 'null: the virus scanner refused it, and it is gone from the store';
CREATE INDEX attachment_waiting ON attachment (created_at) WHERE state = 'waiting';
CREATE INDEX attachment_refused ON attachment (refused_at) WHERE refused_at IS NOT NULL;
CREATE INDEX attachment_expiring ON attachment (expires_at) WHERE expires_at IS NOT NULL;

-- An upload that was begun: who sends it, under a key of their browser's, and how much of it has arrived.
CREATE TABLE upload (
  company_id int NOT NULL,
  owner text NOT NULL,
  key text NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  bytes bigint NOT NULL CHECK (bytes > 0),
  received bigint NOT NULL DEFAULT 0 CHECK (received BETWEEN 0 AND bytes),
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (company_id, owner, key)
);
COMMENT ON TABLE upload IS 'uploads that were begun and are not kept yet (server/attachments/parts.ts)';
CREATE INDEX upload_expiring ON upload (expires_at);

-- In the database, since the next part may reach another portal.
CREATE TABLE upload_part (
  company_id int NOT NULL,
  owner text NOT NULL,
  key text NOT NULL,
  part_offset bigint NOT NULL,
  content bytea NOT NULL,
  PRIMARY KEY (company_id, owner, key, part_offset),
  FOREIGN KEY (company_id, owner, key) REFERENCES upload ON DELETE CASCADE
);
COMMENT ON TABLE upload_part IS 'what has arrived of an upload';

GRANT SELECT, INSERT, UPDATE, DELETE ON attachment, upload TO mainstreet_app, mainstreet_platform;
GRANT SELECT, INSERT, DELETE ON upload_part TO mainstreet_app, mainstreet_platform;

-- The logos and maps of towns. Row-level security binds the owner, too, who lifts it for this transaction.
ALTER TABLE stored_file NO FORCE ROW LEVEL SECURITY;
ALTER TABLE town_map NO FORCE ROW LEVEL SECURITY;
INSERT INTO attachment (company_id, id, kind, subject_kind, subject_id, nth, state, name, content_type, bytes, sha256, path,
    created_at, created_by_kind, created_by)
  SELECT f.company_id, f.id, f.purpose, 'company', f.company_id,
    row_number() OVER (PARTITION BY f.company_id, f.purpose ORDER BY f.created_at, f.id), 'clean',
    coalesce(m.file_name, CASE f.purpose WHEN 'logo' THEN 'logo.png' ELSE f.purpose END), f.content_type, f.bytes,
    f.sha256, f.path, f.created_at, 'system', f.created_by
  FROM stored_file AS f
  LEFT JOIN town_map AS m ON m.company_id = f.company_id AND m.file_id = f.id;
ALTER TABLE town_map DROP CONSTRAINT town_map_company_id_file_id_fkey;
ALTER TABLE town_map DROP COLUMN file_name;
ALTER TABLE town_map ADD FOREIGN KEY (company_id, file_id) REFERENCES attachment (company_id, id);
ALTER TABLE town_map FORCE ROW LEVEL SECURITY;
DROP TABLE stored_file;

-- The files of the library. A version of a form is the file of that number.
INSERT INTO attachment (company_id, kind, subject_kind, subject_id, nth, state, name, content_type, bytes, sha256, path,
    created_at, created_by_kind, created_by)
  SELECT 0, 'form', 'form', template_id, version, 'clean', original_name, content_type, bytes, sha256, path, uploaded_at,
    'platform', uploaded_by
  FROM form_template_version;
DROP TABLE form_template_version;
CREATE VIEW form_template_version WITH (security_invoker = true) AS
  SELECT subject_id AS template_id, nth AS version, name AS original_name, content_type, bytes, sha256,
    created_at AS uploaded_at, created_by AS uploaded_by
  FROM attachment WHERE company_id = 0 AND subject_kind = 'form' AND kind = 'form';
COMMENT ON VIEW form_template_version IS 'the files of the library, each version of them';
GRANT SELECT ON form_template_version TO mainstreet_platform;
