-- Support requests to the platform.

-- Public numbers of support requests.
CREATE SEQUENCE support_request_number START 1001;
GRANT USAGE ON SEQUENCE support_request_number TO mainstreet_app, mainstreet_platform;

CREATE TABLE support_request (
  company_id int NOT NULL REFERENCES company,
  id bigint NOT NULL DEFAULT nextval('support_request_number'),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  status int NOT NULL DEFAULT 0 CHECK (status BETWEEN 0 AND 4),
  closed_at timestamptz(3),
  first_reply_at timestamptz(3),
  category text NOT NULL CHECK (category IN ('signing_in', 'paying', 'account', 'form', 'site', 'else')),
  name text NOT NULL,
  email text NOT NULL,
  phone text NOT NULL,
  account_number text NOT NULL,
  address text NOT NULL,
  city text NOT NULL,
  state text NOT NULL,
  zipcode text NOT NULL,
  message text NOT NULL CHECK ((length(message) >= 10) AND (length(message) <= 4000)),
  person_id bigint,
  assigned_to bigint,
  last_message_id bigint NOT NULL DEFAULT 0,
  last_from text NOT NULL DEFAULT 'person' CHECK (last_from IN ('person', 'staff')),
  search_text text COLLATE "C" GENERATED ALWAYS AS (lower(((((((((((name || ' ') || email) || ' ') || phone) || ' ') || account_number) || ' ') || address) || ' ') || message))) STORED,
  department_id bigint,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, person_id) REFERENCES person,
  CHECK (email <> '' OR phone <> ''),
  CHECK ((closed_at IS NOT NULL) = status IN (2, 4)),
  CHECK (assigned_to IS NULL OR department_id IS NULL)
);
COMMENT ON TABLE support_request IS 'Support request to the platform about the portal.';
COMMENT ON COLUMN support_request.status IS '0 New, 1 In Progress, 2 Completed, 3 Reopen, 4 Invalid.';
COMMENT ON COLUMN support_request.person_id IS 'Signed-in person who submitted the request. The name, email and phone number are as entered and not verified.';
COMMENT ON COLUMN support_request.assigned_to IS 'Id in platform_person of the assigned staff member, who may have left the platform since then.';
COMMENT ON COLUMN support_request.last_message_id IS 'Id of the last message or note on the timeline. A staff reply is sent with the id of the last entry that its author saw. If a newer entry exists, the portal refuses the reply, so that two people do not answer the same message.';
COMMENT ON COLUMN support_request.department_id IS 'Id in platform_department of the assigned department. People in this department can work on the request.';
CREATE INDEX support_request_by_activity ON support_request (updated_at, id);
CREATE INDEX support_request_by_assignee ON support_request (assigned_to, created_at, id);
CREATE INDEX support_request_by_number ON support_request (id);
CREATE INDEX support_request_by_status ON support_request (status, created_at, id);
CREATE INDEX support_request_by_text ON support_request USING gin (company_id, folded(search_text) gin_trgm_ops);
CREATE INDEX support_request_by_time ON support_request (created_at, id);
CREATE INDEX support_request_closed ON support_request (company_id, closed_at) WHERE closed_at IS NOT NULL;
CREATE INDEX support_request_of_company ON support_request (company_id, created_at, id);
CREATE INDEX support_request_of_department ON support_request (department_id, created_at, id) WHERE department_id IS NOT NULL;
CREATE INDEX support_request_of_person ON support_request (company_id, person_id) WHERE person_id IS NOT NULL;
CREATE INDEX support_request_open_by_activity ON support_request (updated_at, id) WHERE status IN (0, 1, 3);
CREATE INDEX support_request_open_by_assignee ON support_request (assigned_to, created_at, id) WHERE status IN (0, 1, 3);
CREATE INDEX support_request_open_by_time ON support_request (created_at, id) WHERE status IN (0, 1, 3);
GRANT SELECT, INSERT, UPDATE ON support_request TO mainstreet_app, mainstreet_platform;

INSERT INTO status_edge (machine, from_state, to_state, event) VALUES
  ('support_request', '', '0', 'submit'),
  ('support_request', '0', '2', 'complete'),
  ('support_request', '0', '4', 'invalidate'),
  ('support_request', '0', '1', 'start'),
  ('support_request', '1', '2', 'complete'),
  ('support_request', '1', '4', 'invalidate'),
  ('support_request', '2', '3', 'reopen'),
  ('support_request', '3', '2', 'complete'),
  ('support_request', '3', '4', 'invalidate'),
  ('support_request', '3', '1', 'start');
