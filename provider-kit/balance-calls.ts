import type { Api } from './api.ts'
import type { Movements } from './movements.ts'
import { sizeOf } from './pages.ts'
import type { payoutPages } from './payout-pages.ts'

const MAX_MOVEMENTS = 100
const MAX_PAYOUT_LINES = 500

interface Parts {
  movements: Movements
  payouts: ReturnType<typeof payoutPages>
  /** Processes the work that is due, so that the balance matches the clock. */
  advance: () => Promise<unknown>
}

/** Mounts the calls that read the balance, the movements and the payouts. */
export function mountBalanceCalls({ inspect, inspectAll }: Api, { movements, payouts, advance }: Parts): void {
  inspectAll('/v1/balance_transactions', MAX_MOVEMENTS, movements.list)
  inspectAll('/v1/payouts', MAX_PAYOUT_LINES, payouts.list)
  inspect('/v1/payouts/:id/balance_transactions', (account, { params, query }) =>
    payouts.linesOf(account, params.id, query['starting_after'], sizeOf(query, MAX_PAYOUT_LINES)),
  )
  inspect('/v1/balance', async (account) => {
    await advance()
    return movements.balance(account)
  })
}
