import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { fillPdfForm } from '../../../../server/acroform/forms.ts'
import { expectReady, findFile } from '../../../../server/attachments/keep.ts'
import { notFound } from '../../../../server/errors.ts'
import type { AppContext } from '../../../../server/app-context.ts'
import type { CompanyId, Tx } from '../../../../server/tenancy.ts'
import type { Answers } from '../../../../shared/fields/answer.ts'
import type { Definition } from '../../../../shared/fields/definition.ts'
import { formPdfFiles } from '../../contract-pdf.ts'
import type { pdfKinds } from '../../rules.ts'
import { sentOf, type Submission } from '../row.ts'

/** Link from a PDF field to a form field. The name is empty if the PDF field stays empty. */
export interface Link {
  pdf: string
  label: string
  name: string
}

export interface StoredPdf {
  id: number
  kind: (typeof pdfKinds)[number]
  mapping: Link[]
  leftOut: string[]
  proof: { of: number; rendered: Record<string, number>; unseen: string[] } | null
  addedAt: Date
  addedBy: string
}

const columns = sql`id, kind, mapping, left_out AS "leftOut", proof, added_at AS "addedAt", added_by AS "addedBy"`

/** Finds the current PDF of a form. */
export async function currentPdf(tx: Tx, company: CompanyId, typeId: number): Promise<StoredPdf | null> {
  const { rows } = await sql<StoredPdf>`
    SELECT ${columns} FROM form_pdf WHERE company_id = ${company} AND type_id = ${typeId} AND removed_at IS NULL
    ORDER BY added_at DESC, id DESC LIMIT 1`.execute(tx)
  return rows[0] ?? null
}

/** Finds the fillable PDF of a submission: the PDF valid at the time of submission, or the first later one. */
export async function pdfOf(
  tx: Tx,
  company: CompanyId,
  { type_id, submitted_at }: Pick<Submission, 'type_id' | 'submitted_at'>,
): Promise<StoredPdf | null> {
  if (!submitted_at) return null
  const { rows } = await sql<StoredPdf>`
    SELECT ${columns} FROM form_pdf
    WHERE company_id = ${company} AND type_id = ${type_id} AND (removed_at IS NULL OR removed_at > ${submitted_at})
    ORDER BY added_at <= ${submitted_at} DESC, abs(extract(epoch FROM added_at - ${submitted_at}::timestamptz)), id DESC LIMIT 1`.execute(
    tx,
  )
  const [pdf] = rows
  return pdf?.kind === 'fillable' ? pdf : null
}

/** Returns the type, file name and size of a form's current PDF, for download by residents. */
export async function offeredPdf(tx: Tx, company: CompanyId, typeId: number) {
  const pdf = await currentPdf(tx, company, typeId)
  return pdf && { kind: pdf.kind, ...(await nameOf(tx, company, pdf)) }
}

/** Selects the name and size of a PDF's file. */
export const nameOf = (tx: Tx, company: CompanyId, { id }: Pick<StoredPdf, 'id'>) =>
  tx
    .selectFrom('attachment')
    .select(['name', 'bytes'])
    .where('company_id', '=', company)
    .where('subject_kind', '=', formPdfFiles.subject)
    .where('subject_id', '=', id)
    .executeTakeFirstOrThrow()

export const fileOf = (tx: Tx, company: CompanyId, { id }: Pick<StoredPdf, 'id'>) =>
  findFile(tx, formPdfFiles, company, id, 1)
type File = Awaited<ReturnType<typeof fileOf>>

export const contentOf = async ({ files }: AppContext, file: File): Promise<Uint8Array> =>
  new Uint8Array(await buffer(files.read(expectReady(file))))

/** Data needed to fill in a submission's PDF. */
interface ToFill {
  file: File
  mapping: Link[]
  definition: Definition
  answers: Answers
}

/** @throws 404 if the submission's form has no fillable PDF */
export async function toFill(tx: Tx, company: CompanyId, row: Submission): Promise<ToFill> {
  const pdf = await pdfOf(tx, company, row)
  if (!pdf) throw notFound('This form has no PDF.')
  return { file: await fileOf(tx, company, pdf), mapping: pdf.mapping, ...(await sentOf(tx, company, row)) }
}

/** Renders the form's own PDF with the answers, as pages without form fields. */
export async function filledCopy(context: AppContext, caller: string, { file, mapping, definition, answers }: ToFill) {
  const linked = mapping.filter(({ name }) => name !== '')
  return fillPdfForm(caller, await contentOf(context, file), { definition, mapping: linked }, answers)
}
