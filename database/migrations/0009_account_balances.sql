-- An undo of an import deletes accounts. The checks of these references then need an index.
CREATE INDEX account_share_of_account ON account_share (company_id, account_id);
CREATE INDEX utility_update_of_account ON utility_update (company_id, account_id);
CREATE INDEX move_request_of_account ON move_request (company_id, account_id) WHERE account_id IS NOT NULL;

-- Balances of accounts whose bills are not in the portal.
ALTER TABLE utility_account ADD COLUMN balance_cents bigint;
ALTER TABLE utility_account ADD COLUMN balance_on date;
ALTER TABLE utility_account ADD CHECK ((balance_cents IS NULL) = (balance_on IS NULL));
COMMENT ON COLUMN utility_account.balance_cents IS 'Last imported balance, in cents. Null if no balance was imported. The amount due includes it as an adjustment.';
COMMENT ON COLUMN utility_account.balance_on IS 'Day of the last imported balance.';
