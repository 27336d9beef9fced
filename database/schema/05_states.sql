-- Allowed state changes, and the history of each record.

CREATE TABLE status_edge (
  machine text NOT NULL,
  from_state text NOT NULL,
  to_state text NOT NULL CHECK (to_state <> ''),
  event text NOT NULL,
  PRIMARY KEY (machine, from_state, to_state, event)
);
COMMENT ON TABLE status_edge IS 'reference: Allowed transitions between the states of each state machine.';
COMMENT ON COLUMN status_edge.from_state IS 'Empty for a new entity.';
GRANT SELECT ON status_edge TO mainstreet_app, mainstreet_platform;

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
COMMENT ON TABLE status_history IS 'Transitions of all entities with a state machine (server/states.ts). Company 0 is the platform.';
COMMENT ON COLUMN status_history.seq IS 'Number of the transition within the entity, from 1.';
COMMENT ON COLUMN status_history.from_state IS 'Empty for a new entity.';
CREATE INDEX status_history_by_time ON status_history (company_id, machine, at);
CREATE INDEX status_history_payment_troubles ON status_history (company_id, at) INCLUDE (event) WHERE machine = 'order' AND event IN ('declined', 'returned');
GRANT SELECT, INSERT ON status_history TO mainstreet_app, mainstreet_platform;

INSERT INTO status_edge (machine, from_state, to_state, event) VALUES
  ('account', '', 'invited', 'invite'),
  ('account', 'active', 'inactive', 'close'),
  ('account', 'active', 'inactive', 'deactivate'),
  ('account', 'active', 'locked', 'lock'),
  ('account', 'inactive', 'active', 'activate'),
  ('account', 'inactive', 'invited', 'activate'),
  ('account', 'inactive', 'locked', 'activate'),
  ('account', 'invited', 'active', 'accept'),
  ('account', 'invited', 'inactive', 'deactivate'),
  ('account', 'invited', 'locked', 'lock'),
  ('account', 'invited', 'active', 'recover'),
  ('account', 'locked', 'inactive', 'deactivate'),
  ('account', 'locked', 'active', 'unlock'),
  ('account', 'locked', 'invited', 'unlock'),
  ('department', '', 'active', 'create'),
  ('department', 'active', 'inactive', 'inactivate'),
  ('department', 'inactive', 'active', 'activate'),
  ('scheduled_item', 'completed', 'in_progress', 'reopen'),
  ('scheduled_item', 'in_progress', 'completed', 'complete'),
  ('scheduled_item', 'not_started', 'completed', 'complete'),
  ('scheduled_item', 'not_started', 'in_progress', 'start');
