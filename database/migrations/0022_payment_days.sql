-- What came of each payment, and of each of a town's days, as the ledger has it. The transaction that writes the ledger
-- keeps both, so that a report of a year reads days and not payments; `npm run verify` proves both from the ledger.

ALTER TABLE payment_order
  ADD COLUMN kept_bill_cents bigint NOT NULL DEFAULT 0,
  ADD COLUMN kept_fee_cents bigint NOT NULL DEFAULT 0,
  ADD COLUMN refunded_bill_cents bigint NOT NULL DEFAULT 0,
  ADD COLUMN refunded_fee_cents bigint NOT NULL DEFAULT 0,
  ADD COLUMN returned_bill_cents bigint NOT NULL DEFAULT 0,
  ADD COLUMN returned_fee_cents bigint NOT NULL DEFAULT 0;

-- Sums of transfers, signed as they change what is kept. made_on: the town's day on which the payment was made; moved_on:
-- that on which its money moved; way: what happened (capture, refund, return …), the first word of a transfer's kind.
-- fee_cents are of payers, absorbed_cents of the town itself; absorbs: whether the payment's fee was the town's.
CREATE TABLE payment_day (
  company_id int NOT NULL REFERENCES company,
  made_on date NOT NULL,
  moved_on date NOT NULL,
  way text NOT NULL,
  method int NOT NULL,
  location int NOT NULL,
  absorbs boolean NOT NULL,
  payments bigint NOT NULL,
  bill_cents bigint NOT NULL,
  fee_cents bigint NOT NULL,
  absorbed_cents bigint NOT NULL,
  PRIMARY KEY (company_id, made_on, moved_on, way, method, location, absorbs)
) WITH (fillfactor = 70);
CREATE INDEX payment_day_by_movement ON payment_day (company_id, moved_on);
GRANT SELECT, INSERT, UPDATE, DELETE ON payment_day TO mainstreet_app, mainstreet_platform;

-- Each transfer of the ledger, as the days count it.
CREATE VIEW ledger_movement WITH (security_invoker = true) AS
SELECT t.company_id, t.order_id, t.entry_id,
  (coalesce(o.created_at, t.at) AT TIME ZONE z.zone)::date AS made_on, (t.at AT TIME ZONE z.zone)::date AS moved_on,
  split_part(t.kind, '.', 1) AS way, coalesce(o.method, 0) AS method, coalesce(o.location, 0) AS location,
  coalesce(o.absorbed_fee_cents > 0, false) AS absorbs, (t.kind = 'capture.bill')::int AS payments,
  CASE 'payable_municipality' WHEN t.credit_account THEN t.amount_cents WHEN t.debit_account THEN -t.amount_cents ELSE 0 END AS bill_cents,
  CASE WHEN 'absorbed_fee' IN (t.debit_account, t.credit_account) THEN 0
    WHEN t.credit_account = 'fee_revenue' THEN t.amount_cents WHEN t.debit_account = 'fee_revenue' THEN -t.amount_cents ELSE 0 END AS fee_cents,
  CASE WHEN 'absorbed_fee' NOT IN (t.debit_account, t.credit_account) THEN 0
    WHEN t.credit_account = 'fee_revenue' THEN t.amount_cents WHEN t.debit_account = 'fee_revenue' THEN -t.amount_cents ELSE 0 END AS absorbed_cents
FROM ledger_transfer t
JOIN company c ON c.id = t.company_id JOIN timezone z ON z.id = c.timezone_id
LEFT JOIN payment_order o ON o.company_id = t.company_id AND o.id = t.order_id;

-- What the days should say, and what each payment should say of itself.
CREATE VIEW ledger_day WITH (security_invoker = true) AS
SELECT company_id, made_on, moved_on, way, method, location, absorbs, sum(payments)::bigint AS payments,
  sum(bill_cents)::bigint AS bill_cents, sum(fee_cents)::bigint AS fee_cents, sum(absorbed_cents)::bigint AS absorbed_cents
FROM ledger_movement GROUP BY company_id, made_on, moved_on, way, method, location, absorbs;

CREATE VIEW ledger_payment WITH (security_invoker = true) AS
SELECT company_id, order_id, sum(bill_cents)::bigint AS kept_bill_cents, sum(fee_cents)::bigint AS kept_fee_cents,
  coalesce(-sum(bill_cents) FILTER (WHERE way LIKE 'refund%' OR way = 'dispute_lost'), 0)::bigint AS refunded_bill_cents,
  coalesce(-sum(fee_cents) FILTER (WHERE way LIKE 'refund%' OR way = 'dispute_lost'), 0)::bigint AS refunded_fee_cents,
  coalesce(-sum(bill_cents) FILTER (WHERE way LIKE 'return%'), 0)::bigint AS returned_bill_cents,
  coalesce(-sum(fee_cents) FILTER (WHERE way LIKE 'return%'), 0)::bigint AS returned_fee_cents
FROM ledger_movement WHERE order_id IS NOT NULL GROUP BY company_id, order_id;
GRANT SELECT ON ledger_movement, ledger_day, ledger_payment TO mainstreet_app, mainstreet_platform;

-- Counts an entry that was just written. A change of the town's zone locks the town's row, which the entry's own foreign
-- key holds: one waits for the other, so that no entry is counted by a zone that the town has no more.
CREATE FUNCTION count_ledger_entry(company int, payment bigint, entry bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO payment_day AS d
  SELECT company_id, made_on, moved_on, way, method, location, absorbs, sum(payments), sum(bill_cents), sum(fee_cents), sum(absorbed_cents)
  FROM ledger_movement WHERE company_id = company AND order_id = payment AND entry_id = entry
  GROUP BY company_id, made_on, moved_on, way, method, location, absorbs ORDER BY made_on, moved_on, way
  ON CONFLICT (company_id, made_on, moved_on, way, method, location, absorbs) DO UPDATE SET payments = d.payments + excluded.payments,
    bill_cents = d.bill_cents + excluded.bill_cents, fee_cents = d.fee_cents + excluded.fee_cents,
    absorbed_cents = d.absorbed_cents + excluded.absorbed_cents;
  UPDATE payment_order o SET (kept_bill_cents, kept_fee_cents, refunded_bill_cents, refunded_fee_cents, returned_bill_cents, returned_fee_cents) = (
    SELECT p.kept_bill_cents, p.kept_fee_cents, p.refunded_bill_cents, p.refunded_fee_cents, p.returned_bill_cents, p.returned_fee_cents
    FROM ledger_payment p WHERE p.company_id = company AND p.order_id = payment)
  WHERE o.company_id = company AND o.id = payment;
END $$;

-- Counts a town's days and payments anew: after its zone changed, or what was written in one go.
CREATE FUNCTION recount_ledger(company int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM payment_day WHERE company_id = company;
  INSERT INTO payment_day SELECT * FROM ledger_day WHERE company_id = company;
  UPDATE payment_order o SET kept_bill_cents = p.kept_bill_cents, kept_fee_cents = p.kept_fee_cents,
    refunded_bill_cents = p.refunded_bill_cents, refunded_fee_cents = p.refunded_fee_cents,
    returned_bill_cents = p.returned_bill_cents, returned_fee_cents = p.returned_fee_cents
  FROM ledger_payment p
  WHERE o.company_id = company AND p.company_id = company AND p.order_id = o.id
    AND (o.kept_bill_cents, o.kept_fee_cents, o.refunded_bill_cents, o.refunded_fee_cents, o.returned_bill_cents, o.returned_fee_cents)
      IS DISTINCT FROM (p.kept_bill_cents, p.kept_fee_cents, p.refunded_bill_cents, p.refunded_fee_cents, p.returned_bill_cents, p.returned_fee_cents);
END $$;

-- What there is already. Row-level security binds the owner, too, who lifts it for this transaction.
ALTER TABLE payment_order NO FORCE ROW LEVEL SECURITY;
ALTER TABLE ledger_transfer NO FORCE ROW LEVEL SECURITY;
SELECT recount_ledger(id) FROM company;
ALTER TABLE payment_order FORCE ROW LEVEL SECURITY;
ALTER TABLE ledger_transfer FORCE ROW LEVEL SECURITY;

-- What was asked for and never paid is little, and explains the difference between what the rows show and what was kept.
CREATE INDEX payment_order_unpaid ON payment_order (company_id, created_at)
  INCLUDE (status, method, location, bill_cents, fee_cents, total_cents) WHERE paid_at IS NULL AND status IN (0, 2, 5);
