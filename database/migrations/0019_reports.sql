-- Reports of money walk a company's transfers by time: what they sum stands in the index itself.
CREATE INDEX ledger_transfer_amounts ON ledger_transfer (company_id, at)
  INCLUDE (order_id, debit_account, credit_account, amount_cents, kind);
DROP INDEX ledger_transfer_by_time;
