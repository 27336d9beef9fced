-- Each town has a payment provider of its own (payment_settings.processor_id), and an account with every provider that it
-- ever had: payments, stored methods and payouts stay with the one that they were made with.
CREATE TABLE provider_account (
  company_id int NOT NULL REFERENCES company,
  provider text NOT NULL REFERENCES processor (provider),
  account text NOT NULL,
  PRIMARY KEY (company_id, provider)
);
COMMENT ON COLUMN provider_account.account IS 'what the provider calls the town';
CREATE INDEX provider_account_by_account ON provider_account (account);
GRANT SELECT, INSERT, UPDATE ON provider_account TO mainstreet_app, mainstreet_platform;

ALTER TABLE payment_settings NO FORCE ROW LEVEL SECURITY;
INSERT INTO provider_account (company_id, provider, account)
  SELECT s.company_id, p.provider, s.provider_account FROM payment_settings s JOIN processor p ON p.id = s.processor_id
  WHERE s.provider_account IS NOT NULL;
ALTER TABLE payment_settings FORCE ROW LEVEL SECURITY;
ALTER TABLE payment_settings DROP COLUMN provider_account;

-- Some providers list the payouts of one account at a time; of the others the account is empty.
ALTER TABLE payout_place ADD COLUMN account text NOT NULL DEFAULT '';
ALTER TABLE payout_place DROP CONSTRAINT payout_place_pkey, ADD PRIMARY KEY (provider, account);
