import type { Selectable } from 'kysely'
import type { Call } from '../../../server/call.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { conflict, notFound } from '../../../server/errors.ts'
import { acceptAnswers } from '../../../server/fields/accept-answers.ts'
import { versionOf } from '../../../server/fields/sets.ts'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { dateIn } from '../../../shared/dates.ts'
import { say, translated } from '../../../shared/messages.ts'
import type { SignedAgreement } from '../contract-agreements.ts'
import { rentalStates } from '../../rentals/states.ts'
import {
  findResource,
  type Resource,
  canSign,
  lockSeries,
  type Reservation,
  signingStatusOf,
  type AgreementQuestions,
  agreementQuestionsOf,
} from '../../rentals/api.ts'
import type { SubmittedAnswers } from '../../rentals/contract.ts'

/** Person who signs an agreement. All dates of a series share one set of answers. */

interface AgreementSigner {
  name: string
  /** True if staff enter the answers for the renter. */
  isStaff: boolean
}

/**
 * Saves answers permanently, together with the version of the questions.
 * @throws 409 if answers are missing or the questions changed, 422 with error messages by field
 */
export async function saveAgreement(
  tx: Tx,
  { company, context }: { company: Company; context: Pick<AppContext, 'clock'> },
  {
    resource,
    questions,
    by,
  }: { resource: Pick<Resource, 'id' | 'name'>; questions: AgreementQuestions; by: AgreementSigner },
  input: SubmittedAnswers | null,
): Promise<number> {
  if (!input) throw conflict('questions', say`Answer the questions about “${resource.name}” first.`)
  if (input.version !== questions.version)
    throw conflict('questions_changed', say`The questions have changed. Review them, then continue.`)
  const now = context.clock.now()
  const today = dateIn(company.timeZone, now)
  const signer = by.isStaff ? null : { names: [by.name], isImpersonated: false }
  const answers = await acceptAnswers(questions.definition, input.answers, {
    today,
    findFile: async () => null,
    signer,
  })
  const { id } = await tx
    .insertInto('rental_agreement')
    .values({
      ...{ company_id: company.id, resource_id: resource.id, field_set_id: questions.set, version: questions.version },
      ...{ answers: JSON.stringify(answers), answered_at: now, by_name: by.name, by_staff: by.isStaff },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Saves the answers for a new reservation. Returns null if the resource has no questions. */
export async function agree(
  tx: Tx,
  at: { company: Company; context: Pick<AppContext, 'clock'> },
  resourceId: number,
  input: SubmittedAnswers | null,
  by: AgreementSigner,
): Promise<number | null> {
  const resource = await findResource(tx, at.company.id, resourceId)
  const questions = await agreementQuestionsOf(tx, at.company.id, resource)
  return questions && saveAgreement(tx, at, { resource, questions, by }, input)
}

/**
 * Saves the answers and the signature for a reservation and its series.
 * @throws 409 if the agreement is already signed or the reservation has ended
 */
export async function sign(
  tx: Tx,
  call: Call,
  reservation: Reservation,
  submitted: SubmittedAnswers,
  by: AgreementSigner,
): Promise<string> {
  const { company } = call
  const together = await lockSeries(tx, reservation)
  const row = together.find(({ id }) => id === reservation.id) ?? reservation
  if (signingStatusOf(row) === 'signed')
    throw conflict('signed', say`The agreement for reservation ${row.number} is already signed. Thank you.`)
  if (!canSign(row))
    throw conflict(
      'wrong_status',
      say`Reservation ${row.number} does not need a signature because its status is “${translated(rentalStates.labels[row.status])}”.`,
    )
  const resource = await findResource(tx, company.id, row.resource_id)
  const questions = await agreementQuestionsOf(tx, company.id, resource)
  if (!questions) throw conflict('wrong_status', say`“${resource.name}” no longer has any questions to answer.`)
  const id = await saveAgreement(tx, call, { resource, questions, by }, submitted)
  await tx
    .updateTable('rental_reservation')
    .set({ agreement_id: id })
    .where('company_id', '=', company.id)
    .where(
      'id',
      'in',
      together.filter((one) => signingStatusOf(one) === 'unsigned').map((one) => one.id),
    )
    .execute()
  await call.audit(tx, {
    action: by.isStaff ? 'rental.agreement_signed_for' : 'rental.agreement_signed',
    subject: { kind: 'rental_reservation', id: row.number },
    detail: { version: questions.version, name: by.name, ...(together.length > 1 && { dates: together.length }) },
  })
  return by.isStaff
    ? say`The agreement for reservation ${row.number} was saved.`
    : say`Thank you. The agreement for reservation ${row.number} was signed.`
}

type Agreement = Selectable<Schema['rental_agreement']>

/** Loads the answers with their version of the questions. Null if the agreement is not signed. */
export async function signedOf(
  tx: Tx,
  { company, context }: Pick<Call, 'company' | 'context'>,
  { agreement_id: id }: Pick<Reservation, 'agreement_id'>,
): Promise<SignedAgreement | null> {
  if (id === null) return null
  const row: Agreement | undefined = await tx
    .selectFrom('rental_agreement')
    .selectAll()
    .where('company_id', '=', company.id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('These answers were not found.')
  const { definition } = await versionOf({ tx, company: company.id }, row.field_set_id, row.version)
  return {
    ...{ version: row.version, definition, answers: row.answers, at: row.answered_at.toISOString() },
    ...{ by: row.by_name, byStaff: row.by_staff, today: dateIn(company.timeZone, context.clock.now()) },
  }
}
