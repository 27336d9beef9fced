-- What the billing system says of an account between its bills: that what is owed was adjusted, and that service is shut off.

CREATE TABLE utility_adjustment (
  company_id int NOT NULL REFERENCES company,
  adjustment_number text NOT NULL,
  account_id bigint NOT NULL,
  adjusted_on date NOT NULL,
  -- More than zero is owed more, less than zero is a credit.
  amount_cents bigint NOT NULL CHECK (amount_cents <> 0),
  reason text NOT NULL,
  imported_at timestamptz(3) NOT NULL,
  PRIMARY KEY (company_id, adjustment_number),
  FOREIGN KEY (company_id, account_id) REFERENCES utility_account
);
CREATE INDEX utility_adjustment_by_account ON utility_adjustment (company_id, account_id, adjusted_on);

-- One shut-off of an account, with the day of each of its steps as far as the billing system told them.
CREATE TABLE utility_shutoff (
  company_id int NOT NULL REFERENCES company,
  shutoff_number text NOT NULL,
  account_id bigint NOT NULL,
  scheduled_on date,
  off_on date,
  restored_on date,
  state text NOT NULL GENERATED ALWAYS AS (
    CASE WHEN restored_on IS NOT NULL THEN 'restored' WHEN off_on IS NOT NULL THEN 'off' ELSE 'scheduled' END) STORED,
  amount_cents bigint CHECK (amount_cents > 0),
  reason text NOT NULL DEFAULT '',
  imported_at timestamptz(3) NOT NULL,
  told text NOT NULL DEFAULT '',
  PRIMARY KEY (company_id, shutoff_number),
  FOREIGN KEY (company_id, account_id) REFERENCES utility_account,
  CHECK (num_nonnulls(scheduled_on, off_on, restored_on) > 0)
);
COMMENT ON COLUMN utility_shutoff.amount_cents IS 'what has to be paid so that service goes on; NULL: all that is past due';
COMMENT ON COLUMN utility_shutoff.restored_on IS 'when service came back, or when a shut-off that was scheduled was called off';
COMMENT ON COLUMN utility_shutoff.told IS 'the step and its day that its customers were mailed of last, so that none is mailed twice';
CREATE INDEX utility_shutoff_by_account ON utility_shutoff (company_id, account_id);
CREATE INDEX utility_shutoff_open ON utility_shutoff (company_id, state, account_id) WHERE state <> 'restored';

GRANT SELECT, INSERT ON utility_adjustment TO mainstreet_app;
GRANT SELECT, INSERT, UPDATE ON utility_shutoff TO mainstreet_app;
GRANT SELECT ON utility_adjustment, utility_shutoff TO mainstreet_platform;

-- A step of a shut-off is told as well.
ALTER TABLE utility_news
  ADD COLUMN shutoff_number text,
  DROP CONSTRAINT utility_news_check,
  ADD CHECK (num_nonnulls(bill_number, read_date, shutoff_number) = 1);

ALTER TABLE billing_file
  ADD COLUMN adjustments_created int NOT NULL DEFAULT 0,
  ADD COLUMN adjusted_cents bigint NOT NULL DEFAULT 0,
  ADD COLUMN shutoffs_changed int NOT NULL DEFAULT 0;
ALTER TABLE billing_file_line
  DROP CONSTRAINT billing_file_line_what_check,
  ADD CHECK (what IN ('wrong', 'account', 'account_updated', 'bill', 'paid', 'adjustment', 'shutoff', 'no_document'));
