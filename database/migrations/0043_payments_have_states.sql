-- Payments take their steps as everything that has states does, and keep them in the same history. Their edges are in
-- status_edge already; what the states are called is declared in features/payments/states.ts.

-- The tables have forced row-level security, which would hide every row from the migration.
ALTER TABLE order_status_history NO FORCE ROW LEVEL SECURITY;
ALTER TABLE payment_order NO FORCE ROW LEVEL SECURITY;
ALTER TABLE person NO FORCE ROW LEVEL SECURITY;
ALTER TABLE status_history NO FORCE ROW LEVEL SECURITY;

-- A payment is begun and tried again by whoever pays: somebody who is signed in, or a guest. The rest is what the provider said.
INSERT INTO status_history (company_id, machine, subject_id, seq, from_state, to_state, event, at, actor_kind, actor_id, actor_name)
SELECT h.company_id, 'order', h.order_id, h.seq, CASE h.from_status WHEN -1 THEN '' ELSE h.from_status::text END, h.to_status::text,
  h.event, h.at,
  CASE WHEN NOT w.paid_by THEN 'system' WHEN p.id IS NULL THEN 'guest' WHEN p.role_id >= 3 THEN 'municipality' ELSE 'citizen' END,
  CASE WHEN w.paid_by THEN p.id END,
  CASE WHEN NOT w.paid_by THEN 'Mainstreet' WHEN p.id IS NULL THEN 'Guest' ELSE trim(p.first_name || ' ' || p.last_name) END
FROM order_status_history h
JOIN payment_order o ON o.company_id = h.company_id AND o.id = h.order_id
LEFT JOIN person p ON p.company_id = o.company_id AND p.id = o.person_id
CROSS JOIN LATERAL (SELECT h.event IN ('created', 'new_attempt', 'cancelled') AS paid_by) w;

ALTER TABLE payment_order DROP CONSTRAINT payment_order_status_fkey;
ALTER TABLE payment_order ADD CHECK (status IN (0, 1, 2, 3, 5));
ALTER TABLE payment_order FORCE ROW LEVEL SECURITY;
ALTER TABLE person FORCE ROW LEVEL SECURITY;
ALTER TABLE status_history FORCE ROW LEVEL SECURITY;
DROP TABLE order_status_history, order_status_edge, order_status;

-- What went wrong with payments is counted by the day, and found by the day.
CREATE INDEX status_history_payment_troubles ON status_history (company_id, at) INCLUDE (event)
  WHERE machine = 'order' AND event IN ('declined', 'returned');
