import { type Insertable, sql } from 'kysely'
import { implement, signedIn } from '../../../server/call.ts'
import { conflict, notFound } from '../../../server/errors.ts'
import { dropDraft, saveDraft, readDraft, markChangesRead } from '../../../server/fields/drafts.ts'
import { nextInYear } from '../../../server/db/rows.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { prefillDataOf } from '../../../server/fields/known.ts'
import { toInputs } from '../../../shared/fields/inputs.ts'
import { versionOf } from '../../../server/fields/sets.ts'
import type { Call } from '../../../server/call.ts'
import { recordCreation, transition, actorOf } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { definePreviewRows } from '../../../server/resident-preview.ts'
import { lockUntilCommit } from '../../../server/named-lock.ts'
import { dateIn } from '../../../shared/dates.ts'
import { carryOver } from '../../../shared/fields/carry.ts'
import { prefilled } from '../../../shared/fields/prefill.ts'
import type { RequestOf } from '../../../shared/endpoint.ts'
import { say } from '../../../shared/messages.ts'
import type { Answers } from '../../../shared/fields/answer.ts'
import { startForm, discardForm, formDraft, saveFormDraft, seeFormChanges, submissionCase } from '../contract.ts'
import { submissionStates } from '../states.ts'
import { idOf, numberOf, submissionStatus } from '../rules.ts'
import { requestedInfoOf, submissionStateStore } from './case.ts'
import type { Submission } from './row.ts'
import { findOffered, type FormType, publishedFields, readType } from './types.ts'

/** States in which the sender may change and send the submission: draft, more information needed, and rejected. */
export const CHANGEABLE: readonly Submission['status'][] = [
  submissionStatus.draft,
  submissionStatus.moreInfoNeeded,
  submissionStatus.rejected,
]

export const todayOf = ({ company, context }: Pick<Call, 'company' | 'context'>): string =>
  dateIn(company.timeZone, context.clock.now())

/** Returns the key of a submission's draft. Each submission has one draft. */
export const draftOf = (row: Pick<Submission, 'id' | 'field_set_id' | 'person_id'>) => ({
  set: row.field_set_id,
  owner: `person ${row.person_id}`,
  subject: `submission ${row.id}`,
})

/**
 * Finds a submission of the signed-in person.
 * @throws 404 if it belongs to another person
 */
export async function ownSubmission(tx: Tx, call: Call<{ submissionId: number }>, lock = false): Promise<Submission> {
  const { rows } = await sql<Submission>`
    SELECT * FROM form_submission WHERE company_id = ${call.company.id} AND id = ${call.body.submissionId}
      AND person_id = ${signedIn(call).personId} ${lock ? sql`FOR UPDATE` : sql``}`.execute(tx)
  if (!rows[0]) throw notFound('We could not find this form in your account.')
  return rows[0]
}

export function refuseUnchangeable({ id, status, submitted_at, signer_token_hash }: Submission): void {
  if (status === submissionStatus.draft && submitted_at === null && signer_token_hash !== null)
    throw conflict(
      'waits_for_signer',
      say`Form ${numberOf(id)} is waiting for the second signature, so you cannot change it.`,
    )
  if (!CHANGEABLE.includes(status))
    throw conflict('wrong_status', say`Form ${numberOf(id)} was already submitted, so you cannot change it.`)
}

/** Maximum number of drafts per person. Prevents one person from filling the company's tables with drafts. */
const MAX_DRAFTS = 50

export const startFormCall = implement(startForm, (call) => startSubmission(call, call.body))

/** Returns the next submission id of the year. Uses a separate transaction, so that other submissions do not wait. */
export const nextSubmissionId = (call: Call): Promise<number> => {
  const year = Number(todayOf(call).slice(0, 4))
  return call.inCompany(async (tx) => idOf(year, await nextInYear(tx, 'form_number', call.company.id, year)))
}

type SubmissionContact = Pick<Submission, 'id' | 'person_id' | 'made_by' | 'entered_by' | 'name' | 'email' | 'phone'>
type NewSubmission = SubmissionContact & Partial<Insertable<Schema['form_submission']>>
type CreationEvent = 'start' | 'import' | 'import_expired' | 'import_revoked'

/** Creates a submission with its first history entry: a draft, or an imported permit. */
export async function insertSubmission(
  tx: Tx,
  call: Call,
  type: FormType,
  { event = 'start', ...input }: NewSubmission & { event?: CreationEvent },
) {
  const { company, context } = call
  const now = context.clock.now()
  await tx
    .insertInto('form_submission')
    .values({
      created_at: now,
      updated_at: now,
      ...input,
      company_id: company.id,
      type_id: type.id,
      title: type.title,
      field_set_id: type.fieldSet,
      version: type.latestVersion,
    })
    .execute()
  await recordCreation(tx, submissionStateStore, {
    scope: company.id,
    id: input.id,
    number: numberOf(input.id),
    event,
    actor: actorOf(call),
    detail: { form: type.title },
    ...(input.person_id !== null && { person: input.person_id }),
  })
}

/** Starts a form for the signed-in person, or for another person whom they help. */
export async function startSubmission(
  call: Call,
  body: RequestOf<typeof startForm>,
): Promise<{ submissionId: number }> {
  const { company } = call
  const { personId, email } = signedIn(call)
  const id = await nextSubmissionId(call)
  return call.inCompany(async (tx) => {
    const type = await findOffered(tx, company, body.slug, todayOf(call))
    await lockUntilCommit(tx, 'form_submission', company.id, personId)
    const { rows } = await sql<{ n: number }>`
      SELECT count(*)::int AS n FROM form_submission
      WHERE company_id = ${company.id} AND person_id = ${personId} AND status = ${sql.lit(submissionStatus.draft)}`.execute(
      tx,
    )
    if ((rows[0]?.n ?? 0) >= MAX_DRAFTS)
      throw conflict('too_many_drafts', 'You have too many drafts. Submit or discard one of them first.')
    const profile = await prefillDataOf(tx, company.id, personId)
    const { applicant } = body
    const own = [profile.first_name, profile.last_name].filter(Boolean).join(' ')
    await insertSubmission(tx, call, type, {
      id,
      person_id: personId,
      made_by: applicant ? 'helper' : 'person',
      entered_by: applicant ? own : '',
      name: applicant?.name ?? own,
      email: applicant ? applicant.email : (profile.email ?? email),
      phone: applicant ? '' : (profile.phone ?? ''),
    })
    return { submissionId: id }
  })
}

export const formDraftCall = implement(formDraft, (call) =>
  call.inCompany(async (tx) => {
    const { company, context } = call
    const row = await ownSubmission(tx, call)
    refuseUnchangeable(row)
    const type = await readType(tx, company.id, row.type_id)
    const today = todayOf(call)
    const scope = { tx, clock: context.clock, company: company.id }
    const draft = (await readDraft(scope, draftOf(row), today)) ?? (await firstDraft(tx, call, row, today))
    const { rows } = await sql<{ at: Date }>`
      SELECT saved_at AS at FROM field_draft WHERE company_id = ${company.id} AND field_set_id = ${row.field_set_id}
        AND owner = ${draftOf(row).owner} AND subject = ${draftOf(row).subject}`.execute(tx)
    return {
      id: row.id,
      number: numberOf(row.id),
      slug: type.slug,
      title: row.title,
      description: type.description,
      status: row.status,
      definition: draft.definition,
      version: draft.version,
      raw: draft.raw,
      changes: draft.changes,
      today,
      fee: { kind: type.feeKind, cents: type.feeKind === 'fixed' ? type.feeCents : null },
      requestedInfo: await requestedInfoOf(tx, row),
      contact: { name: row.name, email: row.email, phone: row.phone },
      applicant: row.entered_by === '' ? '' : row.name,
      cosigned: type.cosigned,
      signer: { name: row.signer_name, email: row.signer_email },
      savedAt: rows[0]?.at.toISOString() ?? null,
    }
  }),
)

/** Returns the initial values: the last submitted answers, or else the stored data of the person. */
async function firstDraft(tx: Tx, call: Call, row: Submission, today: string) {
  const scope = { tx, company: call.company.id }
  const latest = await publishedFields(scope, { fieldSet: row.field_set_id, latestVersion: 1 })
  if (row.rounds > 0) {
    const { definition } = await versionOf(scope, row.field_set_id, row.version)
    const raw = toInputs(definition, row.answers as Answers)
    const carried = carryOver(definition, latest.definition, raw, today)
    return latest.version === row.version ? { ...latest, raw, changes: [] } : { ...latest, ...carried }
  }
  const profile = row.entered_by === '' ? await prefillDataOf(tx, call.company.id, row.person_id ?? 0) : {}
  return { ...latest, raw: prefilled(latest.definition, { ...profile, today }), changes: [] }
}

export const saveFormDraftCall = implement(saveFormDraft, (call) =>
  call.inCompany(async (tx) => {
    const { company, context, body } = call
    const row = await ownSubmission(tx, call)
    refuseUnchangeable(row)
    const scope = { tx, clock: context.clock, company: company.id }
    const others = await saveDraft(scope, draftOf(row), body.version, body.raw, body.before)
    if (row.status === submissionStatus.draft)
      await sql`UPDATE form_submission SET updated_at = ${context.clock.now()}
        WHERE company_id = ${company.id} AND id = ${row.id}`.execute(tx)
    return { savedAt: context.clock.now().toISOString(), others }
  }),
)

export const seeFormChangesCall = implement(seeFormChanges, (call) =>
  call.inCompany(async (tx) => {
    const row = await ownSubmission(tx, call)
    await markChangesRead({ tx, clock: call.context.clock, company: call.company.id }, draftOf(row))
    return { success: true as const }
  }),
)

export const discardFormCall = implement(discardForm, (call) =>
  call.inCompany(async (tx) => {
    const { company, context } = call
    const row = await ownSubmission(tx, call, true)
    if (row.status !== submissionStatus.draft)
      throw conflict(
        'wrong_status',
        say`Form ${numberOf(row.id)} was already submitted. To withdraw it, open its page.`,
      )
    await dropDraft({ tx, clock: context.clock, company: company.id }, draftOf(row))
    await transition(tx, submissionStateStore, {
      scope: company.id,
      id: row.id,
      event: 'withdraw',
      actor: actorOf(call),
      deps: { context, company },
    })
    return { success: true as const, message: say`“${row.title}” discarded.` }
  }),
)

definePreviewRows({
  tables: ['form_submission'],
  counters: ['form_number'],
  children: [
    { table: 'form_round', of: 'form_submission', column: 'submission_id' },
    { table: 'status_history', of: 'form_submission', column: 'subject_id', only: { machine: submissionStates.name } },
  ],
  uses: [
    {
      from: 'case_entry',
      column: 'subject_id',
      of: 'form_submission',
      only: { subject_kind: submissionCase.kind },
      cause: 'answered',
    },
  ],
})
