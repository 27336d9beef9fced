/**
 * A form's own PDF. Either its fields become questions and the portal fills them in from the answers, or residents
 * download the PDF and upload the completed file.
 */
import * as z from 'zod/mini'
import { done } from '../../shared/responses.ts'
import { defineAttachments } from '../../shared/attachments.ts'
import { basis, companyId, rowId, rowIdBesideFile } from '../../shared/body-parts.ts'
import { type Access, downloadCall, endpoint, formCall } from '../../shared/endpoint.ts'
import { PDF } from '../../shared/file-types.ts'
import { viewAccess } from './list.ts'
import { pdfKinds } from './rules.ts'

const builds: Access = { audience: 'municipality', privilege: ['forms', 'create'] }
const ofType = z.object({ companyId, typeId: rowId })

export const formPdfFiles = defineAttachments({
  kind: 'form_pdf',
  subject: 'form_pdf',
  accepts: [PDF],
  maxBytes: 25 * 1024 * 1024,
  maxFiles: 1,
  withoutScripts: true,
  // Residents can download the PDF immediately, so the virus scan can't wait.
  needsImmediateScan: true,
  unsupportedType: 'Upload a PDF.',
  unnamed: 'form',
  access: builds,
})

const proof = z.object({
  /** Number of PDF fields that the check filled in with sample values. */
  of: z.int(),
  /** For each of two PDF programs, the number of these fields that the program shows. */
  rendered: z.array(z.object({ by: z.string(), count: z.int() })),
  /** Labels of the fields that one of the programs does not show. */
  unseen: z.array(z.string()),
})

export const showFormPdf = endpoint({
  path: 'muni/return/form/pdf',
  summary: "Returns a form's PDF with its field links and render check",
  access: viewAccess,
  body: ofType,
  response: z.object({
    pdf: z.nullable(
      z.object({
        kind: z.enum(pdfKinds),
        fileName: z.string(),
        bytes: z.number(),
        addedAt: z.string(),
        addedBy: z.string(),
        /** Number of PDF fields that receive an answer. `empty` lists the fields without an answer. */
        filled: z.int(),
        empty: z.array(z.string()),
        /** Fields of the PDF, each with the name of its question. The name is empty if the field has no question. */
        links: z.array(z.object({ pdf: z.string(), label: z.string(), name: z.string() })),
        leftOut: z.array(z.string()),
        proof: z.nullable(proof),
      }),
    ),
    /** Questions with answers that can be written into the PDF's fields. */
    questions: z.array(z.object({ name: z.string(), label: z.string() })),
    /** File of the form template that this form came from. Empty if the form has no template. */
    libraryFile: z.string(),
    can: z.object({ edit: z.boolean() }),
  }),
})

/**
 * Use of the PDF's fields. `form` turns them into a draft of the form's questions. `match` fills them in from the
 * existing questions.
 */
const fieldsTo = z.enum(['form', 'match'], 'Choose how the PDF fields are used.')
const added = z.extend(done, { kind: z.enum(pdfKinds), linkedCount: z.int() })

export const addFormPdf = endpoint({
  path: 'muni/add/form/pdf',
  summary: "Uploads a form's PDF and checks it with sample answers",
  access: builds,
  files: formPdfFiles,
  body: z.object({ companyId, typeId: rowIdBesideFile('Select a form.'), fieldsTo }),
  response: added,
})

export const importLibraryPdf = formCall({
  path: 'muni/import/form/pdf',
  summary: "Copies the form template's file as the PDF of a form",
  access: builds,
  body: z.extend(ofType, { fieldsTo }),
  response: added,
})

export const saveFormPdfLinks = formCall({
  path: 'muni/save/form/pdf/links',
  summary: 'Saves the links between PDF fields and form questions',
  access: builds,
  body: z.extend(ofType, {
    /** Question names by PDF field name. The name is empty if the PDF field stays empty. */
    links: z.record(z.string().check(z.maxLength(500)), z.string().check(z.maxLength(40))),
    basis,
  }),
})

export const removeFormPdf = formCall({
  path: 'muni/remove/form/pdf',
  summary: 'Removes the PDF of a form',
  access: builds,
  body: ofType,
})

export const downloadFormPdf = downloadCall({
  path: 'muni/download/form/pdf',
  summary: "Downloads a form's PDF as original or with sample answers",
  access: viewAccess,
  body: z.extend(ofType, { which: z.enum(['original', 'sample']) }),
})

export const residentFormPdf = downloadCall({
  path: 'download/form/pdf',
  summary: 'Downloads the original PDF of a form for residents',
  access: { audience: 'citizen' },
  body: z.object({ slug: z.string().check(z.regex(/^[a-z0-9-]{1,100}$/, 'This form does not exist.')) }),
})
