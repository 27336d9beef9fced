import { PDFDocument, type PDFPage, StandardFonts } from '@cantoo/pdf-lib'
import { provePdfForm } from '../../server/acroform/forms.ts'
import type { Demo } from '../../server/demo.ts'
import type { CompanyId, Tx } from '../../server/tenancy.ts'
import type { Definition, Field } from '../../shared/fields/definition.ts'
import { allFields } from '../../shared/fields/walk.ts'
import { PDF } from '../../shared/file-types.ts'
import { formPdfFiles } from './contract-pdf.ts'

const [WIDTH, HEIGHT, MARGIN] = [612, 792, 54]

/** Renders a PDF like the company's earlier forms: a title, and a box below each question. */
async function renderForm(companyName: string, title: string, fields: readonly Field[]): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  document.setTitle(title)
  const [plain, bold] = [
    await document.embedFont(StandardFonts.Helvetica),
    await document.embedFont(StandardFonts.HelveticaBold),
  ]
  const form = document.getForm()
  let page: PDFPage = document.addPage([WIDTH, HEIGHT])
  let y = HEIGHT - MARGIN
  page.drawText(companyName, { x: MARGIN, y, size: 11, font: plain })
  page.drawText(title, { x: MARGIN, y: (y -= 26), size: 20, font: bold })
  y -= 30
  for (const field of fields) {
    const height = field.type === 'text' && field.long ? 72 : 20
    if (y - height - 20 < MARGIN) {
      page = document.addPage([WIDTH, HEIGHT])
      y = HEIGHT - MARGIN
    }
    page.drawText(field.label, { x: MARGIN + (field.type === 'checkbox' ? 22 : 0), y, size: 10, font: bold })
    if (field.type === 'checkbox') {
      form.createCheckBox(field.name).addToPage(page, { x: MARGIN, y: y - 3, width: 14, height: 14 })
      y -= 28
      continue
    }
    const one = form.createTextField(field.name)
    if (height > 20) one.enableMultiline()
    one.addToPage(page, { x: MARGIN, y: y - height - 6, width: WIDTH - 2 * MARGIN, height, borderWidth: 0.75 })
    one.setFontSize(10)
    y -= height + 28
  }
  return document.save()
}

interface Type {
  id: number
  title: string
  definition: Definition
}

/** Adds a PDF to a form. The PDF applies to all earlier submissions too. */
export async function addPdf(tx: Tx, { files }: Demo, company: CompanyId, companyName: string, type: Type, at: Date) {
  const fields = allFields(type.definition).filter(({ type: kind }) => kind !== 'file' && kind !== 'reading')
  const content = await renderForm(companyName, type.title, fields)
  const proof = await provePdfForm(
    'demo',
    content,
    fields.map(({ name }) => name),
  )
  const { id } = await tx
    .insertInto('form_pdf')
    .values({
      company_id: company,
      type_id: type.id,
      kind: 'fillable',
      mapping: JSON.stringify(fields.map(({ name, label }) => ({ pdf: name, label, name }))),
      proof: JSON.stringify(proof),
      added_at: at,
      added_by: 'Mainstreet',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { path, bytes, sha256 } = await files.write(company, Buffer.from(content))
  await tx
    .insertInto('attachment')
    .values({
      company_id: company,
      kind: formPdfFiles.kind,
      subject_kind: formPdfFiles.subject,
      subject_id: id,
      nth: 1,
      name: `${type.title}.pdf`,
      content_type: PDF,
      bytes,
      sha256,
      path,
      state: 'clean',
      created_at: at,
      created_by_kind: 'municipality',
      scanned_at: at,
    })
    .execute()
}
