import type { Call } from '../../../server/call.ts'
import { changeRow } from '../../../server/db/rows.ts'
import { conflict } from '../../../server/errors.ts'
import { defineStateStore, type Transition } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { EventOf } from '../../../shared/machine.ts'
import { say } from '../../../shared/messages.ts'
import { payableOf } from '../../payments/api.ts'
import { type ArrangementState, arrangementStates } from '../states.ts'
import { type Arrangement, type ArrangementWithSchedule, findOne } from './arrangements.ts'
import { agreed, defaulted, finished, noticeDataOf, notifyPayers } from './emails.ts'

type ArrangementPatch = Partial<
  Pick<
    Arrangement,
    | 'person_id'
    | 'agreed_at'
    | 'agreed_version'
    | 'agreed_by'
    | 'agreed_address'
    | 'agreed_device'
    | 'paid_before_cents'
  >
>

const lockedFrom = (row: ArrangementWithSchedule) => ({
  id: row.id,
  state: row.state,
  name: say`The payment arrangement for account ${row.reference}`,
  details: { account: row.reference },
  ...(row.person_id !== null && { person: row.person_id }),
  row,
})

type ArrangementTransition = Transition<
  ArrangementState,
  EventOf<typeof arrangementStates>,
  ReturnType<typeof lockedFrom>,
  ArrangementPatch
>

/** An arrangement starts only if at least its total is still due. */
async function checkAmountDue(tx: Tx, { scope, locked: { row } }: ArrangementTransition): Promise<void> {
  const { owedCents, pendingCents } = await payableOf(row.kind).owed(tx, scope as CompanyId, row.payable_id)
  if (owedCents - pendingCents < row.total_cents)
    throw conflict(
      'amount_changed',
      'The amount due is now less than the total of this arrangement. A new arrangement is needed for the current amount.',
    )
}

/** Dependencies that the emails to payers need. */
interface PayerDeps extends Pick<Call, 'company' | 'context'> {
  /** Text of the agreement, for `agree` and `sign`. */
  agreementText?: string
  /** Past due amount in cents, for `default`. */
  overdueCents?: number
}

const notifyAgreed = (
  tx: Tx,
  { locked: { row }, patch }: Pick<ArrangementTransition, 'locked' | 'patch'>,
  { context, company, agreementText = '' }: PayerDeps,
) => notifyPayers(tx, context, company, { ...row, ...patch }, agreed, { ...noticeDataOf(row), agreementText })

export const arrangementStateStore = defineStateStore({
  machine: arrangementStates,
  subject: 'arrangement',
  lock: async (tx, scope, id) => lockedFrom(await findOne(tx, scope as CompanyId, id, { lock: true })),
  write: (tx, { scope, locked, to, patch, at }: ArrangementTransition) =>
    changeRow(tx, 'arrangement', scope, locked.id, {
      ...patch,
      state: to,
      closed_at: to === 'completed' || to === 'ended' ? at : null,
    }),
  guard: { agree: (tx, step) => checkAmountDue(tx, step), sign: (tx, step) => checkAmountDue(tx, step) },
  effects: {
    agree: (tx, step, deps: PayerDeps) => notifyAgreed(tx, step, deps),
    sign: (tx, step, deps: PayerDeps) => notifyAgreed(tx, step, deps),
    end: (tx, { locked: { row }, reason }, { context, company }: PayerDeps) =>
      notifyPayers(tx, context, company, row, finished, { ...noticeDataOf(row), ended: true, reason }),
    complete: (tx, { locked: { row } }, { context, company }: PayerDeps) =>
      notifyPayers(tx, context, company, row, finished, { ...noticeDataOf(row), ended: false }),
    default: (tx, { locked: { row } }, { context, company, overdueCents = 0 }: PayerDeps) =>
      notifyPayers(tx, context, company, row, defaulted, { ...noticeDataOf(row), overdueCents }),
  },
})
