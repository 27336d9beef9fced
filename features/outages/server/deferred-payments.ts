import type { Selectable } from 'kysely'
import { changeRow, rowsByNumber } from '../../../server/db/rows.ts'
import type { Clock } from '../../../server/clock.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { notFound } from '../../../server/errors.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { Company } from '../../../server/hosts.ts'
import { recordCreation, defineStateStore, type Transition, type TransitionActor } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { formatInstant } from '../../../shared/dates.ts'
import type { EventOf } from '../../../shared/machine.ts'
import { say } from '../../../shared/words.ts'
import { promiseStates, type PromiseState } from '../states.ts'
import { linkToCheckout } from '../../payments/api.ts'
import { type DeferredNoticeData, notifyDeferredPayment } from './emails.ts'
import { OUTAGES } from './outages.ts'

export type PromiseRow = Selectable<Schema['deferred_payment']>
export type PromiseLine = Pick<Selectable<Schema['deferred_payment_line']>, 'kind' | 'payable_id' | 'amount_cents'>

export const { find: findPromise, lock: lockPromise } = rowsByNumber('deferred_payment', () =>
  notFound('This deferred payment was not found.'),
)

const lockedDeferredPayment = (row: PromiseRow) => ({
  id: row.id,
  state: row.status as PromiseState,
  name: say`The payment for ${row.reference}`,
  details: { reference: row.reference, totalCents: row.total_cents },
  ...(row.person_id !== null && { person: row.person_id }),
})

type DeferredPaymentPatch = Partial<Pick<PromiseRow, 'order_id' | 'attempt_id' | 'tries' | 'not_before'>>
const OVER: readonly PromiseState[] = ['paid', 'failed', 'not_owed', 'changed', 'withdrawn']

export const deferredPaymentStateStore = defineStateStore({
  machine: promiseStates,
  subject: 'deferred_payment',
  live: { topic: OUTAGES },
  lock: async (tx, scope, id) => lockedDeferredPayment(await lockPromise(tx, scope, id)),
  write: (
    tx,
    {
      scope,
      locked,
      to,
      patch,
      at,
    }: Transition<
      PromiseState,
      EventOf<typeof promiseStates>,
      ReturnType<typeof lockedDeferredPayment>,
      DeferredPaymentPatch
    >,
  ) =>
    changeRow(tx, 'deferred_payment', scope, locked.id, {
      ...patch,
      status: to,
      ...(OVER.includes(to) && { settled_at: at }),
    }),
})

/** Actor for automatic steps of the portal. */
export const bySystem = (clock: Clock): TransitionActor => ({
  as: 'system',
  caller: { session: null, requestId: '', kind: 'system' },
  clock,
  person: { id: null, name: say`Payments after an outage` },
})

export type NewPromise = Omit<
  PromiseRow,
  'id' | 'company_id' | 'status' | 'tries' | 'not_before' | 'order_id' | 'attempt_id' | 'settled_at'
>

/** Inserts a deferred payment with its items. */
export async function insertPromise(
  tx: Tx,
  company: Company,
  row: NewPromise,
  lines: readonly PromiseLine[],
  actor: TransitionActor,
): Promise<PromiseRow> {
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
  const detail = { reference: row.reference, totalCents: row.total_cents, way: row.action }
  await recordCreation(tx, deferredPaymentStateStore, {
    scope: company.id,
    id,
    event: isNote ? 'note' : 'promise',
    actor,
    detail,
    ...person,
  })
  return written
}

export const linesOf = (tx: Tx, { company_id, id }: PromiseRow): Promise<PromiseLine[]> =>
  tx
    .selectFrom('deferred_payment_line')
    .select(['kind', 'payable_id', 'amount_cents'])
    .where('company_id', '=', company_id)
    .where('deferred_payment_id', '=', id)
    .orderBy('line_no')
    .execute()

/** Notifies the payer of the outcome, with a link to the payment page. */
export async function notifyPayer(
  tx: Tx,
  context: AppContext,
  company: Company,
  row: PromiseRow,
  messageKind: DeferredNoticeData['says'],
): Promise<void> {
  const url = await linkToCheckout(tx, context, company, row)
  if (url === null) return
  const { reference, total_cents: totalCents, method_label: methodLabel, email, person_id: person } = row
  const at = formatInstant(row.made_at, company.timeZone)
  await notifyDeferredPayment(
    tx,
    context,
    company,
    { email, person },
    { says: messageKind, reference, totalCents, methodLabel, at, url },
  )
}
