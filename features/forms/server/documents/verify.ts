import { sql } from 'kysely'
import { implement } from '../../../../server/call.ts'
import { findCase } from '../../../../server/cases/entries.ts'
import { findByLink } from '../../../../server/cases/guest.ts'
import { originOf } from '../../../../server/config.ts'
import { conflict, notFound } from '../../../../server/errors.ts'
import { saveDraft } from '../../../../server/fields/drafts.ts'
import { countAttempt, defineAddressLimit } from '../../../../server/limits.ts'
import { companyPersonOf } from '../../../../server/sessions.ts'
import type { FieldType } from '../../../../shared/fields/definition.ts'
import { allFields } from '../../../../shared/fields/walk.ts'
import { carryOver } from '../../../../shared/fields/carry.ts'
import { toInputs } from '../../../../shared/fields/inputs.ts'
import { say } from '../../../../shared/messages.ts'
import { maskedName } from '../../../../shared/person-names.ts'
import {
  issuedDocumentByLink,
  documentOfSubmission,
  renewIssuedDocument,
  verifyIssuedDocument,
} from '../../contract-documents.ts'
import { submissionsCase } from '../case.ts'
import { startSubmission, draftOf, ownSubmission, todayOf } from '../fill.ts'
import { pdfOf } from '../pdf/stored-pdf.ts'
import { sentOf } from '../row.ts'
import { publishedFields, readType } from '../types.ts'
import {
  type IssuedDocumentRow,
  documentByCode,
  documentOf,
  documentView,
  documentStatusOf,
  verifyPath,
} from './issued.ts'
import { submissionStatus } from '../../rules.ts'
import { litList } from '../../../../server/list-sql.ts'

/** Rate limit per IP address. High enough for an inspector who verifies many documents, too low to guess codes. */
const perAddress = defineAddressLimit('verify-documents', { max: 120, after: 'pause' })

export const verifyIssuedDocumentCall = implement(verifyIssuedDocument, async (call) => {
  await countAttempt(call.context, [perAddress(call.address)])
  const today = todayOf(call)
  const row = await call.reading((tx) => documentByCode(tx, call.company.id, call.body.code))
  if (!row) throw notFound('We do not recognize this code. It may be from another municipality, or it may be fake.')
  const issued = documentView(row, today)
  return { issuedDocument: { ...issued, holder: maskedName(issued.holder) }, today }
})

/**
 * True if a document can be renewed. A revoked document needs a new application. A document without an end date needs
 * no renewal.
 */
const renewable = (issued: IssuedDocumentRow | null, today: string): issued is IssuedDocumentRow =>
  issued !== null && issued.expires_on !== null && ['valid', 'expired'].includes(documentStatusOf(issued, today))

export const issuedDocumentByLinkCall = implement(issuedDocumentByLink, (call) =>
  call.reading(async (tx) => {
    const { company, body } = call
    const row = await findCase(tx, submissionsCase, company.id, await findByLink(tx, submissionsCase, call, body.token))
    const issued = await documentOf(tx, company.id, row.id)
    const today = todayOf(call)
    return {
      issuedDocument: issued && documentView(issued, today),
      canRenew: renewable(issued, today) && companyPersonOf(call.session) === row.person_id,
      hasPdf: (await pdfOf(tx, company.id, row)) !== null,
    }
  }),
)

export const documentOfSubmissionCall = implement(documentOfSubmission, (call) =>
  call.reading(async (tx) => {
    const { company, context, body } = call
    const issued = await documentOf(tx, company.id, body.subjectId)
    const row = await findCase(tx, submissionsCase, company.id, body.subjectId)
    return {
      issuedDocument: issued && documentView(issued, todayOf(call)),
      verifyUrl: issued ? originOf(context.config, company.subdomain) + verifyPath(issued) : '',
      hasPdf: (await pdfOf(tx, company.id, row)) !== null,
    }
  }),
)

/**
 * Types of fields that a person must fill in again for a renewal. A signature is valid only once, and old files may be
 * outdated.
 */
const NOT_CARRIED: readonly FieldType[] = ['signature', 'file']

export const renewIssuedDocumentCall = implement(renewIssuedDocument, async (call) => {
  const { company, context } = call
  const today = todayOf(call)
  const { row, type, started } = await call.reading(async (tx) => {
    const submission = await ownSubmission(tx, call)
    if (!renewable(await documentOf(tx, company.id, submission.id), today))
      throw conflict('not_renewable', 'This document cannot be renewed. Fill out the form again instead.')
    const { rows } = await sql<{ id: number; status: number }>`
      SELECT s.id, s.status FROM form_renewal n JOIN form_submission s ON s.company_id = n.company_id AND s.id = n.submission_id
      WHERE n.company_id = ${company.id} AND n.renews_id = ${submission.id} AND s.status IN (${litList([submissionStatus.paymentRequired, submissionStatus.pendingReview, submissionStatus.draft, submissionStatus.moreInfoNeeded])}) LIMIT 1`.execute(
      tx,
    )
    return { row: submission, type: await readType(tx, company.id, submission.type_id), started: rows[0] }
  })
  if (started?.status === submissionStatus.draft) return { submissionId: started.id }
  if (started) throw conflict('renewal_sent', say`The renewal of “${row.title}” was already submitted.`)
  const applicant = row.entered_by === '' ? undefined : { name: row.name, email: row.email }
  const { submissionId } = await startSubmission(call, { slug: type.slug, applicant })
  await call.inCompany(async (tx) => {
    const scope = { tx, clock: context.clock, company: company.id }
    await tx
      .insertInto('form_renewal')
      .values({ company_id: company.id, submission_id: submissionId, renews_id: row.id })
      .execute()
    const { definition, answers } = await sentOf(tx, company.id, row)
    const carriedFields = allFields(definition).filter((field) => !NOT_CARRIED.includes(field.type))
    const raw = toInputs(
      definition,
      Object.fromEntries(
        carriedFields.flatMap(({ name }) => (answers[name] === undefined ? [] : [[name, answers[name]]])),
      ),
    )
    const latest = await publishedFields(scope, type)
    const carried = latest.version === row.version ? raw : carryOver(definition, latest.definition, raw, today).raw
    const draftRef = { id: submissionId, field_set_id: type.fieldSet, person_id: row.person_id }
    await saveDraft(scope, draftOf(draftRef), latest.version, carried)
  })
  return { submissionId }
})
