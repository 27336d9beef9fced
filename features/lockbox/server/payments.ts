import type { Selectable } from 'kysely'
import { changeRow, lockRow } from '../../../server/db/rows.ts'
import type { PayableRef } from '../../../server/db/column-types.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { notFound } from '../../../server/errors.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { Company } from '../../../server/hosts.ts'
import { defineStateStore, type Transition, type TransitionActor } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { EventOf } from '../../../shared/machine.ts'
import { MAX_CENTS } from '../../../shared/money.ts'
import { say } from '../../../shared/messages.ts'
import { officeMethods, PAY_CHANNEL } from '../../payments/rules.ts'
import { startPayment, captureNow, settingsOf } from '../../payments/api.ts'
import { type LockboxState, lockboxStates } from '../states.ts'

export type LockboxRow = Selectable<Schema['lockbox_payment']>
type LockboxPatch = Partial<Pick<LockboxRow, 'order_id'>>

/** Value of `provider` in attempts of lockbox payments, which no payment provider processes. */
const THROUGH_BANK = 'lockbox'

export const rowsOf = (tx: Tx, company: CompanyId) =>
  tx.selectFrom('lockbox_payment').selectAll().where('company_id', '=', company)

/** Locks the payment until the transaction ends, so that it is posted or returned only once. */
export async function lockPayment(tx: Tx, company: CompanyId, id: number): Promise<LockboxRow> {
  const row = await lockRow(tx, 'lockbox_payment', company, id)
  if (!row) throw notFound('This payment was not found.')
  return row
}

export const lockedPayment = ({ id, state, trace }: Pick<LockboxRow, 'id' | 'state' | 'trace'>) => ({
  id,
  state,
  number: trace,
  name: say`Payment ${trace}`,
})

type LockboxTransition = Transition<
  LockboxState,
  EventOf<typeof lockboxStates>,
  ReturnType<typeof lockedPayment>,
  LockboxPatch
>

export const lockboxStateStore = defineStateStore({
  machine: lockboxStates,
  subject: 'lockbox_payment',
  lock: async (tx, scope, id) => lockedPayment(await lockPayment(tx, scope as CompanyId, id)),
  write: (tx, { scope, locked, to, at, patch, reason }: LockboxTransition) =>
    // If staff entered a reason for the decision, it replaces the reason why the payment needed review.
    changeRow(tx, 'lockbox_payment', scope, locked.id, { ...patch, state: to, finished_at: at, reason }),
})

interface Posting {
  trace: string
  ref: PayableRef
  cents: number
  actor: TransitionActor
}

/**
 * Creates a payment for money that the bank already received. Writes the order, attempt, ledger entry and payable in
 * the caller's transaction. The trace number is the key of the attempt and of the ledger entry, so the money is
 * recorded only once.
 */
export async function post(
  tx: Tx,
  context: AppContext,
  company: Company,
  { trace, ref, cents, actor }: Posting,
): Promise<number> {
  const settings = await settingsOf(tx, company.id)
  const attempt = await startPayment(
    tx,
    context,
    company,
    {
      pays: [{ ...ref, amountCents: cents }],
      method: officeMethods.bank,
      location: PAY_CHANNEL,
      payer: { actor, person: null, email: '' },
      key: `${THROUGH_BANK}-${trace}`,
      asCredit: true,
    },
    // The company's payment limits apply only to online payments.
    {
      settings: { ...settings, limits: { minCents: 1, maxCents: MAX_CENTS } },
      provider: THROUGH_BANK,
      account: THROUGH_BANK,
    },
  )
  await captureNow(tx, context, company, {
    attemptId: attempt.id,
    ref: `${THROUGH_BANK}-${trace}`,
    methodLabel: say`Lockbox payment, trace number ${trace}`,
    cash: 'bank',
  })
  return attempt.order_id
}
