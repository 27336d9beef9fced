import { type Call, callerName, implement, signedIn } from '../../../server/call.ts'
import { conflict, notFound } from '../../../server/errors.ts'
import { dropDraft, saveDraft, readDraft, markChangesRead } from '../../../server/fields/drafts.ts'
import { prefillDataOf } from '../../../server/fields/known.ts'
import { hashSecret } from '../../../server/sessions.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { dateIn } from '../../../shared/dates.ts'
import { prefilled } from '../../../shared/fields/prefill.ts'
import { may } from '../../../shared/privileges.ts'
import { say } from '../../../shared/messages.ts'
import {
  staffAgreement,
  saveRentalDraft,
  myAgreement,
  rentalQuestions,
  rentalToSign,
  seeRentalChanges,
  sendSignLink,
  signByLink,
  signForRental,
  signRental,
} from '../contract-agreements.ts'
import { draftOf, draftContext } from './agree-as-resident.ts'
import { sign, signedOf } from './agreements.ts'
import {
  findResource,
  findReservation,
  type Reservation,
  canSign,
  lockSeries,
  signingStatusOf,
  findOwnReservation,
  ownRental,
  agreementQuestionsOf,
} from '../../rentals/api.ts'
import { notifySigner } from './sign-notice.ts'

const todayOf = ({ company, context }: Call): string => dateIn(company.timeZone, context.clock.now())

interface AgreementRef {
  resourceId: number
  reservationId?: number | undefined
}

/**
 * Loads the questions of an open resource or of the caller's reservation. Null if it has no questions, or if the
 * reservation can no longer be signed.
 */
async function loadQuestions(tx: Tx, call: Call, about: AgreementRef) {
  const { company } = call
  if (about.reservationId !== undefined) {
    const row = await ownRental(tx, call, about.reservationId)
    if (row.resource_id !== about.resourceId) throw notFound('We did not find this reservation in your account.')
    if (!canSign(row)) return null
  }
  const resource = await findResource(tx, company.id, about.resourceId)
  if (about.reservationId === undefined && resource.status !== 'open')
    throw notFound('This resource is not available to rent.')
  return agreementQuestionsOf(tx, company.id, resource)
}

const questionsCall = implement(rentalQuestions, (call) =>
  call.inCompany(async (tx) => {
    const questions = await loadQuestions(tx, call, call.body)
    if (!questions) return { questions: null }
    const today = todayOf(call)
    const draft = await readDraft(draftContext(tx, call), draftOf(call, questions.set, call.body.reservationId), today)
    const prefill = await prefillDataOf(tx, call.company.id, signedIn(call).personId)
    return {
      questions: {
        ...{ version: questions.version, definition: questions.definition, today },
        start: draft?.raw ?? prefilled(questions.definition, { ...prefill, today }),
        ...{ changes: draft?.changes ?? [], isDraft: draft !== null },
      },
    }
  }),
)

const saveDraftCall = implement(saveRentalDraft, (call) =>
  call.inCompany(async (tx) => {
    const { version, raw, before } = call.body
    const questions = await loadQuestions(tx, call, call.body)
    if (!questions) throw conflict('not_asked', say`These questions are no longer needed. Reload the page.`)
    const others = await saveDraft(
      draftContext(tx, call),
      draftOf(call, questions.set, call.body.reservationId),
      version,
      raw,
      before,
    )
    return { savedAt: call.context.clock.now().toISOString(), others }
  }),
)

const seeCall = implement(seeRentalChanges, (call) =>
  call.inCompany(async (tx) => {
    const questions = await loadQuestions(tx, call, call.body)
    if (questions) await markChangesRead(draftContext(tx, call), draftOf(call, questions.set, call.body.reservationId))
    return { success: true as const }
  }),
)

const ownCall = implement(myAgreement, (call) =>
  call.reading(async (tx) => {
    const row = await findOwnReservation(tx, call)
    return { stands: signingStatusOf(row), canSign: canSign(row), signed: await signedOf(tx, call, row) }
  }),
)

const signCall = implement(signRental, (call) =>
  call.inCompany(async (tx) => {
    const row = await findOwnReservation(tx, call)
    const message = await sign(tx, call, row, call.body, { name: callerName(call), isStaff: false })
    await dropDraft(draftContext(tx, call), draftOf(call, row.field_set_id ?? 0, row.id))
    return { success: true as const, message }
  }),
)

/**
 * Finds the reservation of an emailed link.
 * @throws 404 if a newer link replaced it
 */
async function findBySignLink(tx: Tx, call: Call<{ token: string }>): Promise<Reservation> {
  const row = await tx
    .selectFrom('rental_reservation')
    .selectAll()
    .where('company_id', '=', call.company.id)
    .where('sign_token_hash', '=', hashSecret(call.body.token))
    .executeTakeFirst()
  if (!row)
    throw notFound(
      'This link no longer works because we emailed a newer one. Use the newer link, or contact the office.',
    )
  return row
}

const toSignCall = implement(rentalToSign, (call) =>
  call.reading(async (tx) => {
    const { company } = call
    const row = await findBySignLink(tx, call)
    const questions = canSign(row)
      ? await agreementQuestionsOf(tx, company.id, await findResource(tx, company.id, row.resource_id))
      : null
    const today = todayOf(call)
    return {
      ...{ number: row.number, title: row.title, name: row.name, dates: await datesOf(tx, row) },
      ...{ startsAt: row.starts_at.toISOString(), endsAt: row.ends_at.toISOString() },
      questions: questions && {
        ...{ version: questions.version, definition: questions.definition, today },
        start: prefilled(questions.definition, { today }),
      },
      signed: await signedOf(tx, call, row),
    }
  }),
)

/** Counts the dates reserved together. */
async function datesOf(tx: Tx, { company_id, series_id }: Reservation): Promise<number> {
  if (series_id === null) return 1
  const { dates } = await tx
    .selectFrom('rental_reservation')
    .select((e) => e.fn.countAll<number>().as('dates'))
    .where('company_id', '=', company_id)
    .where('series_id', '=', series_id)
    .executeTakeFirstOrThrow()
  return Number(dates)
}

const linkCall = implement(signByLink, (call) =>
  call.inCompany(async (tx) => {
    const row = await findBySignLink(tx, call)
    return { success: true as const, message: await sign(tx, call, row, call.body, { name: row.name, isStaff: false }) }
  }),
)

const RIGHT = ['rentals', 'update'] as const

const staffCall = implement(staffAgreement, (call) =>
  call.reading(async (tx) => {
    const { company } = call
    const row = await findReservation(tx, company.id, call.body.reservationId)
    const needsSignature = canSign(row)
    const questions = needsSignature
      ? await agreementQuestionsOf(tx, company.id, await findResource(tx, company.id, row.resource_id))
      : null
    const mayChange = may(signedIn(call).privileges, ...RIGHT)
    const today = todayOf(call)
    return {
      stands: signingStatusOf(row),
      signed: await signedOf(tx, call, row),
      questions: questions && {
        ...{ version: questions.version, definition: questions.definition, today },
        start: prefilled(questions.definition, { today }),
      },
      can: { answer: questions !== null && mayChange, send: questions !== null && mayChange && row.email !== '' },
    }
  }),
)

const signForCall = implement(signForRental, (call) =>
  call.inCompany(async (tx) => {
    const row = await findReservation(tx, call.company.id, call.body.reservationId)
    const message = await sign(tx, call, row, call.body, { name: callerName(call), isStaff: true })
    return { success: true as const, message }
  }),
)

const sendCall = implement(sendSignLink, (call) =>
  call.inCompany(async (tx) => {
    const { company, context, body } = call
    const reservation = await findReservation(tx, company.id, body.reservationId)
    const together = await lockSeries(tx, reservation)
    const row = together.find(({ id }) => id === reservation.id) ?? reservation
    if (!canSign(row)) throw conflict('signed', say`Reservation ${row.number} no longer needs a signature.`)
    if (row.email === '')
      throw conflict('no_email', say`Reservation ${row.number} has no email address. Answer for the renter instead.`)
    await notifySigner(tx, context, company, row, together.length)
    await call.audit(tx, {
      action: 'rental.sign_link_sent',
      subject: { kind: 'rental_reservation', id: row.number },
      detail: { email: row.email },
    })
    return { success: true as const, message: say`We emailed the link to ${row.email}.` }
  }),
)

export const agreementCalls = [
  ...[questionsCall, saveDraftCall, seeCall, ownCall, signCall, toSignCall, linkCall],
  ...[staffCall, signForCall, sendCall],
]
