-- The states of things: every step that there is, and every step that was taken. What a machine is called, its states and
-- its events are declared in the features' states.ts; a test compares both.

CREATE TABLE status_edge (
  machine text NOT NULL,
  from_state text NOT NULL,
  to_state text NOT NULL CHECK (to_state <> ''),
  event text NOT NULL,
  PRIMARY KEY (machine, from_state, to_state, event)
);
COMMENT ON TABLE status_edge IS 'reference: allowed steps between the states of things';
COMMENT ON COLUMN status_edge.from_state IS 'empty: the thing was not there before';

INSERT INTO status_edge (machine, from_state, to_state, event) VALUES
  ('form', '', 'active', 'add'),
  ('form', 'inactive', 'active', 'activate'),
  ('form', 'active', 'inactive', 'inactivate'),
  ('account', '', 'invited', 'invite'),
  ('account', 'invited', 'active', 'accept'),
  ('account', 'invited', 'active', 'recover'),
  ('account', 'active', 'locked', 'lock'),
  ('account', 'invited', 'locked', 'lock'),
  ('account', 'locked', 'active', 'unlock'),
  ('account', 'locked', 'invited', 'unlock'),
  ('account', 'active', 'inactive', 'deactivate'),
  ('account', 'invited', 'inactive', 'deactivate'),
  ('account', 'locked', 'inactive', 'deactivate'),
  ('account', 'inactive', 'active', 'activate'),
  ('account', 'inactive', 'invited', 'activate'),
  ('account', 'inactive', 'locked', 'activate'),
  ('department', '', 'active', 'create'),
  ('department', 'inactive', 'active', 'activate'),
  ('department', 'active', 'inactive', 'inactivate'),
  ('scheduled_item', 'not_started', 'in_progress', 'start'),
  ('scheduled_item', 'not_started', 'completed', 'complete'),
  ('scheduled_item', 'in_progress', 'completed', 'complete'),
  ('scheduled_item', 'completed', 'in_progress', 'reopen');

-- The steps of orders, whose history has a table of its own.
INSERT INTO status_edge (machine, from_state, to_state, event)
  SELECT 'order', CASE from_status WHEN -1 THEN '' ELSE from_status::text END, to_status::text, event FROM order_status_edge;

-- Company 0 is the platform. Written once; a thing that was there before this table begins its history with its next step.
CREATE TABLE status_history (
  company_id int NOT NULL,
  machine text NOT NULL,
  subject_id bigint NOT NULL,
  seq int NOT NULL CHECK (seq > 0),
  from_state text NOT NULL,
  to_state text NOT NULL,
  event text NOT NULL,
  at timestamptz(3) NOT NULL,
  actor_kind text NOT NULL CHECK (actor_kind IN ('guest', 'citizen', 'municipality', 'platform', 'system')),
  actor_id bigint,
  actor_name text NOT NULL,
  reason text NOT NULL DEFAULT '',
  PRIMARY KEY (company_id, machine, subject_id, seq),
  FOREIGN KEY (machine, from_state, to_state, event) REFERENCES status_edge
);
COMMENT ON TABLE status_history IS 'who took a thing from one state to the next (server/states.ts)';

GRANT SELECT ON status_edge TO mainstreet_app, mainstreet_platform;
GRANT SELECT, INSERT ON status_history TO mainstreet_app, mainstreet_platform;
