import { sql } from 'kysely'
import { type Call, implement } from '../../../server/call.ts'
import { newCaseLink } from '../../../server/cases/emails.ts'
import { recipientOf } from '../../../server/current-preview.ts'
import { changeRow } from '../../../server/db/rows.ts'
import { conflict, rejected } from '../../../server/errors.ts'
import { acceptAnswers, anySigner, type Signer } from '../../../server/fields/accept-answers.ts'
import { dropDraft } from '../../../server/fields/drafts.ts'
import { versionOf } from '../../../server/fields/sets.ts'
import { countAttempt, defineLimit } from '../../../server/limits.ts'
import { actorOf } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { Answers } from '../../../shared/fields/answer.ts'
import type { Definition } from '../../../shared/fields/definition.ts'
import { nationalDigits } from '../../../shared/phone.ts'
import type { RequestOf } from '../../../shared/endpoint.ts'
import { plural, say } from '../../../shared/messages.ts'
import { sendForm } from '../contract.ts'
import { answersAsText, answersText, feeOf, itemsOf, limitKeyOf, numberOf, submissionStatus } from '../rules.ts'
import { submissionsCase } from './case.ts'
import { draftOf, ownSubmission, refuseUnchangeable, todayOf } from './fill.ts'
import { files } from './files.ts'
import type { Submission } from './row.ts'
import { enterSubmission } from './enter.ts'
import { sendSignLink } from './sign.ts'
import { type FormType, readType, refuseClosed } from './types.ts'
import { litList } from '../../../server/list-sql.ts'

const perPerson = defineLimit('form-sent', { max: 30 })
const MAX_DETAILS = 6
const MAX_DETAIL_LENGTH = 120
const NO_SIGNER = 'Enter the name and email of the second signer.'

export const sendFormCall = implement(sendForm, async (call) => {
  const { context, company } = call
  await countAttempt(context, [perPerson(`${company.id}/${call.session?.personId}`)])
  return call.inCompany(async (tx) => {
    const row = await ownSubmission(tx, call, true)
    refuseUnchangeable(row)
    // Locks the form, so that concurrent submissions can't exceed its limit.
    const type = await readType(tx, company.id, row.type_id, true)
    if (row.status === submissionStatus.draft) refuseClosed(type, todayOf(call))
    const { message, number, next } = await sendSubmission(tx, call, row, type, anySigner(call))
    await dropDraft({ tx, clock: context.clock, company: company.id }, draftOf(row))
    const token = await newCaseLink(tx, context, submissionsCase, company, row.id)
    return { success: true as const, message, number, token, next }
  })
})

/** Call context for sending a form, as a resident or at the counter. */
type SendFormContext = Call<Pick<RequestOf<typeof sendForm>, 'version' | 'answers' | 'contact' | 'signer'>>

/**
 * Checks the answers and sends them. They go to the second signer, or to the reviewers.
 * @param row locked by this transaction, like its form
 * @param signer null if staff enter a paper form with a signature
 */
export async function sendSubmission(
  tx: Tx,
  call: SendFormContext,
  row: Submission,
  type: FormType,
  signer: Signer | null,
) {
  const { company, body } = call
  const { definition, version } = await sentVersion(tx, company.id, row, type, body.version)
  const answers = await acceptAnswers(definition, body.answers, {
    today: todayOf(call),
    findFile: files.find(tx, company.id, call.session?.personId ?? null, row.id),
    signer,
  })
  const signs = type.cosigned && row.signed_at === null
  if (signs && (body.signer.name === '' || body.signer.email === ''))
    throw rejected(NO_SIGNER, { 'signer.name': NO_SIGNER })
  const limit_key = limitKeyOf(type, answers)
  await refuseTooMany(tx, call, type, row, limit_key)
  // A fee paid once is not charged again for a resubmission.
  const fee = row.rounds === 0 ? feeOf(type, definition, answers) : row.fee_cents
  await files.give(tx, company.id, definition, answers, { id: row.id, until: null })
  const { name, email, phone } = body.contact
  const changes = {
    version,
    answers: JSON.stringify(answers),
    answer_text: answersText(definition, answers),
    details: JSON.stringify(detailsOf(definition, answers)),
    items: JSON.stringify(itemsOf(row.title, type, definition, answers)),
    limit_key,
    fee_cents: fee,
    name,
    email,
    phone: nationalDigits(phone),
    ...(signs && { signer_name: body.signer.name, signer_email: body.signer.email }),
  }
  await changeRow(tx, 'form_submission', company.id, row.id, changes)
  const sent = await tx
    .selectFrom('form_submission')
    .selectAll()
    .where('company_id', '=', company.id)
    .where('id', '=', row.id)
    .executeTakeFirstOrThrow()
  const number = numberOf(row.id)
  if (signs) {
    await sendSignLink(tx, call, sent)
    const message = say`Form ${number} is filled out. We emailed ${recipientOf(sent.signer_name)} a link to sign it. The form will be submitted after they sign.`
    return { message, number, next: 'sign' as const }
  }
  const { status } = await enterSubmission(tx, call, sent, type, actorOf(call))
  return status === submissionStatus.paymentRequired
    ? {
        message: say`Form ${number} was received. We will review it after the fee is paid.`,
        number,
        next: 'pay' as const,
      }
    : { message: say`Form ${number} was received.`, number, next: 'review' as const }
}

/**
 * Returns the fields that the person answered. Refuses with 409 if a newer version was published, so that the person
 * first reviews the answers.
 */
async function sentVersion(tx: Tx, company: CompanyId, row: Submission, type: FormType, version: number) {
  if (version !== type.latestVersion)
    throw conflict('changed_since', 'The questions have changed. Check your answers, then submit the form again.')
  const { definition } = await versionOf({ tx, company }, row.field_set_id, version)
  return { definition, version }
}

const detailsOf = (definition: Definition, answers: Answers) =>
  answersAsText(definition, answers)
    .filter(({ value }) => value !== '' && value.length <= MAX_DETAIL_LENGTH)
    .slice(0, MAX_DETAILS)
    .map(({ label, value }) => ({ name: label, value }))

/**
 * @throws 409 if the sender has reached their limit, or the limit on equal answers is reached, for example for a day,
 * route or location
 */
async function refuseTooMany(
  tx: Tx,
  call: Call<{ contact: { name: string } }>,
  { id, title, maxEach, eachDays, maxSame, limitFields, fieldSet }: FormType,
  row: Submission,
  limitKey: string | null,
): Promise<void> {
  const { company, context } = call
  const since = new Date(context.clock.now().getTime() - eachDays * 86_400_000)
  const { rows } = await sql<{ own: number; same: number }>`
    SELECT
      (SELECT count(*)::int FROM form_submission WHERE company_id = ${company.id} AND type_id = ${id} AND id <> ${row.id}
        AND person_id = ${row.person_id} AND entered_by = ${row.entered_by} AND (entered_by = '' OR lower(name) = lower(${call.body.contact.name})) AND status IN (${litList([submissionStatus.paymentRequired, submissionStatus.pendingReview, submissionStatus.approved, submissionStatus.moreInfoNeeded])}) AND submitted_at > ${since}) AS own,
      (SELECT count(*)::int FROM form_submission WHERE company_id = ${company.id} AND type_id = ${id} AND id <> ${row.id}
        AND limit_key = ${limitKey} AND status IN (${litList([submissionStatus.paymentRequired, submissionStatus.pendingReview, submissionStatus.approved, submissionStatus.moreInfoNeeded])})) AS same`.execute(
    tx,
  )
  const { own = 0, same = 0 } = rows[0] ?? {}
  if (maxEach !== null && own >= maxEach)
    throw conflict(
      'limit',
      say`The limit for “${title}” is ${maxEach} per person in ${plural(eachDays, '# day', '# days')}. Submitted so far: ${own}.`,
    )
  if (limitKey === null || maxSame === null || same < maxSame) return
  const labels = await labelsOf(tx, company.id, fieldSet, row.version, limitFields)
  throw rejected(
    say`Your choice for ${labels.join(', ')} is no longer available. Choose something else.`,
    Object.fromEntries(limitFields.map((name) => [name, say`This choice is no longer available. Choose another one.`])),
  )
}

async function labelsOf(tx: Tx, company: CompanyId, set: number, version: number, names: readonly string[]) {
  const { definition } = await versionOf({ tx, company }, set, version)
  return definition.steps.flatMap(({ fields }) =>
    fields.filter(({ name }) => names.includes(name)).map(({ label }) => label),
  )
}
