-- Records that the portal issued or took over must not change with the rows that they were made from.
ALTER TABLE alert ADD COLUMN cap jsonb;
COMMENT ON COLUMN alert.cap IS 'the message of CAP as it was sent; null before that';

ALTER TABLE bank_statement ADD COLUMN account_mark text NOT NULL DEFAULT '';
COMMENT ON COLUMN bank_statement.account IS 'the last digits of the account: four, or more where two accounts share them';
COMMENT ON COLUMN bank_statement.account_mark IS 'keyed hash of the whole number, which is not kept; empty where the file told none';
SELECT make_found_view('alert');
