import { type Selectable, sql } from 'kysely'
import type { Call } from '../../../server/call.ts'
import type { Clock } from '../../../server/clock.ts'
import { changeRow, lockRow } from '../../../server/db/rows.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { notFound } from '../../../server/errors.ts'
import { notify } from '../../../server/notices/notify.ts'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { defineStateStore, type Transition, type TransitionActor } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { addMonths, dateIn } from '../../../shared/dates.ts'
import type { Answers } from '../../../shared/fields/answer.ts'
import type { EventOf } from '../../../shared/machine.ts'
import { say } from '../../../shared/messages.ts'
import { RENTAL } from '../rules.ts'
import { registrationStates, type RegistrationState } from '../states.ts'
import { ended, infoRequested, lapsed, received, refused, registered, type RegistrationNoticeData } from './emails.ts'

export type Registration = Selectable<Schema['registration']>

export const unknownRegistration = () => notFound('This registration was not found.')

/**
 * Finds a registration of the company. If a person is given, finds only that person's registrations.
 * @throws 404 if none is found
 */
export async function findRegistration(
  tx: Tx,
  company: CompanyId,
  id: number,
  { of, lock = false }: { of?: number; lock?: boolean } = {},
): Promise<Registration> {
  const query = tx
    .selectFrom('registration')
    .selectAll()
    .where('company_id', '=', company)
    .where('id', '=', id)
    .$if(of !== undefined, (some) => some.where('person_id', '=', of ?? 0))
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst()
  if (!row) throw unknownRegistration()
  return row
}

export const todayOf = ({ company, context }: Pick<Call, 'company' | 'context'>): string =>
  dateIn(company.timeZone, context.clock.now())

export const sealAnswers = ({ secrets }: Pick<AppContext, 'secrets'>, answers: Answers): string =>
  secrets.seal(JSON.stringify(answers))

export const openAnswers = (
  { secrets }: Pick<AppContext, 'secrets'>,
  { answers_sealed }: { answers_sealed: string },
): Answers => JSON.parse(secrets.open(answers_sealed)) as Answers

const lockedFrom = (row: Registration) => ({
  id: row.id,
  state: row.status as RegistrationState,
  number: row.number,
  name: say`Registration ${row.number}`,
  details: { number: row.number, location: row.location },
  person: row.person_id,
  row,
})

/**
 * Columns that a transition can change, apart from the status: the owner, and the deadlines for confirmation and
 * inspection.
 */
export type RegistrationPatch = Partial<
  Pick<Registration, 'person_id' | 'owner_name' | 'confirm_by' | 'reminded' | 'inspect_by'>
>

type RegistrationEvent = EventOf<typeof registrationStates>
type LockedRegistration = ReturnType<typeof lockedFrom>
type RegistrationTransition = Transition<RegistrationState, RegistrationEvent, LockedRegistration, RegistrationPatch>

/** Dependencies that the side effects of a transition need. */
interface RegistrationDeps {
  context: AppContext
  company: Company
}

export const registrationStateStore = defineStateStore<
  RegistrationState,
  RegistrationEvent,
  LockedRegistration,
  RegistrationPatch,
  RegistrationDeps
>({
  machine: registrationStates,
  subject: 'registration',
  lock: async (tx, scope, id) => {
    const row = await lockRow(tx, 'registration', scope, id)
    if (!row) throw unknownRegistration()
    return lockedFrom(row)
  },
  write: (tx, { scope, locked, to, patch, at }) =>
    changeRow(tx, 'registration', scope, locked.id, { ...patch, status: to, changed_at: at }),
  effects: {
    pass: (tx, step, deps) => notifyRegistered(tx, step, deps),
    verify: (tx, step, deps) => notifyRegistered(tx, step, deps),
    confirm: (tx, step, deps) =>
      step.to === 'registered'
        ? notifyRegistered(tx, step, deps)
        : notifyOwner(tx, deps, step.locked.row, received, noticeDataOf(step.locked.row)),
    request_info: (tx, { locked: { row }, reason }, deps) =>
      notifyOwner(tx, deps, row, infoRequested, { ...noticeDataOf(row), reason }),
    reject: (tx, { locked: { row }, reason }, deps) =>
      notifyOwner(tx, deps, row, refused, { ...noticeDataOf(row), reason }),
    end: (tx, { locked: { row }, reason }, deps) => notifyOwner(tx, deps, row, ended, { ...noticeDataOf(row), reason }),
    lapse: (tx, { locked: { row } }, deps) => notifyOwner(tx, deps, row, lapsed, noticeDataOf(row)),
  },
})

const notifyRegistered = (tx: Tx, { locked: { row }, patch }: RegistrationTransition, deps: RegistrationDeps) =>
  notifyOwner(tx, deps, row, registered, { ...noticeDataOf(row), confirmBy: patch?.confirm_by ?? '' })

/**
 * Calculates the new confirmation deadline: one year after today, or one year after the current deadline if that is
 * later.
 */
export function renewalPatch(
  row: Pick<Registration, 'kind' | 'confirm_by' | 'inspect_by'>,
  today: string,
  inspectionMonths: number,
): RegistrationPatch {
  const since = row.confirm_by !== null && row.confirm_by > today ? row.confirm_by : today
  return {
    confirm_by: addMonths(since, 12),
    reminded: 0,
    ...(row.kind === RENTAL && row.inspect_by === null && { inspect_by: addMonths(today, inspectionMonths) }),
  }
}

/** Returns the actor for automatic transitions by the portal. */
export const bySystem = (clock: Clock): TransitionActor => ({
  as: 'system',
  caller: { session: null, requestId: '', kind: 'system' },
  clock,
  person: { id: null, name: say`Registrations` },
})

/** Saves the current content as a snapshot before a change. */
export async function saveSnapshot(
  tx: Tx,
  row: Registration,
  { at, before, by }: { at: Date; before: 'change' | 'confirm' | 'transfer'; by: string },
): Promise<void> {
  await sql`
    INSERT INTO registration_snapshot (company_id, registration_id, no, at, before, by_name, owner_name, location, field_set_id,
      version, answers_sealed)
    SELECT ${row.company_id}, ${row.id}, coalesce(max(no), 0) + 1, ${at}::timestamptz, ${before}, ${by}, ${row.owner_name}, ${row.location},
      ${row.field_set_id}::bigint, ${row.version}::int, ${row.answers_sealed}
    FROM registration_snapshot WHERE company_id = ${row.company_id} AND registration_id = ${row.id}`.execute(tx)
}

const beforeLabels = {
  change: 'Before a change',
  confirm: 'Before a confirmation',
  transfer: 'Before a transfer',
} as const

/** Lists the snapshots of a registration, newest first, without their answers. */
export async function snapshotsOf(tx: Tx, { company_id, id }: Pick<Registration, 'company_id' | 'id'>) {
  const rows = await tx
    .selectFrom('registration_snapshot')
    .select(['no', 'at', 'before', 'by_name'])
    .where('company_id', '=', company_id)
    .where('registration_id', '=', id)
    .orderBy('no', 'desc')
    .limit(100)
    .execute()
  return rows.map(({ no, at, before, by_name }) => ({
    no,
    at: at.toISOString(),
    before: beforeLabels[before],
    by: by_name,
  }))
}

/** Builds the data for a notice about the registration. */
export const noticeDataOf = ({ id, number, name, location }: Registration): RegistrationNoticeData => ({
  id,
  number,
  name,
  location,
})

/** Sends a notice to the owner of the registration. */
export async function notifyOwner<F>(
  tx: Tx,
  { context, company }: RegistrationDeps,
  { person_id }: Pick<Registration, 'person_id'>,
  notice: Parameters<typeof notify<F>>[2]['notice'],
  noticeData: F,
): Promise<void> {
  const { email } = await tx
    .selectFrom('person')
    .select('email')
    .where('company_id', '=', company.id)
    .where('id', '=', person_id)
    .executeTakeFirstOrThrow()
  await notify(tx, context, { at: company, to: email, person: person_id, notice, data: noticeData })
}
