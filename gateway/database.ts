import type { Schema } from '../provider-kit/database.ts'
import { LINK_TABLE } from '../provider-kit/onboarding.ts'

/** Database schema of the sandbox gateway. */
export const SANDBOX: Schema = {
  name: 'sandbox_gateway',
  tables: `
CREATE TABLE IF NOT EXISTS account (
  id text PRIMARY KEY,
  reference text NOT NULL UNIQUE,
  name text NOT NULL,
  created_at timestamptz(3) NOT NULL
);
-- How the account stands: what it told of itself, and what the sandbox says to that.
ALTER TABLE account ADD COLUMN IF NOT EXISTS state text NOT NULL DEFAULT 'ready',
  ADD COLUMN IF NOT EXISTS takes_payments boolean NOT NULL DEFAULT true,
  ADD COLUMN IF NOT EXISTS paid_out boolean NOT NULL DEFAULT true,
  ADD COLUMN IF NOT EXISTS missing text[] NOT NULL DEFAULT '{}',
  ADD COLUMN IF NOT EXISTS due_at timestamptz(3),
  ADD COLUMN IF NOT EXISTS why text NOT NULL DEFAULT '',
  ADD COLUMN IF NOT EXISTS told jsonb NOT NULL DEFAULT '{}';
${LINK_TABLE}
-- What hosted fields became. Never a card or bank number: the brand, the last digits, and what the test number stands for.
CREATE TABLE IF NOT EXISTS token (
  id text PRIMARY KEY,
  account text NOT NULL REFERENCES account,
  type text NOT NULL CHECK (type IN ('card', 'echeck')),
  method jsonb NOT NULL,
  scenario text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  used_by text
);
-- Whose stored methods are whose, by the reference that the caller has for a person.
CREATE TABLE IF NOT EXISTS customer (
  id text PRIMARY KEY,
  account text NOT NULL REFERENCES account,
  reference text NOT NULL,
  name text NOT NULL DEFAULT '',
  email text NOT NULL DEFAULT '',
  created_at timestamptz(3) NOT NULL,
  UNIQUE (account, reference)
);
-- A method that is kept, to be charged while its owner is away. The mandate says when and from where they agreed.
CREATE TABLE IF NOT EXISTS stored_method (
  id text PRIMARY KEY,
  account text NOT NULL REFERENCES account,
  customer text NOT NULL REFERENCES customer,
  type text NOT NULL CHECK (type IN ('card', 'echeck')),
  method jsonb NOT NULL,
  scenario text NOT NULL,
  mandate jsonb,
  created_at timestamptz(3) NOT NULL,
  detached_at timestamptz(3)
);
CREATE INDEX IF NOT EXISTS stored_method_by_customer ON stored_method (customer);
CREATE TABLE IF NOT EXISTS setup (
  id text PRIMARY KEY,
  account text NOT NULL REFERENCES account,
  customer text NOT NULL REFERENCES customer,
  method text NOT NULL CHECK (method IN ('card', 'echeck')),
  status text NOT NULL,
  error jsonb,
  payment_method text REFERENCES stored_method,
  created_at timestamptz(3) NOT NULL
);
-- Of a setup that waits for its person at their bank: what is kept once they approve, and where they go back to.
ALTER TABLE setup ADD COLUMN IF NOT EXISTS waiting jsonb, ADD COLUMN IF NOT EXISTS return_url text;
CREATE TABLE IF NOT EXISTS intent (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  account text NOT NULL REFERENCES account,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  fee_cents bigint NOT NULL CHECK (fee_cents BETWEEN 0 AND amount_cents),
  refunded_cents bigint NOT NULL DEFAULT 0 CHECK (refunded_cents BETWEEN 0 AND amount_cents),
  method text NOT NULL CHECK (method IN ('card', 'echeck')),
  status text NOT NULL,
  error jsonb,
  payment_method jsonb,
  scenario text,
  return_code text,
  return_url text,
  disputed boolean NOT NULL DEFAULT false,
  description text NOT NULL DEFAULT '',
  metadata jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL,
  succeeded_at timestamptz(3),
  due_step text,
  due_at timestamptz(3)
);
-- The card reader that a charge was handed to, of those at a counter.
ALTER TABLE intent ADD COLUMN IF NOT EXISTS reader text;
CREATE TABLE IF NOT EXISTS reader (
  id text PRIMARY KEY,
  account text NOT NULL REFERENCES account,
  label text NOT NULL,
  code text NOT NULL,
  intent text,
  created_at timestamptz(3) NOT NULL,
  UNIQUE (account, code)
);
CREATE INDEX IF NOT EXISTS intent_by_account ON intent (account, seq);
CREATE INDEX IF NOT EXISTS intent_due ON intent (due_at) WHERE due_at IS NOT NULL;
CREATE TABLE IF NOT EXISTS refund (
  id text PRIMARY KEY,
  account text NOT NULL,
  intent text NOT NULL REFERENCES intent,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  status text NOT NULL,
  reason text NOT NULL DEFAULT '',
  created_at timestamptz(3) NOT NULL
);
ALTER TABLE refund ADD COLUMN IF NOT EXISTS metadata jsonb NOT NULL DEFAULT '{}';
CREATE TABLE IF NOT EXISTS dispute (
  id text PRIMARY KEY,
  account text NOT NULL,
  intent text NOT NULL REFERENCES intent,
  amount_cents bigint NOT NULL,
  status text NOT NULL,
  created_at timestamptz(3) NOT NULL
);
-- The gateway's own account of what moved, one line for each thing that moved it; nothing in it is ever changed.
CREATE TABLE IF NOT EXISTS movement (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  account text NOT NULL,
  type text NOT NULL,
  intent text NOT NULL REFERENCES intent,
  object text NOT NULL,
  object_id text NOT NULL,
  amount_cents bigint NOT NULL,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX IF NOT EXISTS movement_by_account ON movement (account);
-- Of a gateway that is older than this table: what moved before.
INSERT INTO movement (id, account, type, intent, object, object_id, amount_cents, created_at)
SELECT 'txn_' || md5(type || object_id), account, type, intent, object, object_id, amount_cents, at FROM (
  SELECT account, 'capture' AS type, id AS intent, 'intent' AS object, id AS object_id, amount_cents, coalesce(succeeded_at, created_at) AS at
    FROM intent WHERE status IN ('succeeded', 'returned')
  UNION ALL SELECT account, 'refund', intent, 'refund', id, -amount_cents, created_at FROM refund
  UNION ALL SELECT account, 'dispute', intent, 'dispute', id, -amount_cents, created_at FROM dispute
  UNION ALL SELECT account, 'return', id, 'intent', id, -amount_cents, created_at + interval '5 days' FROM intent WHERE status = 'returned'
) old WHERE NOT EXISTS (SELECT FROM movement) ORDER BY at;
-- What the gateway keeps of a movement, and the payout that it is in.
ALTER TABLE movement ADD COLUMN IF NOT EXISTS fee_cents bigint NOT NULL DEFAULT 0, ADD COLUMN IF NOT EXISTS payout text;
CREATE INDEX IF NOT EXISTS movement_by_payout ON movement (payout, seq) WHERE payout IS NOT NULL;
CREATE INDEX IF NOT EXISTS movement_to_pay ON movement (created_at) WHERE payout IS NULL;
-- What was sent to the bank of an account: what moved, less what that cost.
CREATE SEQUENCE IF NOT EXISTS payout_trace;
CREATE TABLE IF NOT EXISTS payout (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  account text NOT NULL,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  fee_cents bigint NOT NULL CHECK (fee_cents >= 0),
  lines int NOT NULL,
  trace text NOT NULL UNIQUE,
  arrives_on date NOT NULL,
  created_at timestamptz(3) NOT NULL
);`,
}
