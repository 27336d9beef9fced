-- A checkout is a cart: things can be added and removed until a payment of it is under way. Each line of an order has its
-- own fee, and the ledger says of each transfer which line it is about.

-- `no` names a thing in the cart for good: one that was added later never gets the number of one that was removed.
ALTER TABLE guest_checkout
  ADD COLUMN last_no int NOT NULL DEFAULT 0,
  -- Whose cart it is: each person's own is found again wherever they are signed in.
  ADD COLUMN cart_of bigint,
  ADD FOREIGN KEY (company_id, cart_of) REFERENCES person;
ALTER TABLE guest_checkout NO FORCE ROW LEVEL SECURITY;
UPDATE guest_checkout SET last_no = jsonb_array_length(payables), payables = (
  SELECT jsonb_agg(jsonb_build_object('no', no) || payable ORDER BY no) FROM jsonb_array_elements(payables) WITH ORDINALITY AS p(payable, no));
ALTER TABLE guest_checkout FORCE ROW LEVEL SECURITY;
-- A cart from which everything was removed is empty, and is still its person's.
ALTER TABLE guest_checkout ALTER COLUMN last_no DROP DEFAULT, DROP CONSTRAINT guest_checkout_payables_check;
CREATE UNIQUE INDEX guest_checkout_cart_of ON guest_checkout (company_id, cart_of) WHERE cart_of IS NOT NULL;
GRANT UPDATE (payables, last_no, cart_of) ON guest_checkout TO mainstreet_app, mainstreet_platform;

-- The fees of an order are those of its lines. Whoever had several lines before today paid one fee, which its first line has.
ALTER TABLE payment_order_line
  ADD COLUMN fee_cents bigint NOT NULL DEFAULT 0 CHECK (fee_cents >= 0),
  ADD COLUMN absorbed_fee_cents bigint NOT NULL DEFAULT 0 CHECK (absorbed_fee_cents >= 0);
ALTER TABLE payment_order NO FORCE ROW LEVEL SECURITY;
ALTER TABLE payment_order_line NO FORCE ROW LEVEL SECURITY;
UPDATE payment_order_line l SET fee_cents = o.fee_cents, absorbed_fee_cents = o.absorbed_fee_cents
FROM payment_order o
WHERE o.company_id = l.company_id AND o.id = l.order_id AND o.fee_cents + o.absorbed_fee_cents > 0
  AND l.line_no = (SELECT min(first.line_no) FROM payment_order_line first WHERE first.company_id = o.company_id AND first.order_id = o.id);
ALTER TABLE payment_order FORCE ROW LEVEL SECURITY;
ALTER TABLE payment_order_line ALTER COLUMN fee_cents DROP DEFAULT, ALTER COLUMN absorbed_fee_cents DROP DEFAULT;

-- The line that a transfer is about; null for what is of the payment as a whole: what its payer owes, and what a dispute set aside.
ALTER TABLE ledger_transfer ADD COLUMN line_no int;
ALTER TABLE ledger_transfer NO FORCE ROW LEVEL SECURITY;
UPDATE ledger_transfer t SET line_no = (SELECT min(l.line_no) FROM payment_order_line l WHERE l.company_id = t.company_id AND l.order_id = t.order_id)
WHERE t.order_id IS NOT NULL AND split_part(t.kind, '.', 2) IN ('bill', 'fee', 'absorbed');
ALTER TABLE ledger_transfer FORCE ROW LEVEL SECURITY;
ALTER TABLE payment_order_line FORCE ROW LEVEL SECURITY;
ALTER TABLE ledger_transfer
  DROP CONSTRAINT ledger_transfer_company_id_source_source_ref_kind_key,
  ADD UNIQUE NULLS NOT DISTINCT (company_id, source, source_ref, kind, line_no),
  ADD FOREIGN KEY (company_id, order_id, line_no) REFERENCES payment_order_line;

-- A payment counts once, whatever the number of its lines: by its first.
CREATE OR REPLACE VIEW ledger_movement WITH (security_invoker = true) AS
SELECT t.company_id, t.order_id, t.entry_id,
  (coalesce(o.created_at, t.at) AT TIME ZONE z.zone)::date AS made_on, (t.at AT TIME ZONE z.zone)::date AS moved_on,
  split_part(t.kind, '.', 1) AS way, coalesce(o.method, 0) AS method, coalesce(o.location, 0) AS location,
  coalesce(o.absorbed_fee_cents > 0, false) AS absorbs, (t.kind = 'capture.bill' AND coalesce(t.line_no, 1) = 1)::int AS payments,
  CASE 'payable_municipality' WHEN t.credit_account THEN t.amount_cents WHEN t.debit_account THEN -t.amount_cents ELSE 0 END AS bill_cents,
  CASE WHEN 'absorbed_fee' IN (t.debit_account, t.credit_account) THEN 0
    WHEN t.credit_account = 'fee_revenue' THEN t.amount_cents WHEN t.debit_account = 'fee_revenue' THEN -t.amount_cents ELSE 0 END AS fee_cents,
  CASE WHEN 'absorbed_fee' NOT IN (t.debit_account, t.credit_account) THEN 0
    WHEN t.credit_account = 'fee_revenue' THEN t.amount_cents WHEN t.debit_account = 'fee_revenue' THEN -t.amount_cents ELSE 0 END AS absorbed_cents
FROM ledger_transfer t
JOIN company c ON c.id = t.company_id JOIN timezone z ON z.id = c.timezone_id
LEFT JOIN payment_order o ON o.company_id = t.company_id AND o.id = t.order_id;

-- Writes one entry and counts it, which are one thing.
CREATE FUNCTION post_ledger_entry(company int, payment bigint, of_source text, ref text, moved_at timestamptz, transfers jsonb)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  entry bigint := nextval('ledger_entry_number');
BEGIN
  INSERT INTO ledger_transfer (company_id, entry_id, order_id, line_no, debit_account, credit_account, amount_cents, source, source_ref, kind, at)
  SELECT company, entry, payment, t."lineNo", t.debit, t.credit, t."amountCents", of_source, ref, t.kind, moved_at
  FROM jsonb_to_recordset(transfers) AS t(kind text, "lineNo" int, debit text, credit text, "amountCents" bigint);
  PERFORM count_ledger_entry(company, payment, entry);
END $$;

-- The number of an attempt is known before it is written, like that of its order.
GRANT USAGE ON SEQUENCE payment_attempt_id_seq TO mainstreet_app, mainstreet_platform;
