-- Balances of accounts whose bills are not in the portal.
ALTER TABLE utility_account ADD COLUMN balance_cents bigint;
ALTER TABLE utility_account ADD COLUMN balance_on date;
ALTER TABLE utility_account ADD CHECK ((balance_cents IS NULL) = (balance_on IS NULL));
COMMENT ON COLUMN utility_account.balance_cents IS 'Last imported balance, in cents. Null if no balance was imported. The amount due includes it as an adjustment.';
COMMENT ON COLUMN utility_account.balance_on IS 'Day of the last imported balance.';
