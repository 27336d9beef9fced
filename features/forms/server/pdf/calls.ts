import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { provePdfForm, readPdfForm, samplePdfForm } from '../../../../server/acroform/forms.ts'
import type { Proof } from '../../../../server/acroform/prove.ts'
import { renderers } from '../../../../server/acroform/renderers.ts'
import { PLATFORM } from '../../../../server/audit.ts'
import { attach, downloadOf, fileCall, type ReceivedFile, receiveFile } from '../../../../server/attachments/keep.ts'
import { partCalls } from '../../../../server/attachments/parts.ts'
import { type Call, callerName, implement, signedIn } from '../../../../server/call.ts'
import { notFound, rejected } from '../../../../server/errors.ts'
import { changeRow } from '../../../../server/db/rows.ts'
import { applyEdit, editBy } from '../../../../server/edits.ts'
import { workOf } from '../../../../server/fields/calls.ts'
import { readFieldSet, saveFieldSet } from '../../../../server/fields/sets.ts'
import type { CompanyId, Tx } from '../../../../server/tenancy.ts'
import { blankField, blankStep } from '../../../../shared/fields/blank.ts'
import type { Definition, FieldType } from '../../../../shared/fields/definition.ts'
import { allFields } from '../../../../shared/fields/walk.ts'
import { PDF } from '../../../../shared/file-types.ts'
import { may } from '../../../../shared/privileges.ts'
import { plural, say } from '../../../../shared/messages.ts'
import {
  addFormPdf,
  downloadFormPdf,
  formPdfFiles,
  removeFormPdf,
  residentFormPdf,
  saveFormPdfLinks,
  showFormPdf,
  importLibraryPdf,
} from '../../contract-pdf.ts'
import { todayOf } from '../fill.ts'
import { findOffered, type FormType, readType } from '../types.ts'
import { contentOf, currentPdf, fileOf, type StoredPdf, type Link, nameOf } from './stored-pdf.ts'

const laneOf = (call: Call) => `${call.company.id}/staff ${call.session?.personId ?? 0}`

/** Result of checking a PDF before it is saved. */
interface TriedPdf {
  /** Null if the PDF has no fields. */
  form: { definition: Definition; mapping: Link[]; leftOut: string[]; proof: Proof } | null
}

/**
 * Reads a PDF and renders it with two programs.
 * @throws 422 if the PDF is not usable, with a sentence that explains why
 */
async function tryPdf(call: Call, content: Uint8Array): Promise<TriedPdf> {
  const read = await readPdfForm(laneOf(call), content)
  if (read.kind === 'refused') throw rejected(read.message, { file: read.message })
  if (read.kind === 'flat') return { form: null }
  const { definition, mapping, leftOut } = read
  try {
    const proof = await provePdfForm(
      laneOf(call),
      content,
      mapping.map(({ pdf }) => pdf),
    )
    return { form: { definition, mapping, leftOut, proof } }
  } catch {
    const message = say`We could read this PDF but could not fill in its fields. Save the PDF again in the program that created it, then try again.`
    throw rejected(message, { file: message })
  }
}

type FieldsTo = 'form' | 'match'

/** Sets the PDF of a form, in the transaction that saves its file. */
async function storePdf(tx: Tx, call: Call, typeId: number, fieldsTo: FieldsTo, { form }: TriedPdf, name: string) {
  const { context, company } = call
  const at = context.clock.now()
  const type = await readType(tx, company.id, typeId, true)
  const work = workOf(call, tx)
  const { draft } = await readFieldSet(work, type.fieldSet)
  const before = await currentPdf(tx, company.id, typeId)
  const steps = form === null ? withUploadField(draft) : fieldsTo === 'form' ? form.definition.steps : draft.steps
  await saveFieldSet(work, type.fieldSet, { name: type.title, steps })
  const mapping = form === null ? [] : fieldsTo === 'form' ? form.mapping : matched(form.mapping, draft, before)
  await retire(tx, call, typeId)
  const { id } = await tx
    .insertInto('form_pdf')
    .values({
      company_id: company.id,
      type_id: typeId,
      kind: form ? 'fillable' : 'flat',
      mapping: JSON.stringify(mapping),
      left_out: JSON.stringify(form?.leftOut ?? []),
      proof: form && JSON.stringify(form.proof),
      added_at: at,
      added_by: callerName(call),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await call.audit(tx, {
    action: 'form_type.changed',
    subject: { kind: 'form_type', id: typeId },
    detail: { title: type.title, pdf: name },
  })
  const linkedCount = mapping.filter((link) => link.name !== '').length
  const message = form
    ? say`${plural(linkedCount, 'One field', '# fields')} in ${name} ${linkedCount === 1 ? 'is' : 'are'} filled in from the answers.`
    : say`Residents will download ${name}, fill it out and upload it.`
  return {
    id,
    response: {
      success: true as const,
      message,
      kind: form ? ('fillable' as const) : ('flat' as const),
      linkedCount,
    },
  }
}

/** Adds a question that asks residents to upload the PDF that they filled in by hand. */
function withUploadField(draft: Definition): Definition['steps'] {
  if (allFields(draft).some(({ type }) => type === 'file')) return draft.steps
  const field = {
    ...blankField('file', 'filled_in_form'),
    ...{ label: say`Completed form`, required: true, accept: 'documents' as const, maxFiles: 5 },
  }
  const [last = blankStep('questions')] = draft.steps.slice(-1)
  return [...draft.steps.slice(0, -1), { ...last, fields: [...last.fields, field] }]
}

/** Links each PDF field to its earlier question, or else to the question with the same name or label. */
function matched(mapping: readonly Link[], draft: Definition, before: StoredPdf | null): Link[] {
  const fields = allFields(draft)
  const once = new Map(before?.mapping.map(({ pdf, name }) => [pdf, name]))
  const isField = (name: string | undefined) => fields.some((field) => field.name === name)
  return mapping.map((link) => {
    const same = fields.find(
      ({ name, label }) => name === link.name || label.toLowerCase() === link.label.toLowerCase(),
    )
    const linkedName = once.get(link.pdf)
    return { ...link, name: (isField(linkedName) ? linkedName : same?.name) ?? '' }
  })
}

const retire = (tx: Tx, call: Call, typeId: number) =>
  tx
    .updateTable('form_pdf')
    .set({ removed_at: call.context.clock.now() })
    .where('company_id', '=', call.company.id)
    .where('type_id', '=', typeId)
    .where('removed_at', 'is', null)
    .executeTakeFirst()

const addCall = implement(addFormPdf, (call) => {
  const { typeId, fieldsTo } = call.body
  return receiveFile(call, formPdfFiles, call.company.id, async (received) => {
    const tried = await tryPdf(call, new Uint8Array(await buffer(call.context.files.read(received.path))))
    return call.inCompany((tx) => storeWithFile(tx, call, Number(typeId), fieldsTo, tried, received))
  })
})

async function storeWithFile(
  tx: Tx,
  call: Call,
  typeId: number,
  to: FieldsTo,
  tried: TriedPdf,
  received: ReceivedFile,
) {
  const { id, response } = await storePdf(tx, call, typeId, to, tried, received.name)
  await attach(tx, received, id)
  return response
}

/** Finds the current file of the form template, if the company still has that template. */
async function libraryFile(call: Call, typeId: number) {
  const templates = await call.reading((tx) =>
    sql<{ id: number }>`
      SELECT a.template_id AS id FROM form_type t
      JOIN form_template_assignment a ON a.company_id = t.company_id AND a.template_id = t.template_id
      WHERE t.company_id = ${call.company.id} AND t.id = ${typeId}`.execute(tx),
  )
  const [template] = templates.rows
  if (!template) return null
  const file = await call.context.acrossCompanies((tx) =>
    tx
      .selectFrom('attachment')
      .select(['path', 'name', 'content_type', 'state', 'preview'])
      .where('company_id', '=', PLATFORM)
      .where('subject_kind', '=', 'form')
      .where('kind', '=', 'form')
      .where('subject_id', '=', template.id)
      .orderBy('nth', 'desc')
      .executeTakeFirst(),
  )
  return file?.content_type === PDF && file.state === 'clean' ? file : null
}

const takeCall = implement(importLibraryPdf, async (call) => {
  const { typeId, fieldsTo } = call.body
  const file = await libraryFile(call, typeId)
  if (!file) throw notFound('The library form has no PDF, or it is no longer assigned to the municipality.')
  const content = await contentOf(call.context, file)
  const tried = await tryPdf(call, content)
  const owner = call.company.id
  // Stores a separate copy, because the form library may delete its file.
  const { path, bytes, sha256 } = await call.context.files.write(owner, Buffer.from(content))
  const storedFile = { path, bytes, sha256, use: formPdfFiles, owner, call, name: file.name, contentType: PDF }
  try {
    return await call.inCompany((tx) =>
      storeWithFile(tx, call, typeId, fieldsTo, tried, { ...storedFile, state: 'clean', preview: null, takenAt: null }),
    )
  } catch (error) {
    await call.context.files.remove(path)
    throw error
  }
})

const showCall = implement(showFormPdf, async (call) => {
  const { typeId } = call.body
  const library = await libraryFile(call, typeId)
  return call.reading(async (tx) => {
    const type = await readType(tx, call.company.id, typeId)
    const pdf = await currentPdf(tx, call.company.id, typeId)
    return {
      pdf: pdf && (await pdfView(tx, call.company.id, pdf)),
      questions: pdf ? await questionsOf(tx, call, type) : [],
      libraryFile: library?.name ?? '',
      can: { edit: may(signedIn(call).privileges, 'forms', 'create') },
    }
  })
})

async function pdfView(tx: Tx, company: CompanyId, pdf: StoredPdf) {
  const { kind, mapping, leftOut, proof, addedAt, addedBy } = pdf
  const { bytes, name } = await nameOf(tx, company, pdf)
  const labels = new Map(mapping.map((link) => [link.pdf, link.label]))
  return {
    ...{ kind, fileName: name, bytes, leftOut, addedAt: addedAt.toISOString(), addedBy },
    filled: mapping.filter((link) => link.name !== '').length,
    empty: mapping.filter((link) => link.name === '').map(({ label }) => label),
    links: mapping,
    proof: proof && {
      of: proof.of,
      rendered: renderers.map((by) => ({ by, count: proof.rendered[by] ?? 0 })),
      unseen: proof.unseen.map((field) => labels.get(field) ?? field),
    },
  }
}

/** Field types with answers that do not fit into a PDF field. */
const UNWRITTEN: readonly FieldType[] = ['reading', 'file', 'table', 'signature']

/** Returns the form's questions that a PDF can contain, including unpublished questions. */
async function questionsOf(tx: Tx, call: Call, { fieldSet }: FormType) {
  const { draft } = await readFieldSet(workOf(call, tx), fieldSet)
  return allFields(draft)
    .filter(({ type }) => !UNWRITTEN.includes(type))
    .map(({ name, label }) => ({ name, label }))
}

/**
 * Saves the links of PDF fields to questions. They apply to all later renderings, including those of earlier
 * submissions.
 */
const saveLinksCall = implement(saveFormPdfLinks, (call) =>
  call.inCompany(async (tx) => {
    const { company, body } = call
    const type = await readType(tx, company.id, body.typeId, true)
    const pdf = await currentPdf(tx, company.id, body.typeId)
    if (!pdf || pdf.kind === 'flat') throw unknownPdf()
    const before = Object.fromEntries(pdf.mapping.map((link) => [link.pdf, link.name]))
    const fieldNames = new Set((await questionsOf(tx, call, type)).map(({ name }) => name))
    const sent = Object.entries(body.links).filter(([field]) => field in before)
    // Accepts unchanged links to removed questions. Preserves links that other staff changed.
    const basis = body.basis ?? before
    for (const [field, name] of sent)
      if (name !== '' && name !== before[field] && name !== basis[field] && !fieldNames.has(name))
        throw rejected('This question was removed. Choose another one.', {
          [`links.${field}`]: 'Choose another question.',
        })
    const own = { ...before, ...Object.fromEntries(sent) }
    const edit = editBy(tx, call, `form_pdf ${pdf.id}`)
    const { after, isChanged } = await applyEdit<Record<string, string>>(edit, { basis: body.basis, own, before })
    if (isChanged) {
      const mapping = pdf.mapping.map((link) => ({ ...link, name: after[link.pdf] ?? '' }))
      await changeRow(tx, 'form_pdf', company.id, pdf.id, { mapping: JSON.stringify(mapping) })
      await call.audit(tx, {
        action: 'form_type.changed',
        subject: { kind: 'form_type', id: body.typeId },
        detail: { title: type.title, before, after },
      })
    }
    return { success: true as const, message: 'Field mapping saved.' }
  }),
)

const removeCall = implement(removeFormPdf, (call) =>
  call.inCompany(async (tx) => {
    const { typeId } = call.body
    const { title } = await readType(tx, call.company.id, typeId, true)
    const { numUpdatedRows } = await retire(tx, call, typeId)
    if (Number(numUpdatedRows) === 0) throw unknownPdf()
    await call.audit(tx, {
      action: 'form_type.changed',
      subject: { kind: 'form_type', id: typeId },
      detail: { title, pdf: '' },
    })
    return { success: true as const, message: say`“${title}” no longer has a PDF. Earlier submissions keep their PDF.` }
  }),
)

const unknownPdf = () => notFound('This form has no PDF.')

const currentFile = (call: Call, typeId: number) =>
  call.reading(async (tx) => {
    const pdf = await currentPdf(tx, call.company.id, typeId)
    if (!pdf) throw unknownPdf()
    return { pdf, file: await fileOf(tx, call.company.id, pdf) }
  })

const downloadCall = implement(downloadFormPdf, async (call) => {
  const { pdf, file } = await currentFile(call, call.body.typeId)
  if (call.body.which === 'original' || pdf.kind === 'flat') return downloadOf(call.context, file)
  const names = pdf.mapping.map((link) => link.pdf)
  const filled = await samplePdfForm(laneOf(call), await contentOf(call.context, file), names)
  return { name: file.name, contentType: PDF, stream: Readable.from([filled]) }
})

const residentCall = fileCall(residentFormPdf, async (call) => {
  const type = await call.reading((tx) => findOffered(tx, call.company, call.body.slug, todayOf(call)))
  return (await currentFile(call, type.id)).file
})

export const pdfCalls = [
  ...partCalls(formPdfFiles),
  addCall,
  takeCall,
  showCall,
  saveLinksCall,
  removeCall,
  downloadCall,
  residentCall,
]
