import { randomBytes } from 'node:crypto'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Schema } from '../../../../server/db/schema.ts'
import { nextInYear } from '../../../../server/db/rows.ts'
import type { Company } from '../../../../server/hosts.ts'
import type { AppContext } from '../../../../server/app-context.ts'
import type { CompanyId, Tx } from '../../../../server/tenancy.ts'
import { addDays, addMonths, dateIn } from '../../../../shared/dates.ts'
import type { IssuedDocument, DocumentStatus } from '../../contract-documents.ts'
import { defineIssuing } from '../issuing.ts'
import type { Submission } from '../row.ts'
import { type FormType, readType } from '../types.ts'
import { submissionStatus } from '../../rules.ts'

type DocumentRow = Selectable<Schema['issued_document']>
export type IssuedDocumentRow = DocumentRow & { status: Submission['status']; is_renewed: boolean }

const numberOf = (year: number, no: number): string => `L-${year}-${String(no).padStart(6, '0')}`

/** Returns the status of an issued document. Used everywhere, so that holder and verifier see the same status. */
export function documentStatusOf({ status, expires_on, is_renewed }: IssuedDocumentRow, today: string): DocumentStatus {
  if (status === submissionStatus.revoked) return 'revoked'
  if (is_renewed) return 'renewed'
  return status === submissionStatus.expired || (expires_on !== null && expires_on < today) ? 'expired' : 'valid'
}

export const documentView = (row: IssuedDocumentRow, today: string): IssuedDocument => ({
  number: row.number,
  title: row.title,
  holder: row.holder,
  issuedOn: row.issued_on,
  expiresOn: row.expires_on,
  status: documentStatusOf(row, today),
})

const documentQuery = sql`
  SELECT p.*, s.status, EXISTS (
    SELECT FROM issued_document l WHERE l.company_id = p.company_id AND l.code = p.code AND l.submission_id > p.submission_id) AS is_renewed
  FROM issued_document p JOIN form_submission s ON s.company_id = p.company_id AND s.id = p.submission_id`

export async function documentOf(tx: Tx, company: CompanyId, submission: number): Promise<IssuedDocumentRow | null> {
  const { rows } = await sql<IssuedDocumentRow>`
    ${documentQuery} WHERE p.company_id = ${company} AND p.submission_id = ${submission}`.execute(tx)
  return rows[0] ?? null
}

/** Finds the latest document with this code. A renewal keeps the code, and only the latest document is valid. */
export async function documentByCode(tx: Tx, company: CompanyId, code: string): Promise<IssuedDocumentRow | null> {
  const { rows } = await sql<IssuedDocumentRow>`
    ${documentQuery} WHERE p.company_id = ${company} AND p.code = ${code} ORDER BY p.submission_id DESC LIMIT 1`.execute(
    tx,
  )
  return rows[0] ?? null
}

/** Finds the document that this submission renews. Null for a new document. */
export async function renewedBy(tx: Tx, company: CompanyId, submission: number): Promise<IssuedDocumentRow | null> {
  const { rows } = await sql<IssuedDocumentRow>`
    ${documentQuery} JOIN form_renewal n ON n.company_id = p.company_id AND n.renews_id = p.submission_id
    WHERE n.company_id = ${company} AND n.submission_id = ${submission}`.execute(tx)
  return rows[0] ?? null
}

/**
 * Returns the term of a document. A timely renewal starts the day after the earlier term ends, so that no paid days are
 * lost.
 */
export function termOf(
  today: string,
  { validMonths, remindDays }: { validMonths: number | null; remindDays: number },
  before: string | null,
): { expires_on: string | null; remind_on: string | null } {
  if (validMonths === null) return { expires_on: null, remind_on: null }
  const from = before !== null && before >= today ? addDays(before, 1) : today
  const expires_on = addDays(addMonths(from, validMonths), -1)
  return { expires_on, remind_on: remindDays === 0 ? null : addDays(expires_on, -remindDays) }
}

/**
 * Issues the document for an approved submission. A renewal keeps the number of the earlier document and gets a new
 * term.
 */
async function issue(
  tx: Tx,
  { context, company }: { context: AppContext; company: Company },
  row: Pick<Submission, 'id' | 'type_id' | 'name'>,
): Promise<void> {
  const type = await readType(tx, company.id, row.type_id)
  if (type.issues === '') return
  const today = dateIn(company.timeZone, context.clock.now())
  const before = await renewedBy(tx, company.id, row.id)
  // A revoked document is not renewed. A new approval gets a new number.
  const renewed = before && before.status !== submissionStatus.revoked ? before : null
  const year = Number(today.slice(0, 4))
  const document = {
    company_id: company.id,
    submission_id: row.id,
    number: renewed?.number ?? numberOf(year, await nextInYear(tx, 'issued_document_number', company.id, year)),
    code: renewed?.code ?? newCode(),
    title: type.issues,
    holder: row.name,
    issued_on: today,
    ...termOf(today, type, renewed?.expires_on ?? null),
  }
  await insertDocuments(tx, [document])
}

const newCode = (): string => randomBytes(16).toString('base64url')

type NewDocument = Insertable<Schema['issued_document']>

/** Inserts documents, at most some hundreds at a time. */
export const insertDocuments = (tx: Tx, documents: readonly NewDocument[]) =>
  tx.insertInto('issued_document').values(documents).execute()

interface ImportedDocument {
  submissionId: number
  /** Number in the system that the document comes from. */
  number: string
  holder: string
  issuedOn: string
  /** Last valid day. Null if the document does not expire. */
  expiresOn: string | null
}

/**
 * Returns a document from another system. It keeps its number and days. It gets no reminder if the day of the reminder
 * has passed, because an import sends no email.
 */
export function importedDocument(
  company_id: CompanyId,
  type: Pick<FormType, 'issues' | 'remindDays'>,
  { submissionId: submission_id, number, holder, issuedOn, expiresOn, today }: ImportedDocument & { today: string },
): NewDocument {
  const remindOn = expiresOn === null || type.remindDays === 0 ? null : addDays(expiresOn, -type.remindDays)
  return {
    ...{ company_id, submission_id, number, code: newCode(), title: type.issues, holder },
    ...{
      issued_on: issuedOn,
      expires_on: expiresOn,
      remind_on: remindOn !== null && remindOn > today ? remindOn : null,
    },
  }
}

defineIssuing({
  onApproved: issue,
  // The status comes from the submission, so a revocation needs no update.
  onRevoked: async () => {},
})

export const verifyPath = ({ code }: Pick<DocumentRow, 'code'>): string => `/verify/${code}`
