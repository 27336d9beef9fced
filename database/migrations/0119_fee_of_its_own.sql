-- A fee that is charged by itself (fee_mode two_transactions): an attempt of its own after the bill's charge is captured, with
-- transfers of its own in the same payment's ledger. It failing leaves the bill paid, and the fee owed.
ALTER TABLE payment_attempt ADD COLUMN part text NOT NULL DEFAULT 'bill' CHECK (part IN ('bill', 'fee'));
COMMENT ON COLUMN payment_attempt.part IS 'bill: the charge of the payment; fee: that of its fee, where it is charged by itself';

-- Where such a fee stands, from when its bill is paid; by the number of its payment.
CREATE TABLE payment_fee (
  company_id int NOT NULL REFERENCES company,
  id bigint NOT NULL,
  status text NOT NULL CHECK (status IN ('waiting', 'charged', 'owed', 'waived', 'dropped')),
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  since timestamptz(3) NOT NULL,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, id) REFERENCES payment_order
);
COMMENT ON TABLE payment_fee IS 'fees of payments that are charged by themselves';
COMMENT ON COLUMN payment_fee.id IS 'the number of the payment';
COMMENT ON COLUMN payment_fee.since IS 'when it came to where it stands';
CREATE INDEX payment_fee_by_status ON payment_fee (company_id, status, id DESC);
GRANT SELECT, INSERT, UPDATE ON payment_fee TO mainstreet_app, mainstreet_platform;

INSERT INTO status_edge (machine, from_state, to_state, event) VALUES
  ('fee', '', 'waiting', 'begin'),
  ('fee', 'waiting', 'charged', 'charge'),
  ('fee', 'owed', 'charged', 'charge'),
  ('fee', 'waived', 'charged', 'charge'),
  ('fee', 'dropped', 'charged', 'charge'),
  ('fee', 'waiting', 'owed', 'fail'),
  ('fee', 'owed', 'waiting', 'again'),
  ('fee', 'owed', 'waived', 'waive'),
  ('fee', 'waiting', 'dropped', 'drop'),
  ('fee', 'owed', 'dropped', 'drop'),
  ('refund', '', 'sending', 'follow');

-- What goes back of a fee that was charged by itself, since its bill went back: nobody asked for that.
ALTER TABLE payment_refund ADD COLUMN of_fee boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN payment_refund.of_fee IS 'of the charge of the fee: it follows what went back of the bill';

ALTER TABLE ledger_transfer ADD COLUMN of_fee boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN ledger_transfer.of_fee IS 'of the charge of the fee, where it is charged by itself';

CREATE OR REPLACE FUNCTION post_ledger_entry(company int, payment bigint, of_source text, ref text, moved_at timestamptz, transfers jsonb)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  entry bigint := nextval('ledger_entry_number');
  closed date;
BEGIN
  SELECT max(p.last_day) INTO closed FROM closed_period p WHERE p.company_id = company AND p.kind = 'day';
  IF closed >= (SELECT (moved_at AT TIME ZONE z.zone)::date FROM company c JOIN timezone z ON z.id = c.timezone_id WHERE c.id = company) THEN
    RAISE EXCEPTION 'the days through % are closed: what is corrected is written on a later day', closed USING ERRCODE = 'check_violation';
  END IF;
  INSERT INTO ledger_transfer (company_id, entry_id, order_id, line_no, named_line_no, debit_account, credit_account, amount_cents, source, source_ref, kind, of_fee, at)
  SELECT company, entry, payment, t."lineNo", t."namedLineNo", t.debit, t.credit, t."amountCents", of_source, ref, t.kind, coalesce(t."ofFee", false), moved_at
  FROM jsonb_to_recordset(transfers) AS t(kind text, "lineNo" int, "namedLineNo" int, "ofFee" boolean, debit text, credit text, "amountCents" bigint);
  PERFORM count_ledger_entry(company, payment, entry);
END $$;

-- What goes wrong with payments is told of their bills alone; a dispute of a fee is lost like any other.
DROP INDEX payment_attempt_declined;
CREATE INDEX payment_attempt_declined ON payment_attempt (company_id, created_at) INCLUDE (order_id, error_code) WHERE step = 'failed' AND part = 'bill';
DROP INDEX ledger_transfer_disputed_or_void;
CREATE INDEX ledger_transfer_disputed_or_void ON ledger_transfer (company_id, at) INCLUDE (order_id, source_ref, kind, amount_cents)
  WHERE kind IN ('dispute.reserve', 'dispute_won.reserve', 'dispute_lost.bill', 'dispute_lost.fee', 'dispute_lost.receivable', 'void.bill');
