-- A decision about a line of the bank, or about a difference, can be undone and made again. Each decision has a number, so that
-- its entry in the ledger has a reference of its own: line-17, then line-17.v2.
ALTER TABLE bank_line ADD COLUMN version int NOT NULL DEFAULT 1 CHECK (version > 0);
COMMENT ON COLUMN bank_line.version IS 'number of the decision that counts: one more each time a decision is undone';
ALTER TABLE recon_exception ADD COLUMN version int NOT NULL DEFAULT 1 CHECK (version > 0);
COMMENT ON COLUMN recon_exception.version IS 'number of the decision that counts: one more each time a decision is undone';

SELECT make_found_view('bank_line');
SELECT make_found_view('recon_exception');
