/** SQL for the table of refunds of intents. */
export const REFUND_TABLE = `
CREATE TABLE IF NOT EXISTS refund (
  id text PRIMARY KEY,
  account text NOT NULL,
  intent text NOT NULL REFERENCES intent,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  status text NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed')),
  reason text NOT NULL DEFAULT '',
  metadata jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL
);`

/**
 * SQL for the table of the provider's money movements. The provider only adds rows, and later sets the payout that
 * includes the movement.
 */
export const MOVEMENT_TABLE = `
CREATE TABLE IF NOT EXISTS movement (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  account text NOT NULL,
  type text NOT NULL,
  intent text NOT NULL REFERENCES intent,
  object text NOT NULL,
  object_id text NOT NULL,
  amount_cents bigint NOT NULL,
  fee_cents bigint NOT NULL DEFAULT 0,
  payout text,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX IF NOT EXISTS movement_by_account ON movement (account);
CREATE INDEX IF NOT EXISTS movement_by_payout ON movement (payout, seq) WHERE payout IS NOT NULL;`

/**
 * Returns the SQL for the table of payouts to the banks of accounts: the movements minus their fees. Each provider has
 * its own constraints.
 */
export const payoutTable = (constraints: string) => `
CREATE TABLE IF NOT EXISTS payout (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  account text NOT NULL,
  amount_cents bigint NOT NULL,
  fee_cents bigint NOT NULL DEFAULT 0,
  lines int NOT NULL,
  trace text NOT NULL,
  arrives_on date NOT NULL,
  created_at timestamptz(3) NOT NULL,
  ${constraints}
);`
