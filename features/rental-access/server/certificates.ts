import { type Selectable, sql } from 'kysely'
import { changeRow, rowFinderById } from '../../../server/db/rows.ts'
import type { Call } from '../../../server/call.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { conflict, notFound } from '../../../server/errors.ts'
import { notify } from '../../../server/notices/notify.ts'
import { type LockedEntity, defineStateStore, type Transition } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { EventOf } from '../../../shared/machine.ts'
import { dateIn, formatDate } from '../../../shared/dates.ts'
import { say } from '../../../shared/messages.ts'
import type { Reservation } from '../../rentals/api.ts'
import { type CertificateStatus, certificateStates } from '../states.ts'
import { certificateNotice } from './certificate-notice.ts'

export type CertificateRow = Selectable<Schema['rental_certificate']>

export const { find: findCertificate, lock: lockCertificate } = rowFinderById('rental_certificate', () =>
  notFound('This certificate was not found.'),
)

export const lockedCertificate = (row: CertificateRow): LockedEntity<CertificateStatus> => ({
  id: row.id,
  state: row.status,
  name: say`The certificate`,
})

type CertificateStep = Transition<
  CertificateStatus,
  EventOf<typeof certificateStates>,
  LockedEntity<CertificateStatus>,
  undefined
>

/** Dependencies that a review's email to the renter needs. */
interface ReviewDeps extends Pick<Call, 'company' | 'context'> {
  reservation: Reservation
}

export const certificateStateStore = defineStateStore({
  machine: certificateStates,
  subject: 'rental_certificate',
  lock: async (tx, scope, id) => lockedCertificate(await lockCertificate(tx, scope as CompanyId, id)),
  write: (tx, { scope, locked, to, reason }: CertificateStep) =>
    changeRow(tx, 'rental_certificate', scope, locked.id, {
      status: to,
      ...(to === 'replacement_needed' && { reason }),
    }),
  effects: {
    accept: (tx, step, deps: ReviewDeps) => notifyRenter(tx, step, deps),
    request_replacement: (tx, step, deps: ReviewDeps) => notifyRenter(tx, step, deps),
  },
})

async function notifyRenter(
  tx: Tx,
  { to, reason }: Pick<CertificateStep, 'to' | 'reason'>,
  { company, context, reservation: row }: ReviewDeps,
): Promise<void> {
  if (row.email === '') return
  await notify(tx, context, {
    ...{ at: company, to: row.email, ...(row.person_id !== null && { person: row.person_id }) },
    notice: certificateNotice,
    data: { row, timeZone: company.timeZone, isAccepted: to === 'accepted', reason },
  })
}

type InsuredReservation = Pick<
  Selectable<Schema['rental_reservation']>,
  'company_id' | 'id' | 'resource_id' | 'guests' | 'ends_at' | 'number'
>

/** Loads a reservation's current certificate, whether one is required, and the last day that it must cover. */
export async function certificateOf(tx: Tx, row: InsuredReservation) {
  const { rows } = await sql<{ isNeeded: boolean; zone: string }>`
    SELECT coalesce(s.certificate_from <= ${row.guests}, false) AS "isNeeded", z.zone
    FROM rental_resource s JOIN company c ON c.id = s.company_id JOIN timezone z ON z.id = c.timezone_id
    WHERE s.company_id = ${row.company_id} AND s.id = ${row.resource_id}`.execute(tx)
  const stored = await tx
    .selectFrom('rental_certificate')
    .selectAll()
    .where('company_id', '=', row.company_id)
    .where('reservation_id', '=', row.id)
    .where('status', '<>', 'replaced')
    .executeTakeFirst()
  const { isNeeded = false, zone = 'UTC' } = rows[0] ?? {}
  // If a reservation ends at midnight, its last day is the day before.
  return { isNeeded, stored, day: dateIn(zone, new Date(row.ends_at.getTime() - 1)) }
}

/**
 * Refuses the check-in if a required certificate of insurance is missing.
 * @throws 409
 */
export async function refuseUninsured(tx: Tx, row: InsuredReservation): Promise<void> {
  const { isNeeded, stored, day } = await certificateOf(tx, row)
  if (!isNeeded) return
  if (stored?.status !== 'accepted')
    throw conflict('no_certificate', say`Reservation ${row.number} has no accepted certificate of insurance.`)
  if (stored.valid_through < day)
    throw conflict(
      'no_certificate',
      say`The certificate for reservation ${row.number} expires on ${formatDate(stored.valid_through)}, before the reservation ends.`,
    )
}
