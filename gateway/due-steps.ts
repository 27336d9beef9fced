import type { Client } from '../provider-kit/database.ts'
import type { GatewayDeps } from './deps.ts'
import { openDispute } from './disputes.ts'
import { dueLater, type IntentRow, stepIntent } from './intent-steps.ts'
import { type BankRefusal, bankRefusals, RETURN_AFTER_MS } from './scenarios.ts'

/** Applies all transitions that are due at the current time of the gateway's clock. Returns their number. */
export async function applyDueSteps(deps: GatewayDeps): Promise<number> {
  for (let done = 0; ; done++) {
    const more = await deps.database.transact(async (client) => {
      const { rows } = await client.query<IntentRow>(
        'SELECT * FROM intent WHERE due_at <= $1 ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED',
        [deps.clock.now()],
      )
      if (rows[0]) await applyDueStep(deps, client, rows[0])
      return Boolean(rows[0])
    })
    if (!more) return done
  }
}

async function applyDueStep(deps: GatewayDeps, client: Client, row: IntentRow): Promise<void> {
  switch (row.due_step) {
    case 'succeed':
      await stepIntent(deps, client, row, 'succeeded')
      return
    case 'fail_R01':
    case 'fail_R02':
    case 'fail_R03':
    case 'fail_R07': {
      const code = row.due_step.slice('fail_'.length) as BankRefusal
      const error = { code: 'bank_account_unusable', message: bankRefusals[code], retryable: code === 'R01' }
      await stepIntent(deps, client, row, 'failed', { error, return_code: code })
      return
    }
    case 'succeed_then_R10':
      await stepIntent(
        deps,
        client,
        row,
        'succeeded',
        dueLater(deps.clock, { step: 'return_R10', afterMs: RETURN_AFTER_MS }),
      )
      return
    case 'return_R10':
      await stepIntent(deps, client, row, 'returned', { return_code: 'R10' })
      return
    case 'dispute':
      await openDispute(deps, client, row)
      return
    case null:
  }
}
