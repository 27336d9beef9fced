-- A refund may name a line of its payment: its money and its fee go back, whatever stands after it.
ALTER TABLE payment_refund ADD COLUMN line_no int,
  ADD FOREIGN KEY (company_id, order_id, line_no) REFERENCES payment_order_line,
  ADD CHECK (line_no IS NULL OR kind = 'refund');
COMMENT ON COLUMN payment_refund.line_no IS 'the line that it names; null where it is of the payment as a whole';

-- What is left of each line follows from the sums of what moved, and so from what named it, whichever line it was taken from.
ALTER TABLE ledger_transfer ADD COLUMN named_line_no int,
  ADD FOREIGN KEY (company_id, order_id, named_line_no) REFERENCES payment_order_line;
COMMENT ON COLUMN ledger_transfer.named_line_no IS 'the line that a refund names';

CREATE OR REPLACE FUNCTION post_ledger_entry(company int, payment bigint, of_source text, ref text, moved_at timestamptz, transfers jsonb)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  entry bigint := nextval('ledger_entry_number');
BEGIN
  INSERT INTO ledger_transfer (company_id, entry_id, order_id, line_no, named_line_no, debit_account, credit_account, amount_cents, source, source_ref, kind, at)
  SELECT company, entry, payment, t."lineNo", t."namedLineNo", t.debit, t.credit, t."amountCents", of_source, ref, t.kind, moved_at
  FROM jsonb_to_recordset(transfers) AS t(kind text, "lineNo" int, "namedLineNo" int, debit text, credit text, "amountCents" bigint);
  PERFORM count_ledger_entry(company, payment, entry);
END $$;
