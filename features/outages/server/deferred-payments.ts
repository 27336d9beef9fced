import type { Selectable } from 'kysely'
import { changeRow, rowFinderById } from '../../../server/db/rows.ts'
import type { Clock } from '../../../server/clock.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { notFound } from '../../../server/errors.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { Company } from '../../../server/hosts.ts'
import { recordCreation, defineStateStore, type Transition, type TransitionActor } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { formatInstant } from '../../../shared/dates.ts'
import type { EventOf } from '../../../shared/machine.ts'
import { say } from '../../../shared/messages.ts'
import { deferredPaymentStates, type DeferredPaymentState } from '../states.ts'
import { createCheckoutLink } from '../../payments/api.ts'
import { type DeferredNoticeData, notifyDeferredPayment } from './emails.ts'
import { OUTAGES } from './outages.ts'

export type DeferredPaymentRow = Selectable<Schema['deferred_payment']>
export type DeferredPaymentLine = Pick<
  Selectable<Schema['deferred_payment_line']>,
  'kind' | 'payable_id' | 'amount_cents'
>

export const { find: findDeferredPayment, lock: lockDeferredPayment } = rowFinderById('deferred_payment', () =>
  notFound('This deferred payment was not found.'),
)

const lockedDeferredPayment = (row: DeferredPaymentRow) => ({
  id: row.id,
  state: row.status as DeferredPaymentState,
  name: say`The payment for ${row.reference}`,
  details: { reference: row.reference, totalCents: row.total_cents },
  ...(row.person_id !== null && { person: row.person_id }),
})

type DeferredPaymentPatch = Partial<Pick<DeferredPaymentRow, 'order_id' | 'attempt_id' | 'tries' | 'not_before'>>
const FINAL_STATES: readonly DeferredPaymentState[] = ['paid', 'failed', 'not_owed', 'changed', 'withdrawn']

export const deferredPaymentStateStore = defineStateStore({
  machine: deferredPaymentStates,
  subject: 'deferred_payment',
  live: { topic: OUTAGES },
  lock: async (tx, scope, id) => lockedDeferredPayment(await lockDeferredPayment(tx, scope, id)),
  write: (
    tx,
    {
      scope,
      locked,
      to,
      patch,
      at,
    }: Transition<
      DeferredPaymentState,
      EventOf<typeof deferredPaymentStates>,
      ReturnType<typeof lockedDeferredPayment>,
      DeferredPaymentPatch
    >,
  ) =>
    changeRow(tx, 'deferred_payment', scope, locked.id, {
      ...patch,
      status: to,
      ...(FINAL_STATES.includes(to) && { finished_at: at }),
    }),
})

/** Returns the actor for automatic steps of the portal. */
export const bySystem = (clock: Clock): TransitionActor => ({
  as: 'system',
  caller: { session: null, requestId: '', kind: 'system' },
  clock,
  person: { id: null, name: say`Payments after an outage` },
})

export type NewDeferredPayment = Omit<
  DeferredPaymentRow,
  'id' | 'company_id' | 'status' | 'tries' | 'not_before' | 'order_id' | 'attempt_id' | 'finished_at'
>

/** Inserts a deferred payment with its items. */
export async function insertDeferredPayment(
  tx: Tx,
  company: Company,
  row: NewDeferredPayment,
  lines: readonly DeferredPaymentLine[],
  actor: TransitionActor,
): Promise<DeferredPaymentRow> {
  const isNote = row.action === 'note' || row.action === 'autopay'
  const written = await tx
    .insertInto('deferred_payment')
    .values({ ...row, company_id: company.id, status: isNote ? 'noted' : 'waiting' })
    .returningAll()
    .executeTakeFirstOrThrow()
  const { id } = written
  await tx
    .insertInto('deferred_payment_line')
    .values(lines.map((line, n) => ({ ...line, company_id: company.id, deferred_payment_id: id, line_no: n + 1 })))
    .execute()
  const person = row.person_id === null ? {} : { person: row.person_id }
  const detail = { reference: row.reference, totalCents: row.total_cents, action: row.action }
  await recordCreation(tx, deferredPaymentStateStore, {
    scope: company.id,
    id,
    event: isNote ? 'note' : 'defer',
    actor,
    detail,
    ...person,
  })
  return written
}

export const linesOf = (tx: Tx, { company_id, id }: DeferredPaymentRow): Promise<DeferredPaymentLine[]> =>
  tx
    .selectFrom('deferred_payment_line')
    .select(['kind', 'payable_id', 'amount_cents'])
    .where('company_id', '=', company_id)
    .where('deferred_payment_id', '=', id)
    .orderBy('line_no')
    .execute()

/** Notifies the payer of the outcome of a deferred payment, with a link to the payment page. */
export async function notifyPayer(
  tx: Tx,
  context: AppContext,
  company: Company,
  row: DeferredPaymentRow,
  messageKind: DeferredNoticeData['text'],
): Promise<void> {
  const url = await createCheckoutLink(tx, context, company, row)
  if (url === null) return
  const { reference, total_cents: totalCents, method_label: methodLabel, email, person_id: person } = row
  const at = formatInstant(row.made_at, company.timeZone)
  await notifyDeferredPayment(
    tx,
    context,
    company,
    { email, person },
    { text: messageKind, reference, totalCents, methodLabel, at, url },
  )
}
