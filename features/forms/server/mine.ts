import { sql } from 'kysely'
import { implement, signedIn } from '../../../server/call.ts'
import { newCaseLink } from '../../../server/cases/emails.ts'
import { conflict } from '../../../server/errors.ts'
import type { SearchSource } from '../../../server/findable.ts'
import { ongoingCases } from '../../../server/cases/mine.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { MAX_OWN, openMySubmission, residentForm, residentForms } from '../contract.ts'
import { numberOf, submissionStatus } from '../rules.ts'
import { submissionsCase } from './case.ts'
import { ownSubmission, todayOf } from './fill.ts'
import { offeredPdf } from './pdf/stored-pdf.ts'
import type { Submission } from './row.ts'
import { findOffered, type FormType, pathOf, publishedFields, typeColumns } from './types.ts'
import { latestDefinitions } from '../../../server/fields/sets.ts'
import type { Definition } from '../../../shared/fields/definition.ts'
import { priceRange } from '../../../shared/fields/prices.ts'

function feeRangeOf(definition: Definition) {
  const { minCents, maxCents } = priceRange(definition)
  return { minCents, maxCents }
}

const offeredOf = (
  { slug, title, category, description, feeKind, feeCents, closesOn, issues }: FormType,
  definition?: Definition,
) => ({
  slug,
  title,
  category,
  description,
  feeCents: feeKind === 'none' ? null : feeKind === 'fixed' ? feeCents : 0,
  feeRange: feeKind === 'computed' && definition ? feeRangeOf(definition) : null,
  closesOn,
  issues,
})

/** Lists the forms that every resident can fill in on a day. */
async function listOffered(tx: Tx, company: CompanyId, today: string): Promise<FormType[]> {
  const { rows } = await sql<FormType>`
    SELECT ${typeColumns} FROM form_type t
    WHERE t.company_id = ${company} AND t.status = 'published' AND t.seen_by = 'residents'
      AND coalesce(t.opens_on <= ${today}::date, true) AND coalesce(t.closes_on >= ${today}::date, true)
    ORDER BY t.title_key, t.id LIMIT 500`.execute(tx)
  return rows
}

/** Makes forms available to residents' search. Guests can't open them. */
export const findableForms: SearchSource = {
  kind: 'forms',
  all: async (tx, { company, today, isSignedIn }) =>
    isSignedIn
      ? (await listOffered(tx, company.id, today)).map((type) => ({
          title: type.title,
          text: type.description,
          path: pathOf(type),
        }))
      : [],
}

/** Includes drafts. Each draft links to the screen where the resident continues it. */
export const ongoingSubmissions = ongoingCases(submissionsCase, ({ id, status, signer_token_hash }) =>
  status === submissionStatus.draft && signer_token_hash === null ? `/forms-documents/fill/${id}` : null,
)

/** Lists the available forms, and the resident's drafts and submissions, newest first. */
export const residentFormsCall = implement(residentForms, (call) => {
  const { company } = call
  const { personId } = signedIn(call)
  const today = todayOf(call)
  return call.reading(async (tx) => {
    const forms = await listOffered(tx, company.id, today)
    const priced = forms.filter(({ feeKind }) => feeKind === 'computed').map(({ fieldSet }) => fieldSet)
    const definitions = await latestDefinitions({ tx, company: company.id }, priced)
    const { rows } = await sql<Submission & { is_new: boolean }>`
      SELECT r.*, r.last_from = 'staff' AND r.last_message_id > coalesce((
        SELECT c.seen_id FROM case_reader c WHERE c.company_id = r.company_id AND c.subject_kind = ${submissionsCase.calls.kind}
          AND c.subject_id = r.id AND c.reader_kind = 'person' AND c.reader_id = 0), 0) AS is_new
      FROM form_submission r WHERE r.company_id = ${company.id} AND r.person_id = ${personId}
        AND NOT (r.status = ${sql.lit(submissionStatus.withdrawn)} AND r.submitted_at IS NULL)
      ORDER BY r.updated_at DESC, r.id DESC LIMIT ${MAX_OWN + 1}`.execute(tx)
    return {
      forms: forms.map((type) => offeredOf(type, definitions.get(type.fieldSet))),
      own: rows.slice(0, MAX_OWN).map((row) => ({
        id: row.id,
        number: numberOf(row.id),
        title: row.title,
        applicant: row.entered_by === '' ? '' : row.name,
        at: (row.submitted_at ?? row.updated_at).toISOString(),
        status: row.status,
        waitsForSigner: row.status === submissionStatus.draft && row.signer_token_hash !== null,
        isNew: row.is_new,
      })),
      more: rows.length > MAX_OWN,
    }
  })
})

export const residentFormCall = implement(residentForm, (call) => {
  const { company, body } = call
  const { personId } = signedIn(call)
  return call.reading(async (tx) => {
    const type = await findOffered(tx, company, body.slug, todayOf(call))
    const { definition } = await publishedFields({ tx, company: company.id }, type)
    const { rows: started } = await sql<Submission>`
      SELECT * FROM form_submission WHERE company_id = ${company.id} AND person_id = ${personId} AND type_id = ${type.id}
        AND status = ${sql.lit(submissionStatus.draft)} AND signer_token_hash IS NULL ORDER BY updated_at DESC LIMIT 20`.execute(
      tx,
    )
    return {
      ...offeredOf(type, definition),
      steps: definition.steps.map(({ title }) => title).filter(Boolean),
      cosigned: type.cosigned,
      pdf: await offeredPdf(tx, company.id, type.id),
      started: started.map((row) => ({
        id: row.id,
        number: numberOf(row.id),
        savedAt: row.updated_at.toISOString(),
        applicant: row.entered_by === '' ? '' : row.name,
      })),
    }
  })
})

export const openMySubmissionCall = implement(openMySubmission, (call) =>
  call.inCompany(async (tx) => {
    const { context, company } = call
    const row = await ownSubmission(tx, call)
    if (row.status === submissionStatus.draft && row.signer_token_hash === null)
      throw conflict('not_sent', 'You have not submitted this form yet. Continue filling it out.')
    return { token: await newCaseLink(tx, context, submissionsCase, company, row.id) }
  }),
)
