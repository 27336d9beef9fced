-- What a town earns by card and bank (features/merchant), and what each resident paid in a year (features/year-statements).

-- What goes wrong is little beside all payments, and each report of it reads that little alone.
CREATE INDEX payment_attempt_declined ON payment_attempt (company_id, created_at) INCLUDE (order_id, error_code) WHERE step = 'failed';
CREATE INDEX payment_order_returned ON payment_order (company_id, return_code, created_at DESC, id DESC) INCLUDE (method, total_cents, paid_at)
  WHERE return_code IS NOT NULL;
CREATE INDEX ledger_transfer_disputed_or_void ON ledger_transfer (company_id, at) INCLUDE (order_id, source_ref, kind, amount_cents)
  WHERE kind IN ('dispute.reserve', 'dispute_won.reserve', 'dispute_lost.bill', 'dispute_lost.receivable', 'void.bill');

-- A resident's own payments of a year.
CREATE INDEX payment_order_of_person ON payment_order (company_id, person_id, paid_at) WHERE person_id IS NOT NULL AND paid_at IS NOT NULL;

-- What the payment provider reported of a town on Form 1099-K, as staff type it in from the paper.
CREATE TABLE form_1099k (
  company_id int NOT NULL REFERENCES company,
  year int NOT NULL CHECK (year BETWEEN 2000 AND 2200),
  filer text NOT NULL,
  payee text NOT NULL,
  tin_last4 text NOT NULL CHECK (tin_last4 ~ '^([0-9]{4})?$'),
  gross_cents bigint NOT NULL CHECK (gross_cents >= 0),
  not_present_cents bigint NOT NULL CHECK (not_present_cents >= 0),
  transactions int NOT NULL CHECK (transactions >= 0),
  month_cents jsonb NOT NULL,
  saved_at timestamptz(3) NOT NULL,
  saved_by text NOT NULL,
  PRIMARY KEY (company_id, year)
);
COMMENT ON COLUMN form_1099k.payee IS 'the legal entity that the form names';
COMMENT ON COLUMN form_1099k.gross_cents IS 'box 1a';
COMMENT ON COLUMN form_1099k.not_present_cents IS 'box 1b';
COMMENT ON COLUMN form_1099k.transactions IS 'box 3';
COMMENT ON COLUMN form_1099k.month_cents IS 'boxes 5a to 5l: twelve amounts in cents, January first';
GRANT SELECT, INSERT, UPDATE ON form_1099k TO mainstreet_app, mainstreet_platform;

-- Who opened a report of the payment provider.
CREATE INDEX audit_event_processor_reports ON audit_event (company_id, at DESC, id DESC) WHERE action = 'processor_report.opened';
