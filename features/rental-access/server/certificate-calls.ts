import {
  attach,
  fileCall,
  findFileById,
  receiveFile,
  type ReceivedFile,
  uploadResponse,
} from '../../../server/attachments/keep.ts'
import { partCalls } from '../../../server/attachments/parts.ts'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { conflict, notFound, rejected } from '../../../server/errors.ts'
import { countAttempt, defineLimit } from '../../../server/limits.ts'
import { recordCreation, transition, actorOf } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { formatDate } from '../../../shared/dates.ts'
import { buttonsFrom } from '../../../shared/machine.ts'
import { may } from '../../../shared/privileges.ts'
import { say, translated } from '../../../shared/messages.ts'
import {
  addCertificate,
  type Certificate,
  certificateFiles,
  staffCertificate,
  staffCertificateFiles,
  downloadCertificate,
  transitionCertificate,
  myCertificate,
  sendCertificate,
} from '../contract-certificates.ts'
import { rentalStates } from '../../rentals/states.ts'
import {
  certificateOf,
  type CertificateRow,
  findCertificate,
  lockedCertificate,
  certificateStateStore,
  lockCertificate,
} from './certificates.ts'
import { findReservation, lockReservation, type Reservation, findOwnReservation, ownRental } from '../../rentals/api.ts'
import { certificateStates } from '../states.ts'

const perPerson = defineLimit('rental-certificate', { max: 20 })

const USES = [certificateFiles.kind, staffCertificateFiles.kind]
const fileOf = async (tx: Tx, company: CompanyId, id: number) => {
  const file = await tx
    .selectFrom('attachment')
    .select(['id', 'name', 'kind'])
    .where('company_id', '=', company)
    .where('subject_kind', '=', certificateFiles.subject)
    .where('subject_id', '=', id)
    .where('kind', 'in', USES)
    .executeTakeFirst()
  if (!file) throw notFound('This file was not found.')
  return file
}

async function certificateViewOf(tx: Tx, company: CompanyId, row: Reservation) {
  const { isNeeded, stored, day } = await certificateOf(tx, row)
  const view = stored && (await certificate(stored))
  return { isNeeded, day, by: row.starts_at.toISOString(), certificate: view ?? null, stored }

  async function certificate({ id, status, valid_through, created_at, reason }: CertificateRow): Promise<Certificate> {
    const { name } = await fileOf(tx, company, id)
    const isTooShort = valid_through < day
    return { id, status, validThrough: valid_through, isTooShort, name, sentAt: created_at.toISOString(), reason }
  }
}

/**
 * Returns true if the reservation has not started. Such a reservation can have a certificate even if none is required.
 */
const takesOne = ({ status }: Reservation): boolean => ['requested', 'held', 'confirmed'].includes(status)

/**
 * Saves a certificate and replaces the previous one.
 * @throws 422 if the certificate expires before the reservation ends
 */
async function saveCertificate(tx: Tx, call: Call, row: Reservation, received: ReceivedFile, validThrough: string) {
  const company = call.company.id
  if (!takesOne(row))
    throw conflict(
      'wrong_status',
      say`Reservation ${row.number} does not need a certificate because its status is “${translated(rentalStates.labels[row.status])}”.`,
    )
  const { day, stored } = await certificateOf(tx, row)
  if (validThrough < day) {
    const message = say`The insurance must be valid on ${formatDate(day)}. This certificate expires before then.`
    throw rejected(message, { validThrough: message })
  }
  const actor = actorOf(call)
  if (stored)
    await transition(tx, certificateStateStore, {
      scope: company,
      id: stored.id,
      locked: lockedCertificate(stored),
      event: 'replace',
      actor,
      deps: null,
    })
  const { id } = await tx
    .insertInto('rental_certificate')
    .values({
      ...{ company_id: company, reservation_id: row.id, valid_through: validThrough, status: 'sent' },
      created_at: call.context.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const file = await attach(tx, received, id)
  const detail = { reservation: row.number, file: received.name, validThrough }
  await recordCreation(tx, certificateStateStore, { scope: company, id, event: 'send', actor, detail })
  return uploadResponse(file.id, received)
}

const ownCall = implement(myCertificate, (call) =>
  call.reading(async (tx) => {
    const row = await findOwnReservation(tx, call)
    const { stored: _row, ...view } = await certificateViewOf(tx, call.company.id, row)
    return { ...view, canSend: takesOne(row) }
  }),
)

const sendCall = implement(sendCertificate, async (call) => {
  const { company, context, body } = call
  await countAttempt(context, [perPerson(`${company.id}/${signedIn(call).personId}`)])
  return receiveFile(call, certificateFiles, company.id, (received) =>
    call.inCompany(async (tx) => {
      const row = await ownRental(tx, call, Number(body.reservationId), true)
      return saveCertificate(tx, call, row, received, body.validThrough)
    }),
  )
})

const addCall = implement(addCertificate, (call) =>
  receiveFile(call, staffCertificateFiles, call.company.id, (received) =>
    call.inCompany(async (tx) => {
      const row = await lockReservation(tx, call.company.id, Number(call.body.reservationId))
      return saveCertificate(tx, call, row, received, call.body.validThrough)
    }),
  ),
)

const staffCall = implement(staffCertificate, (call) =>
  call.reading(async (tx) => {
    const { privileges } = signedIn(call)
    const row = await findReservation(tx, call.company.id, call.body.reservationId)
    const { stored, ...view } = await certificateViewOf(tx, call.company.id, row)
    const mover = { as: 'staff' as const, privileges }
    return {
      ...view,
      can: {
        steps: buttonsFrom(certificateStates, stored?.status ?? 'replaced', mover),
        send: takesOne(row) && may(privileges, 'rentals', 'update'),
      },
    }
  }),
)

const moveCall = implement(transitionCertificate, (call) =>
  call.inCompany(async (tx) => {
    const { company, context, body } = call
    const stored = await lockCertificate(tx, company.id, body.certificateId)
    const row = await findReservation(tx, company.id, stored.reservation_id)
    const { message } = await transition(tx, certificateStateStore, {
      scope: company.id,
      id: stored.id,
      locked: lockedCertificate(stored),
      event: body.event,
      actor: actorOf(call),
      reason: body.reason,
      detail: { reservation: row.number },
      deps: { company, context, reservation: row },
    })
    return { success: true as const, message }
  }),
)

const downloadCall = fileCall(downloadCertificate, (call) =>
  call.inCompany(async (tx) => {
    const { id } = await findCertificate(tx, call.company.id, call.body.certificateId)
    const file = await fileOf(tx, call.company.id, id)
    const use = file.kind === certificateFiles.kind ? certificateFiles : staffCertificateFiles
    return findFileById(tx, use, call.company.id, file.id)
  }),
)

export const certificateCalls = [
  ...partCalls(certificateFiles),
  ...partCalls(staffCertificateFiles),
  ...[ownCall, sendCall, staffCall, addCall, moveCall, downloadCall],
]
