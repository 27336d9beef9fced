-- Support requests take their steps as everything that has states does, and keep them in the same history.

INSERT INTO status_edge (machine, from_state, to_state, event) VALUES
  ('support_request', '', '0', 'ask'),
  ('support_request', '0', '1', 'start'),
  ('support_request', '3', '1', 'start'),
  ('support_request', '0', '2', 'complete'),
  ('support_request', '1', '2', 'complete'),
  ('support_request', '3', '2', 'complete'),
  ('support_request', '2', '3', 'reopen'),
  ('support_request', '0', '4', 'invalidate'),
  ('support_request', '1', '4', 'invalidate'),
  ('support_request', '3', '4', 'invalidate');

-- The tables have forced row-level security, which would hide every row from the migration.
ALTER TABLE support_status_history NO FORCE ROW LEVEL SECURITY;
ALTER TABLE person NO FORCE ROW LEVEL SECURITY;
ALTER TABLE status_history NO FORCE ROW LEVEL SECURITY;

-- Whoever asked without a session is a guest; with one it was a resident, or somebody of the town's staff.
INSERT INTO status_history (company_id, machine, subject_id, seq, from_state, to_state, event, at, actor_kind, actor_id, actor_name, reason)
SELECT h.company_id, 'support_request', h.request_id, row_number() OVER (PARTITION BY h.company_id, h.request_id ORDER BY h.id),
  CASE h.from_status WHEN -1 THEN '' ELSE h.from_status::text END, h.to_status::text,
  (ARRAY['ask', 'start', 'complete', 'reopen', 'invalidate'])[1 + h.to_status], h.at,
  CASE WHEN h.actor_kind = 'platform' THEN 'platform' WHEN h.actor_id IS NULL THEN 'guest'
    WHEN p.role_id >= 3 THEN 'municipality' ELSE 'citizen' END,
  h.actor_id, h.actor_name, h.reason
FROM support_status_history h LEFT JOIN person p ON h.actor_kind = 'person' AND p.company_id = h.company_id AND p.id = h.actor_id;

ALTER TABLE person FORCE ROW LEVEL SECURITY;
ALTER TABLE status_history FORCE ROW LEVEL SECURITY;
DROP TABLE support_status_history;

-- Figures of the day are counted from a town's steps of one kind up to a moment.
CREATE INDEX status_history_by_time ON status_history (company_id, machine, at);
