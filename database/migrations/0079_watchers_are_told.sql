-- Whoever watches over an account is told when it falls behind: once for each bill that was not paid by its day.
ALTER TABLE account_share ADD COLUMN told_due date;
COMMENT ON COLUMN account_share.told_due IS 'of a watch: the due day of the last bill of which it was told that it is not paid';
