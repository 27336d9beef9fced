import type { Selectable } from 'kysely'
import { changeRow, lockRow } from '../../../server/db/rows.ts'
import type { Clock } from '../../../server/clock.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { notFound } from '../../../server/errors.ts'
import { defineStateStore, transition, type Transition, type TransitionActor } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { EventOf } from '../../../shared/machine.ts'
import { say } from '../../../shared/messages.ts'
import type { EndReason, Terms } from '../rules.ts'
import { type AutopayState, autopayStates } from '../states.ts'

export type Autopay = Selectable<Schema['autopay']>

type AutopayPatch = { end_reason: EndReason; end_code: string }

/** State store of enrollments. Ending an enrollment also skips its planned charges. */
export const autopayStateStore = defineStateStore<
  AutopayState,
  EventOf<typeof autopayStates>,
  LockedAutopay,
  AutopayPatch
>({
  machine: autopayStates,
  subject: 'autopay',
  lock: async (tx, scope, id) => lockedFrom(await lockAutopay(tx, scope as CompanyId, id)),
  write: (tx, { scope, locked, to, patch, at }) =>
    changeRow(tx, 'autopay', scope, locked.id, { state: to, ...patch, ...(patch && { ended_at: at }) }),
  effects: { end: skipCharges, stop: skipCharges, remove: skipCharges },
})

/** Skips the planned charges of an enrollment that ends. */
async function skipCharges(tx: Tx, { scope, locked, at }: AutopayTransition): Promise<void> {
  await tx
    .updateTable('autopay_charge')
    .set({ state: 'skipped', reason: 'ended', finished_at: at })
    .where('company_id', '=', scope)
    .where('autopay_id', '=', locked.id)
    .where('state', '=', 'planned')
    .execute()
}

type LockedAutopay = ReturnType<typeof lockedFrom>
type AutopayTransition = Transition<AutopayState, EventOf<typeof autopayStates>, LockedAutopay, AutopayPatch>

const lockedFrom = ({ id, state, reference, person_id }: Autopay) => ({
  id,
  state,
  name: say`AutoPay for account ${reference}`,
  details: { account: reference },
  person: person_id,
})

/** @throws 404 if the enrollment does not exist */
export async function lockAutopay(tx: Tx, company: CompanyId, id: number): Promise<Autopay> {
  const row = await lockRow(tx, 'autopay', company, id)
  if (!row) throw notFound('This account is not on AutoPay. Reload the page.')
  return row
}

/** Returns the portal as the actor of automatic transitions. */
export const bySystem = (clock: Clock): TransitionActor => ({
  as: 'system',
  caller: { session: null, requestId: '', kind: 'system' },
  clock,
  person: { id: null, name: 'AutoPay' },
})

export const endAutopay = (
  tx: Tx,
  company: CompanyId,
  { id }: Pick<Autopay, 'id'>,
  event: 'end' | 'remove',
  { reason, code = '' }: { reason: EndReason; code?: string },
  actor: TransitionActor,
) =>
  transition(tx, autopayStateStore, {
    scope: company,
    id,
    event,
    actor,
    detail: { reason, ...(code && { code }) },
    patch: { end_reason: reason, end_code: code },
  })

export const termsOf = (row: Pick<Autopay, 'timing' | 'days_before' | 'day_of_month' | 'cap_cents'>): Terms => ({
  timing: row.timing,
  daysBefore: row.days_before,
  dayOfMonth: row.day_of_month,
  capCents: row.cap_cents,
})
