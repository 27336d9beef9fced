import { type Selectable, sql } from 'kysely'
import type { Call } from '../../../server/call.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { conflict, notFound } from '../../../server/errors.ts'
import { acceptAnswers } from '../../../server/fields/accept-answers.ts'
import { versionOf } from '../../../server/fields/sets.ts'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { dateIn } from '../../../shared/dates.ts'
import type { Definition } from '../../../shared/fields/definition.ts'
import { say } from '../../../shared/words.ts'
import type { GivenAnswers, SignedAgreement } from '../contract-agreements.ts'
import type { AgreementStands } from '../rules.ts'
import { rentalStates } from '../states.ts'
import type { Reservation } from './reservations.ts'
import { findResource, type Resource } from './resources.ts'

/** What is asked of whoever reserves something, and what they answered: one set of answers for all dates of a series. */

export interface AgreementQuestions {
  set: number
  version: number
  definition: Definition
}

/** What a resource asks by now; null where it asks nothing. */
export async function asksOf(
  tx: Tx,
  company: CompanyId,
  { field_set_id: set, asks_questions: isAsked }: Pick<Resource, 'field_set_id' | 'asks_questions'>,
): Promise<AgreementQuestions | null> {
  if (set === null || !isAsked) return null
  const row = await tx
    .selectFrom('field_set_version')
    .select(['version', 'definition'])
    .where('company_id', '=', company)
    .where('field_set_id', '=', set)
    .orderBy(sql.ref('version'), 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? { set, ...row } : null
}

interface AgreementSigner {
  name: string
  /** Somebody of the office, for whoever reserved it. */
  isStaff: boolean
}

/**
 * Keeps answers for good, beside the version that they were given to.
 * @throws 409 where nothing was answered or something else is asked by now, 422 with a sentence for each field
 */
export async function keepAgreement(
  tx: Tx,
  { company, context }: { company: Company; context: Pick<AppContext, 'clock'> },
  { resource, asks, by }: { resource: Pick<Resource, 'id' | 'name'>; asks: AgreementQuestions; by: AgreementSigner },
  given: GivenAnswers | null,
): Promise<number> {
  if (!given) throw conflict('questions', say`Answer the questions about “${resource.name}” first.`)
  if (given.version !== asks.version)
    throw conflict('questions_changed', say`The questions changed meanwhile. Look at them, then go on.`)
  const now = context.clock.now()
  const today = dateIn(company.timeZone, now)
  const signer = by.isStaff ? null : { names: [by.name], isImpersonated: false }
  const answers = await acceptAnswers(asks.definition, given.answers, { today, findFile: async () => null, signer })
  const { id } = await tx
    .insertInto('rental_agreement')
    .values({
      ...{ company_id: company.id, resource_id: resource.id, field_set_id: asks.set, version: asks.version },
      ...{ answers: JSON.stringify(answers), answered_at: now, by_name: by.name, by_staff: by.isStaff },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** The answers of whoever reserves something now; null where nothing is asked. */
export async function agree(
  tx: Tx,
  at: { company: Company; context: Pick<AppContext, 'clock'> },
  resourceId: number,
  given: GivenAnswers | null,
  by: AgreementSigner,
): Promise<number | null> {
  const resource = await findResource(tx, at.company.id, resourceId)
  const asks = await asksOf(tx, at.company.id, resource)
  return asks && keepAgreement(tx, at, { resource, asks, by }, given)
}

export const standsOf = (row: Pick<Reservation, 'field_set_id' | 'agreement_id'>): AgreementStands =>
  row.agreement_id !== null ? 'signed' : row.field_set_id !== null ? 'unsigned' : 'none'

/** It is still to come, or waits for its time. */
const SIGNABLE: readonly string[] = ['waiting', 'requested', 'held', 'confirmed']
export const canSign = (row: Reservation): boolean => standsOf(row) === 'unsigned' && SIGNABLE.includes(row.status)

/** A reservation with all that was booked with it, locked in the order of their numbers, as everybody takes several. */
export async function lockTogether(tx: Tx, row: Reservation): Promise<Reservation[]> {
  const { rows } = await sql<Reservation>`
    SELECT * FROM rental_reservation WHERE company_id = ${row.company_id} AND (id = ${row.id} OR series_id = ${row.series_id})
    ORDER BY id FOR UPDATE`.execute(tx)
  return rows
}

/** Answers and signs for a reservation and all dates of its series. @throws 409 where that is done, or it is over */
export async function sign(
  tx: Tx,
  call: Call,
  found: Reservation,
  given: GivenAnswers,
  by: AgreementSigner,
): Promise<string> {
  const { company } = call
  const together = await lockTogether(tx, found)
  const row = together.find(({ id }) => id === found.id) ?? found
  if (standsOf(row) === 'signed') throw conflict('signed', say`${row.number} is signed already. Thank you.`)
  if (!canSign(row))
    throw conflict('wrong_status', say`${row.number} is ${rentalStates.labels[row.status]} now, with nothing to sign.`)
  const resource = await findResource(tx, company.id, row.resource_id)
  const asks = await asksOf(tx, company.id, resource)
  if (!asks) throw conflict('wrong_status', say`Nothing is asked about “${resource.name}” any more.`)
  const id = await keepAgreement(tx, call, { resource, asks, by }, given)
  await tx
    .updateTable('rental_reservation')
    .set({ agreement_id: id })
    .where('company_id', '=', company.id)
    .where(
      'id',
      'in',
      together.filter((one) => standsOf(one) === 'unsigned').map((one) => one.id),
    )
    .execute()
  await call.audit(tx, {
    action: by.isStaff ? 'rental.agreement_signed_for' : 'rental.agreement_signed',
    subject: { kind: 'rental_reservation', id: row.number },
    detail: { version: asks.version, name: by.name, ...(together.length > 1 && { dates: together.length }) },
  })
  return by.isStaff
    ? say`The agreement of ${row.number} is kept.`
    : say`Thank you. The agreement of ${row.number} is signed.`
}

type Agreement = Selectable<Schema['rental_agreement']>

/** What was answered, with the questions of its version; null where it is not. */
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

/** Nobody is asked any more what they have not answered. */
export const askNoMore = (tx: Tx, company: CompanyId, resourceId: number): Promise<unknown> =>
  sql`
    UPDATE rental_reservation SET field_set_id = NULL, sign_token_hash = NULL
    WHERE company_id = ${company} AND resource_id = ${resourceId} AND field_set_id IS NOT NULL AND agreement_id IS NULL`.execute(
    tx,
  )
