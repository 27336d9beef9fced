-- An order has lines, and a line names what it pays: its kind, and its id there. Orders know who paid how much and how; what
-- a utility account is, the feature knows that registered the kind. A line is never changed but for `settled_cents`.

CREATE TABLE payment_order_line (
  company_id int NOT NULL REFERENCES company,
  order_id bigint NOT NULL,
  line_no int NOT NULL CHECK (line_no > 0),
  kind text NOT NULL CHECK (kind ~ '^[a-z_]{2,30}$'),
  payable_id bigint NOT NULL,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  -- What is left of the amount, of what was captured and not given back.
  settled_cents bigint NOT NULL DEFAULT 0 CHECK (settled_cents BETWEEN 0 AND amount_cents),
  gl_account text NOT NULL,
  fee_program text NOT NULL CHECK (fee_program IN ('convenience', 'service', 'none')),
  -- What the receipt says: frozen, so that it says the same for good. facts: {name, value}; items: {text, note, amountCents}.
  title text NOT NULL,
  facts jsonb NOT NULL,
  items jsonb NOT NULL DEFAULT '[]',
  owed_before_cents bigint,
  PRIMARY KEY (company_id, order_id, line_no),
  UNIQUE (company_id, order_id, kind, payable_id),
  FOREIGN KEY (company_id, order_id) REFERENCES payment_order
);
GRANT SELECT, INSERT, UPDATE (settled_cents) ON payment_order_line TO mainstreet_app, mainstreet_platform;

-- The number of an order is known before it is written.
GRANT USAGE ON SEQUENCE payment_order_id_seq TO mainstreet_app, mainstreet_platform;

-- What there is already. Row-level security binds the owner, too, who lifts it for this transaction.
ALTER TABLE payment_order NO FORCE ROW LEVEL SECURITY;
ALTER TABLE guest_checkout NO FORCE ROW LEVEL SECURITY;
ALTER TABLE utility_account NO FORCE ROW LEVEL SECURITY;

INSERT INTO payment_order_line (company_id, order_id, line_no, kind, payable_id, amount_cents, settled_cents, gl_account, fee_program,
  title, facts, items, owed_before_cents)
SELECT o.company_id, o.id, 1, 'utility', o.account_id, o.bill_cents, least(greatest(o.kept_bill_cents, 0), o.bill_cents), 'UTILITIES',
  coalesce(o.fee_quote->>'program', 'none'), 'Utility bill payment',
  jsonb_build_array(
    jsonb_build_object('name', 'account', 'value', o.account_number),
    jsonb_build_object('name', 'address', 'value', a.service_address || ', ' || a.city || ', ' || a.state || ' ' || a.zipcode)
  ) || CASE WHEN o.bill_number IS NULL THEN '[]' ELSE jsonb_build_array(jsonb_build_object('name', 'bill', 'value', o.bill_number)) END,
  (SELECT coalesce(jsonb_agg(jsonb_build_object(
      'text', CASE WHEN l->>'quantity' IS NULL THEN n.name
        ELSE trim(n.name || ', ' || rtrim(to_char((l->>'quantity')::numeric, 'FM999,999,999,990.999'), '.') || ' ' || (l->>'unit')) END,
      'note', CASE WHEN l->>'service' = '' THEN '' ELSE l->>'description' END,
      'amountCents', l->'amountCents') ORDER BY no), '[]')
    FROM jsonb_array_elements(o.bill_lines) WITH ORDINALITY AS b(l, no), LATERAL (SELECT coalesce(nullif(l->>'service', ''), l->>'description') AS name) n),
  o.owed_before_cents
FROM payment_order o JOIN utility_account a ON a.company_id = o.company_id AND a.id = o.account_id;

CREATE INDEX payment_order_line_by_payable ON payment_order_line (company_id, kind, payable_id, order_id DESC);

-- What the billing system is told is told of a line: an order may pay several accounts.
ALTER TABLE remittance ADD COLUMN line_no int NOT NULL DEFAULT 1;
ALTER TABLE remittance
  ALTER COLUMN line_no DROP DEFAULT,
  DROP CONSTRAINT remittance_company_id_order_id_fkey,
  DROP CONSTRAINT remittance_company_id_source_source_ref_kind_key,
  ADD UNIQUE (company_id, source, source_ref, kind, line_no),
  ADD FOREIGN KEY (company_id, order_id, line_no) REFERENCES payment_order_line;

-- What a guest found, in the order of the lines to come: {kind, id}.
ALTER TABLE guest_checkout ADD COLUMN payables jsonb;
UPDATE guest_checkout SET payables = jsonb_build_array(jsonb_build_object('kind', 'utility', 'id', account_id));
ALTER TABLE guest_checkout ALTER COLUMN payables SET NOT NULL, ADD CHECK (jsonb_array_length(payables) > 0), DROP COLUMN account_id;
-- It is locked while an order of it begins, and PostgreSQL locks for those alone who may change something of the row.
GRANT UPDATE (expires_at) ON guest_checkout TO mainstreet_app, mainstreet_platform;

-- `reference` is what clerks know its lines by, `type` what they call them. The view names the columns, so it is made anew.
DROP VIEW found_payment_order;
ALTER TABLE payment_order RENAME COLUMN account_number TO reference;
ALTER TABLE payment_order ADD COLUMN type text NOT NULL DEFAULT 'Utility';
ALTER TABLE payment_order
  ALTER COLUMN type DROP DEFAULT,
  DROP COLUMN kind, DROP COLUMN account_id, DROP COLUMN bill_lines, DROP COLUMN bill_number, DROP COLUMN owed_before_cents;

CREATE VIEW found_payment_order AS
SELECT * FROM payment_order WHERE company_id = nullif(current_setting('app.company_id', true), '')::int;
GRANT CREATE ON SCHEMA public TO mainstreet_search;
ALTER VIEW found_payment_order OWNER TO mainstreet_search;
REVOKE CREATE ON SCHEMA public FROM mainstreet_search;
GRANT SELECT ON found_payment_order TO mainstreet_app;

ALTER TABLE payment_order FORCE ROW LEVEL SECURITY;
ALTER TABLE guest_checkout FORCE ROW LEVEL SECURITY;
ALTER TABLE utility_account FORCE ROW LEVEL SECURITY;
