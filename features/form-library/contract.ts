import * as z from 'zod/mini'
import { done } from '../../shared/answers.ts'
import { defineAttachments } from '../../shared/attachments.ts'
import { downloadCall, endpoint, formCall } from '../../shared/endpoint.ts'
import { JPEG, PDF, PNG, WORD } from '../../shared/file-types.ts'
import type { Right } from '../../shared/privileges.ts'
import { formFields } from './rules.ts'
import { formStates } from './states.ts'
import { basis } from '../../shared/body-parts.ts'

/** Sub-module 8 of specification 6.3: View, Create, Update, Remove. */
const allow = (right: Right) =>
  ({ access: { audience: 'platform', privilege: ['manage_others_forms', right] }, scope: 'none' }) as const

/** The file of a form. Each replaces the one before, so that the nth of them is the form's version n. */
export const formFiles = defineAttachments({
  kind: 'form',
  subject: 'form',
  accepts: [PDF, WORD, PNG, JPEG],
  mostBytes: 5 * 1024 * 1024,
  mostFiles: 1000,
  wrongType: 'Send a PDF, a Word document (.docx), a PNG or a JPG.',
  unnamed: 'form',
  ...allow('view'),
})

const rowId = z.int().check(z.minimum(1), z.maximum(2_147_483_647))
/** A form's id; beside a file it comes as text. */
const templateId = z.pipe(
  z.union([z.int(), z.string().check(z.regex(/^\d{1,15}$/))], { error: 'Say which form is meant.' }),
  z.transform((value) => Number(value)),
)
const ofTemplate = z.object({ templateId })

export const showForm = endpoint({
  path: 'admin/return/form',
  summary: 'A form of the library with the versions of its file',
  ...allow('view'),
  body: ofTemplate,
  answer: z.object({
    form: z.object({
      id: z.number(),
      title: z.string(),
      description: z.string(),
      category: z.string(),
      status: formStates.state,
      version: z.int(),
      fileName: z.string(),
      contentType: z.string(),
      bytes: z.number(),
      /** How many towns have it. */
      towns: z.int(),
      changedAt: z.string(),
      changedBy: z.string(),
      can: z.record(z.string(), z.boolean()),
    }),
    /** How many companies there are in all. */
    companies: z.int(),
    createdAt: z.string(),
    createdBy: z.string(),
    versions: z.array(
      z.object({
        version: z.int(),
        fileName: z.string(),
        contentType: z.string(),
        bytes: z.number(),
        uploadedAt: z.string(),
        uploadedBy: z.string(),
      }),
    ),
  }),
})

/** The file goes after the fields. 413: more than 5 MB. 415: none of the kinds that are taken, whatever it calls itself. */
export const createForm = endpoint({
  path: 'admin/create/form',
  summary: 'Adds a form to the library',
  ...allow('create'),
  files: formFiles,
  body: formFields,
  answer: z.extend(done, { templateId: z.number() }),
})

export const replaceFormFile = endpoint({
  path: 'admin/replace/form/file',
  summary: 'Gives a form a new version of its file; the older ones stay',
  ...allow('update'),
  files: formFiles,
  body: ofTemplate,
  answer: z.extend(done, { version: z.int() }),
})

export const saveForm = formCall({
  path: 'admin/save/form',
  summary: "Changes a form's title, description and category",
  ...allow('update'),
  /** `basis`: what the form was made from (`shared/edits.ts`). */
  body: z.extend(formFields, { templateId, basis }),
})

export const changeFormStatus = formCall({
  path: 'admin/change/form/status',
  summary: 'Takes a form out of use or back into it; towns that have it keep it',
  ...allow('update'),
  body: z.extend(ofTemplate, { event: formStates.button }),
})

/** 409 for a form that a town has, or ever had. */
export const removeForm = formCall({
  path: 'admin/remove/form',
  summary: 'Removes a form that no town ever had, with its files',
  ...allow('delete'),
  body: ofTemplate,
})

export const downloadForm = downloadCall({
  path: 'admin/download/form',
  summary: "A form's file, of its current version or an older one",
  ...allow('view'),
  body: z.extend(ofTemplate, { version: z.optional(z.int().check(z.minimum(1), z.maximum(100_000))) }),
})

/** A small picture of a file that is a picture, as an address that holds it; null for others, and until it was scanned. */
export const previewForm = endpoint({
  path: 'admin/return/form/preview',
  summary: "A small picture of a form's file",
  ...allow('view'),
  body: downloadForm.body,
  answer: z.object({ preview: z.nullable(z.string()) }),
})

/** More than this no screen puts together. All of them at once have a word of their own. */
const MAX_CHOSEN = 5000

/** What changes is sent, not what should be: two who work at once undo nothing of each other's. */
export const assignForm = formCall({
  path: 'admin/assign/form',
  summary: 'Gives a form to companies and takes it from others, all or nothing',
  ...allow('update'),
  body: z.extend(ofTemplate, {
    add: z._default(z.array(rowId).check(z.maxLength(MAX_CHOSEN)), []),
    remove: z._default(z.array(rowId).check(z.maxLength(MAX_CHOSEN)), []),
    /** Gives it to every company that lacks it. */
    everyone: z._default(z.boolean(), false),
  }),
  answer: z.extend(done, { added: z.int(), removed: z.int() }),
})
