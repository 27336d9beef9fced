-- What a drawer's count finds over or short is no payment's, so the days of payments leave it out.
CREATE OR REPLACE VIEW ledger_day WITH (security_invoker = true) AS
SELECT company_id, made_on, moved_on, way, method, location, absorbs, sum(payments)::bigint AS payments,
  sum(bill_cents)::bigint AS bill_cents, sum(fee_cents)::bigint AS fee_cents, sum(absorbed_cents)::bigint AS absorbed_cents
FROM ledger_movement WHERE order_id IS NOT NULL GROUP BY company_id, made_on, moved_on, way, method, location, absorbs;

-- Towns whose days were counted with it.
ALTER TABLE payment_day NO FORCE ROW LEVEL SECURITY;
DELETE FROM payment_day WHERE way = 'drawer';
ALTER TABLE payment_day FORCE ROW LEVEL SECURITY;
