-- Reports that come from other portals (features/open311), by keys of their own.

ALTER TABLE api_key ADD COLUMN use text NOT NULL DEFAULT 'billing' CHECK (use IN ('billing', 'open311'));
ALTER TABLE api_key ALTER COLUMN use DROP DEFAULT;
COMMENT ON COLUMN api_key.use IS 'what it opens, and nothing else';

-- Which program sent a request: it may read all of it, and write in its conversation.
CREATE TABLE open311_request (
  company_id int NOT NULL,
  request_id bigint NOT NULL,
  key_id bigint NOT NULL,
  media_url text NOT NULL DEFAULT '' CHECK (length(media_url) <= 500),
  PRIMARY KEY (company_id, request_id),
  FOREIGN KEY (company_id, request_id) REFERENCES service_request,
  FOREIGN KEY (company_id, key_id) REFERENCES api_key
);
COMMENT ON COLUMN open311_request.media_url IS 'where the program keeps a picture of it; nothing is ever fetched from there';
CREATE INDEX open311_request_of_key ON open311_request (company_id, key_id, request_id);

-- What a program wrote later, under its own number, so that what is sent again is written once.
CREATE TABLE open311_update (
  company_id int NOT NULL,
  request_id bigint NOT NULL,
  update_id text COLLATE "C" NOT NULL CHECK (length(update_id) BETWEEN 1 AND 100),
  entry_id bigint NOT NULL,
  PRIMARY KEY (company_id, request_id, update_id),
  FOREIGN KEY (company_id, request_id) REFERENCES open311_request
);
COMMENT ON COLUMN open311_update.entry_id IS 'what it became in the conversation of the request';

GRANT SELECT, INSERT ON open311_request, open311_update TO mainstreet_app, mainstreet_platform;
