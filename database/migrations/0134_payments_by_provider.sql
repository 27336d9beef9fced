-- Who took each payment, by its day: reports of cards and eChecks count what a payment provider took, and nothing of the office.
ALTER TABLE payment_day
  ADD COLUMN provider text NOT NULL DEFAULT '',
  DROP CONSTRAINT payment_day_pkey;
ALTER TABLE payment_day ADD PRIMARY KEY (company_id, made_on, moved_on, way, method, location, absorbs, program, mode, provider);
COMMENT ON COLUMN payment_day.provider IS 'source of the capture: a payment provider, office or lockbox';

-- A refund by check has the source `office`, and belongs to the provider that took the payment.
CREATE OR REPLACE VIEW ledger_movement WITH (security_invoker = true) AS
SELECT t.company_id, t.order_id, t.entry_id,
  (coalesce(o.created_at, t.at) AT TIME ZONE z.zone)::date AS made_on, (t.at AT TIME ZONE z.zone)::date AS moved_on,
  split_part(t.kind, '.', 1) AS way, coalesce(o.method, 0) AS method, coalesce(o.location, 0) AS location,
  coalesce(l.absorbed_fee_cents, o.absorbed_fee_cents, 0) > 0 AS absorbs, (t.kind = 'capture.bill' AND coalesce(t.line_no, 1) = 1)::int AS payments,
  CASE 'payable_municipality' WHEN t.credit_account THEN t.amount_cents WHEN t.debit_account THEN -t.amount_cents ELSE 0 END AS bill_cents,
  CASE WHEN 'absorbed_fee' IN (t.debit_account, t.credit_account) THEN 0
    WHEN t.credit_account = 'fee_revenue' THEN t.amount_cents WHEN t.debit_account = 'fee_revenue' THEN -t.amount_cents ELSE 0 END AS fee_cents,
  CASE WHEN 'absorbed_fee' NOT IN (t.debit_account, t.credit_account) THEN 0
    WHEN t.credit_account = 'fee_revenue' THEN t.amount_cents WHEN t.debit_account = 'fee_revenue' THEN -t.amount_cents ELSE 0 END AS absorbed_cents,
  coalesce(l.fee_program, 'none') AS program, coalesce(l.fee_mode, 'single') AS mode,
  CASE WHEN t.kind LIKE 'capture.%' THEN t.source ELSE coalesce((SELECT c.source FROM ledger_transfer c
    WHERE c.company_id = t.company_id AND c.order_id = t.order_id AND c.kind LIKE 'capture.%' ORDER BY c.entry_id LIMIT 1), t.source) END AS provider
FROM ledger_transfer t
JOIN company c ON c.id = t.company_id JOIN timezone z ON z.id = c.timezone_id
LEFT JOIN payment_order o ON o.company_id = t.company_id AND o.id = t.order_id
LEFT JOIN payment_order_line l ON l.company_id = t.company_id AND l.order_id = t.order_id AND l.line_no = t.line_no;

CREATE OR REPLACE VIEW ledger_day WITH (security_invoker = true) AS
SELECT company_id, made_on, moved_on, way, method, location, absorbs, sum(payments)::bigint AS payments,
  sum(bill_cents)::bigint AS bill_cents, sum(fee_cents)::bigint AS fee_cents, sum(absorbed_cents)::bigint AS absorbed_cents, program, mode, provider
FROM ledger_movement WHERE order_id IS NOT NULL GROUP BY company_id, made_on, moved_on, way, method, location, absorbs, program, mode, provider;

CREATE OR REPLACE FUNCTION count_ledger_entry(company int, payment bigint, entry bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO payment_day AS d
  SELECT company_id, made_on, moved_on, way, method, location, absorbs, sum(payments), sum(bill_cents), sum(fee_cents), sum(absorbed_cents), program, mode, provider
  FROM ledger_movement WHERE company_id = company AND order_id = payment AND entry_id = entry
  GROUP BY company_id, made_on, moved_on, way, method, location, absorbs, program, mode, provider
  ORDER BY made_on, moved_on, way, absorbs, program, mode, provider
  ON CONFLICT (company_id, made_on, moved_on, way, method, location, absorbs, program, mode, provider) DO UPDATE SET payments = d.payments + excluded.payments,
    bill_cents = d.bill_cents + excluded.bill_cents, fee_cents = d.fee_cents + excluded.fee_cents,
    absorbed_cents = d.absorbed_cents + excluded.absorbed_cents;
  -- Always after the days of payments and in one order, so that two payments never wait for each other's rows.
  INSERT INTO earning_day AS d
  SELECT company_id, day, account, other, sum(cents) FROM ledger_earning
  WHERE company_id = company AND entry_id = entry AND (order_id = payment OR payment IS NULL AND order_id IS NULL)
  GROUP BY company_id, day, account, other ORDER BY day, account, other
  ON CONFLICT (company_id, day, account, other) DO UPDATE SET cents = d.cents + excluded.cents;
  IF payment IS NULL THEN
    RETURN;
  END IF;
  INSERT INTO held_movement AS h
  SELECT m.company_id, m.source_ref, m.way, m.source, min(m.at), sum(m.cents) FROM ledger_held m
  WHERE m.company_id = company AND m.order_id = payment AND m.entry_id = entry AND NOT EXISTS (SELECT FROM payout_line l
    WHERE l.company_id = m.company_id AND l.source_ref = m.source_ref AND l.way = m.way AND l.provider = m.source)
  GROUP BY m.company_id, m.source_ref, m.way, m.source ORDER BY m.source_ref, m.way
  ON CONFLICT (company_id, source_ref, way, source) DO UPDATE SET cents = h.cents + excluded.cents;
  UPDATE payment_order o SET (kept_bill_cents, kept_fee_cents, refunded_bill_cents, refunded_fee_cents, returned_bill_cents, returned_fee_cents) = (
    SELECT p.kept_bill_cents, p.kept_fee_cents, p.refunded_bill_cents, p.refunded_fee_cents, p.returned_bill_cents, p.returned_fee_cents
    FROM ledger_payment p WHERE p.company_id = company AND p.order_id = payment)
  WHERE o.company_id = company AND o.id = payment;
END $$;

-- What there is already. Row-level security binds the owner, too, who lifts it for this transaction.
ALTER TABLE payment_order NO FORCE ROW LEVEL SECURITY;
ALTER TABLE payment_order_line NO FORCE ROW LEVEL SECURITY;
ALTER TABLE ledger_transfer NO FORCE ROW LEVEL SECURITY;
ALTER TABLE payment_day NO FORCE ROW LEVEL SECURITY;
DELETE FROM payment_day;
INSERT INTO payment_day SELECT * FROM ledger_day;
ALTER TABLE payment_order FORCE ROW LEVEL SECURITY;
ALTER TABLE payment_order_line FORCE ROW LEVEL SECURITY;
ALTER TABLE ledger_transfer FORCE ROW LEVEL SECURITY;
ALTER TABLE payment_day FORCE ROW LEVEL SECURITY;
