import type { Schema } from '../provider-kit/database.ts'
import { CUSTOMER_TABLE } from '../provider-kit/customers.ts'
import { MOVEMENT_TABLE, payoutTable, REFUND_TABLE } from '../provider-kit/money-tables.ts'
import { LINK_TABLE } from '../provider-kit/onboarding.ts'

export const BANKFILE: Schema = {
  name: 'bankfile',
  tables: `
-- A town as the originator of entries, at the bank that it sends its files to.
CREATE TABLE IF NOT EXISTS account (
  id text PRIMARY KEY,
  reference text NOT NULL UNIQUE,
  name text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- Null until a bank's details are given: until then nothing can be charged.
  company_name text,
  company_id text,
  entry_description text NOT NULL DEFAULT 'UTILITY',
  odfi_routing text,
  odfi_name text NOT NULL DEFAULT '',
  immediate_origin text,
  -- Masked: where the bank puts the money. The bank knows the number, we need it for nothing.
  settlement_account text NOT NULL DEFAULT '',
  sec_codes text[] NOT NULL DEFAULT '{WEB,PPD}',
  prenotes boolean NOT NULL DEFAULT false,
  same_day boolean NOT NULL DEFAULT false,
  cutoff text NOT NULL DEFAULT '16:00',
  time_zone text NOT NULL DEFAULT 'America/New_York',
  settle_days int NOT NULL DEFAULT 2 CHECK (settle_days BETWEEN 2 AND 10),
  -- The day whose cutoff was the last one that was dealt with.
  cut_through date,
  -- True if the company gave the details of its bank, instead of the fictional one.
  details_submitted boolean NOT NULL DEFAULT false,
  -- Day on which the company confirmed that its bank could read a test file.
  test_read_on date
);
${LINK_TABLE}
${CUSTOMER_TABLE}
CREATE SEQUENCE IF NOT EXISTS company_number START 100000000;
CREATE SEQUENCE IF NOT EXISTS trace_number MAXVALUE 9999999 CYCLE;
-- A bank account that was typed into the hosted fields: its number is sealed.
CREATE TABLE IF NOT EXISTS detail (
  id text PRIMARY KEY,
  account text NOT NULL REFERENCES account,
  routing text NOT NULL,
  number_sealed bytea NOT NULL,
  last4 text NOT NULL,
  account_type text NOT NULL CHECK (account_type IN ('checking', 'savings')),
  holder text NOT NULL,
  created_at timestamptz(3) NOT NULL
);
CREATE TABLE IF NOT EXISTS token (
  id text PRIMARY KEY,
  account text NOT NULL REFERENCES account,
  detail text NOT NULL REFERENCES detail,
  created_at timestamptz(3) NOT NULL,
  used_by text
);
CREATE TABLE IF NOT EXISTS stored_method (
  id text PRIMARY KEY,
  account text NOT NULL REFERENCES account,
  customer text NOT NULL REFERENCES customer,
  detail text NOT NULL REFERENCES detail,
  mandate jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL,
  detached_at timestamptz(3),
  -- The return code after which it is not debited any more, and when its mandate ended by one.
  blocked_by text,
  mandate_ended_at timestamptz(3)
);
CREATE INDEX IF NOT EXISTS stored_method_by_customer ON stored_method (customer);
CREATE INDEX IF NOT EXISTS stored_method_by_detail ON stored_method (detail);
CREATE TABLE IF NOT EXISTS setup (
  id text PRIMARY KEY,
  account text NOT NULL REFERENCES account,
  customer text NOT NULL REFERENCES customer,
  status text NOT NULL,
  error jsonb,
  payment_method text REFERENCES stored_method,
  created_at timestamptz(3) NOT NULL
);
CREATE TABLE IF NOT EXISTS intent (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  account text NOT NULL REFERENCES account,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  fee_cents bigint NOT NULL CHECK (fee_cents BETWEEN 0 AND amount_cents),
  refunded_cents bigint NOT NULL DEFAULT 0 CHECK (refunded_cents BETWEEN 0 AND amount_cents),
  status text NOT NULL,
  error jsonb,
  detail text REFERENCES detail,
  stored_method text REFERENCES stored_method,
  return_code text,
  description text NOT NULL DEFAULT '',
  metadata jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL,
  succeeded_at timestamptz(3)
);
${REFUND_TABLE}
-- A file for the bank: written once, kept as it was written.
CREATE TABLE IF NOT EXISTS file (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  account text NOT NULL REFERENCES account,
  name text NOT NULL UNIQUE,
  day date NOT NULL,
  modifier text NOT NULL,
  effective_on date NOT NULL,
  entries int NOT NULL,
  entry_hash bigint NOT NULL,
  debit_cents bigint NOT NULL,
  credit_cents bigint NOT NULL,
  content_sealed bytea NOT NULL,
  sha256 text NOT NULL,
  cut_at timestamptz(3) NOT NULL,
  laid_at timestamptz(3),
  UNIQUE (account, day, modifier)
);
-- What a file is made of. Each debit, credit and prenote is one entry, in one file.
CREATE TABLE IF NOT EXISTS entry (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account text NOT NULL REFERENCES account,
  kind text NOT NULL CHECK (kind IN ('debit', 'refund', 'prenote')),
  intent text REFERENCES intent,
  refund text UNIQUE REFERENCES refund,
  stored_method text REFERENCES stored_method,
  detail text NOT NULL REFERENCES detail,
  amount_cents bigint NOT NULL CHECK (amount_cents >= 0),
  sec_code text NOT NULL CHECK (sec_code IN ('WEB', 'PPD', 'TEL', 'CCD')),
  payment_type text,
  status text NOT NULL CHECK (status IN ('waiting', 'in_file', 'settled', 'returned', 'canceled')),
  created_at timestamptz(3) NOT NULL,
  file text REFERENCES file,
  trace text,
  -- The day on which the bank takes it for final, unless it came back before.
  settles_on date,
  effective_on date,
  return_code text,
  returned_at timestamptz(3),
  CHECK ((file IS NULL) = (trace IS NULL))
);
CREATE UNIQUE INDEX IF NOT EXISTS entry_one_debit ON entry (intent) WHERE kind = 'debit';
CREATE INDEX IF NOT EXISTS entry_waiting ON entry (account, id) WHERE status = 'waiting';
CREATE INDEX IF NOT EXISTS entry_in_file ON entry (settles_on) WHERE status = 'in_file';
CREATE INDEX IF NOT EXISTS entry_by_trace ON entry (trace, id);
CREATE INDEX IF NOT EXISTS entry_by_method ON entry (stored_method) WHERE stored_method IS NOT NULL;
-- A file of the bank's: returns and changes. The same bytes are read once.
CREATE TABLE IF NOT EXISTS received_file (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  name text NOT NULL,
  sha256 text NOT NULL UNIQUE,
  content_sealed bytea NOT NULL,
  returns int NOT NULL,
  changes int NOT NULL,
  exceptions int NOT NULL,
  received_at timestamptz(3) NOT NULL
);
-- What of a bank's file could not be put to an entry, or needs a person besides.
CREATE TABLE IF NOT EXISTS exception (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  received_file text NOT NULL REFERENCES received_file,
  account text,
  line int NOT NULL,
  reason text NOT NULL,
  code text NOT NULL,
  trace text NOT NULL,
  amount_cents bigint NOT NULL,
  message text NOT NULL,
  created_at timestamptz(3) NOT NULL
);
-- What a bank corrected of an account. The data may be an account number.
CREATE TABLE IF NOT EXISTS correction (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  received_file text NOT NULL REFERENCES received_file,
  entry bigint NOT NULL REFERENCES entry,
  code text NOT NULL,
  data_sealed bytea NOT NULL,
  applied boolean NOT NULL,
  created_at timestamptz(3) NOT NULL
);
${MOVEMENT_TABLE}
CREATE INDEX IF NOT EXISTS movement_to_pay ON movement (account) WHERE payout IS NULL;
${payoutTable('UNIQUE (account, arrives_on)')}`,
}
