-- What a completed move brings with it: meters are read by work orders, AutoPay ends after the final bill, a linked account
-- becomes a former one.
ALTER TABLE moving_settings
  ADD COLUMN reads_by bigint,
  ADD COLUMN autopay_days int NOT NULL DEFAULT 45 CHECK (autopay_days BETWEEN 0 AND 180),
  ADD CONSTRAINT moving_settings_reads_by_fkey FOREIGN KEY (company_id, reads_by) REFERENCES department (company_id, id);
COMMENT ON COLUMN moving_settings.reads_by IS 'the department that reads the meters of who comes and who leaves; null where nobody is sent';
COMMENT ON COLUMN moving_settings.autopay_days IS 'so long after the last day AutoPay goes on, so that it pays the final bill';

ALTER TABLE autopay ADD COLUMN ends_on date;
COMMENT ON COLUMN autopay.ends_on IS 'the account was left: the last day on which it charges anything';
CREATE INDEX autopay_that_ends ON autopay (company_id, ends_on) WHERE ends_on IS NOT NULL AND state IN ('active', 'paused');

ALTER TABLE linked_account ADD COLUMN left_on date;
COMMENT ON COLUMN linked_account.left_on IS 'the last day there of whoever linked it: final bill and history stay theirs to see';
