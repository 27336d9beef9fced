import type { Schema } from '../provider-kit/database.ts'
import { CUSTOMER_TABLE } from '../provider-kit/customers.ts'
import { MOVEMENT_TABLE, payoutTable, REFUND_TABLE } from '../provider-kit/money-tables.ts'
import { LINK_TABLE } from '../provider-kit/onboarding.ts'

/** Database schema of the sandbox gateway. */
export const SANDBOX: Schema = {
  name: 'sandbox_gateway',
  tables: `
CREATE TABLE IF NOT EXISTS account (
  id text PRIMARY KEY,
  reference text NOT NULL UNIQUE,
  name text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- Onboarding status of the sandbox, and the answers that led to it.
  state text NOT NULL DEFAULT 'ready',
  takes_payments boolean NOT NULL DEFAULT true,
  paid_out boolean NOT NULL DEFAULT true,
  missing text[] NOT NULL DEFAULT '{}',
  due_at timestamptz(3),
  why text NOT NULL DEFAULT '',
  told jsonb NOT NULL DEFAULT '{}'
);
${LINK_TABLE}
${CUSTOMER_TABLE}
-- Single-use tokens of hosted fields. No card or bank numbers: only the brand, last digits and scenario.
CREATE TABLE IF NOT EXISTS token (
  id text PRIMARY KEY,
  account text NOT NULL REFERENCES account,
  type text NOT NULL CHECK (type IN ('card', 'echeck')),
  method jsonb NOT NULL,
  scenario text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  used_by text
);
-- Payment methods for off-session charges. The mandate says when and from which device the owner agreed.
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
  created_at timestamptz(3) NOT NULL,
  -- During the bank's challenge: the method to store after approval, and the owner's way back.
  pending_method jsonb,
  return_url text
);
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
  due_at timestamptz(3),
  -- Card reader at a counter that has the charge.
  reader text
);
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
${REFUND_TABLE}
CREATE TABLE IF NOT EXISTS dispute (
  id text PRIMARY KEY,
  account text NOT NULL,
  intent text NOT NULL REFERENCES intent,
  amount_cents bigint NOT NULL,
  status text NOT NULL,
  created_at timestamptz(3) NOT NULL
);
${MOVEMENT_TABLE}
-- Movements of a gateway that is older than the table.
INSERT INTO movement (id, account, type, intent, object, object_id, amount_cents, created_at)
SELECT 'txn_' || md5(type || object_id), account, type, intent, object, object_id, amount_cents, at FROM (
  SELECT account, 'capture' AS type, id AS intent, 'intent' AS object, id AS object_id, amount_cents, coalesce(succeeded_at, created_at) AS at
    FROM intent WHERE status IN ('succeeded', 'returned')
  UNION ALL SELECT account, 'refund', intent, 'refund', id, -amount_cents, created_at FROM refund
  UNION ALL SELECT account, 'dispute', intent, 'dispute', id, -amount_cents, created_at FROM dispute
  UNION ALL SELECT account, 'return', id, 'intent', id, -amount_cents, created_at + interval '5 days' FROM intent WHERE status = 'returned'
) old WHERE NOT EXISTS (SELECT FROM movement) ORDER BY at;
CREATE INDEX IF NOT EXISTS movement_to_pay ON movement (created_at) WHERE payout IS NULL;
CREATE SEQUENCE IF NOT EXISTS payout_trace;
${payoutTable('UNIQUE (trace), CHECK (amount_cents > 0), CHECK (fee_cents >= 0)')}`,
}
