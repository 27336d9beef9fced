-- What the reports of money read of many payments is kept as the ledger is written, beside the days of payments; `npm run verify`
-- proves it from the ledger.

-- Credits less debits of the accounts that say what was earned, by the municipality's day and the account on the other side.
CREATE TABLE earning_day (
  company_id int NOT NULL REFERENCES company,
  day date NOT NULL,
  account text NOT NULL,
  other text NOT NULL,
  cents bigint NOT NULL,
  PRIMARY KEY (company_id, day, account, other),
  FOREIGN KEY (company_id, account) REFERENCES ledger_account
) WITH (fillfactor = 70);
GRANT SELECT, INSERT, UPDATE, DELETE ON earning_day TO mainstreet_app, mainstreet_platform;

CREATE VIEW ledger_earning WITH (security_invoker = true) AS
SELECT leg.company_id, leg.order_id, leg.entry_id, (leg.at AT TIME ZONE z.zone)::date AS day, leg.account, leg.other, leg.cents
FROM (
  SELECT company_id, order_id, entry_id, at, credit_account AS account, debit_account AS other, amount_cents AS cents FROM ledger_transfer
  UNION ALL
  SELECT company_id, order_id, entry_id, at, debit_account, credit_account, -amount_cents FROM ledger_transfer) leg
JOIN company c ON c.id = leg.company_id JOIN timezone z ON z.id = c.timezone_id
JOIN ledger_account a ON a.company_id = leg.company_id AND a.code = leg.account AND a.kind IN ('revenue', 'expense');
GRANT SELECT ON ledger_earning TO mainstreet_app, mainstreet_platform;

-- Entries of no payment, such as payouts, are found by their number.
CREATE INDEX ledger_transfer_of_no_order ON ledger_transfer (company_id, entry_id) WHERE order_id IS NULL;

-- What moved at a payment provider and no payout has brought yet: a few days of charges, refunds and disputes.
CREATE TABLE held_movement (
  company_id int NOT NULL REFERENCES company,
  source_ref text NOT NULL,
  way text NOT NULL,
  source text NOT NULL,
  at timestamptz(3) NOT NULL,
  cents bigint NOT NULL,
  PRIMARY KEY (company_id, source_ref, way, source)
);
CREATE INDEX held_movement_by_time ON held_movement (company_id, at) INCLUDE (way, cents);
CREATE INDEX held_movement_by_age ON held_movement (at);
GRANT SELECT, INSERT, UPDATE, DELETE ON held_movement TO mainstreet_app, mainstreet_platform;

CREATE VIEW ledger_held WITH (security_invoker = true) AS
SELECT t.company_id, t.order_id, t.entry_id, t.source_ref, split_part(t.kind, '.', 1) AS way, t.source, t.at,
  CASE t.debit_account WHEN 'gateway_clearing' THEN t.amount_cents ELSE -t.amount_cents END AS cents
FROM ledger_transfer t
WHERE t.order_id IS NOT NULL AND 'gateway_clearing' IN (t.debit_account, t.credit_account);
GRANT SELECT ON ledger_held TO mainstreet_app, mainstreet_platform;

CREATE OR REPLACE FUNCTION count_ledger_entry(company int, payment bigint, entry bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO payment_day AS d
  SELECT company_id, made_on, moved_on, way, method, location, absorbs, sum(payments), sum(bill_cents), sum(fee_cents), sum(absorbed_cents), program, mode
  FROM ledger_movement WHERE company_id = company AND order_id = payment AND entry_id = entry
  GROUP BY company_id, made_on, moved_on, way, method, location, absorbs, program, mode ORDER BY made_on, moved_on, way, absorbs, program, mode
  ON CONFLICT (company_id, made_on, moved_on, way, method, location, absorbs, program, mode) DO UPDATE SET payments = d.payments + excluded.payments,
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

-- What is older than 60 days and in no payout is an exception of the reconciliation, and nobody waits for it.
CREATE FUNCTION recount_earnings(company int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM earning_day WHERE company_id = company;
  INSERT INTO earning_day SELECT company_id, day, account, other, sum(cents) FROM ledger_earning WHERE company_id = company GROUP BY 1, 2, 3, 4;
  DELETE FROM held_movement WHERE company_id = company;
  INSERT INTO held_movement
  SELECT m.company_id, m.source_ref, m.way, m.source, min(m.at), sum(m.cents) FROM ledger_held m
  WHERE m.company_id = company AND m.at >= (SELECT max(t.at) FROM ledger_transfer t WHERE t.company_id = company) - interval '60 days' AND NOT EXISTS (SELECT FROM payout_line l
    WHERE l.company_id = m.company_id AND l.source_ref = m.source_ref AND l.way = m.way AND l.provider = m.source)
  GROUP BY 1, 2, 3, 4;
END $$;

CREATE OR REPLACE FUNCTION recount_ledger(company int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM payment_day WHERE company_id = company;
  INSERT INTO payment_day SELECT * FROM ledger_day WHERE company_id = company;
  PERFORM recount_earnings(company);
  UPDATE payment_order o SET kept_bill_cents = p.kept_bill_cents, kept_fee_cents = p.kept_fee_cents,
    refunded_bill_cents = p.refunded_bill_cents, refunded_fee_cents = p.refunded_fee_cents,
    returned_bill_cents = p.returned_bill_cents, returned_fee_cents = p.returned_fee_cents
  FROM ledger_payment p
  WHERE o.company_id = company AND p.company_id = company AND p.order_id = o.id
    AND (o.kept_bill_cents, o.kept_fee_cents, o.refunded_bill_cents, o.refunded_fee_cents, o.returned_bill_cents, o.returned_fee_cents)
      IS DISTINCT FROM (p.kept_bill_cents, p.kept_fee_cents, p.refunded_bill_cents, p.refunded_fee_cents, p.returned_bill_cents, p.returned_fee_cents);
END $$;

-- What there is already. Row-level security binds the owner, too, who lifts it for this transaction.
ALTER TABLE ledger_transfer NO FORCE ROW LEVEL SECURITY;
ALTER TABLE ledger_account NO FORCE ROW LEVEL SECURITY;
ALTER TABLE payout_line NO FORCE ROW LEVEL SECURITY;
SELECT recount_earnings(id) FROM company;
ALTER TABLE ledger_transfer FORCE ROW LEVEL SECURITY;
ALTER TABLE ledger_account FORCE ROW LEVEL SECURITY;
ALTER TABLE payout_line FORCE ROW LEVEL SECURITY;
