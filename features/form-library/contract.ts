import * as z from 'zod/mini'
import { done } from '../../shared/responses.ts'
import { defineAttachments } from '../../shared/attachments.ts'
import { downloadCall, endpoint, formCall } from '../../shared/endpoint.ts'
import { JPEG, PDF, PNG, WORD } from '../../shared/file-types.ts'
import type { Permission } from '../../shared/privileges.ts'
import { formFields } from './rules.ts'
import { formStates } from './states.ts'
import { basis } from '../../shared/body-parts.ts'

/** Returns the access rule of a call. The permissions are View, Create, Update and Remove (spec 6.3, sub-module 8). */
const allow = (permission: Permission) =>
  ({ access: { audience: 'platform', privilege: ['manage_others_forms', permission] }, scope: 'none' }) as const

/** File of a form template. Each upload replaces the previous one, so the nth file is version n. */
export const formFiles = defineAttachments({
  kind: 'form',
  subject: 'form',
  accepts: [PDF, WORD, PNG, JPEG],
  maxBytes: 5 * 1024 * 1024,
  maxFiles: 1000,
  unsupportedType: 'Upload a PDF, a Word document (.docx), a PNG or a JPG.',
  unnamed: 'form',
  ...allow('view'),
})

const rowId = z.int().check(z.minimum(1), z.maximum(2_147_483_647))
/** Id of a form template. In a request with a file, the id arrives as text. */
const templateId = z.pipe(
  z.union([z.int(), z.string().check(z.regex(/^\d{1,15}$/))], { error: 'Select a form.' }),
  z.transform((value) => Number(value)),
)
const ofTemplate = z.object({ templateId })

export const showForm = endpoint({
  path: 'admin/return/form',
  summary: 'Returns a form template with its file versions',
  ...allow('view'),
  body: ofTemplate,
  response: z.object({
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
      /** Number of companies that have the form. */
      assignedCount: z.int(),
      changedAt: z.string(),
      changedBy: z.string(),
      /** Number of questions of the current version. */
      questions: z.int(),
      /** Form of the starter pack that the questions come from. Empty if the version has no questions. */
      source: z.string(),
      can: z.record(z.string(), z.boolean()),
    }),
    /** Number of all companies. */
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

/**
 * Creates a form template. In the request body, the file comes after the fields. Fails with 413 above 5 MB. Fails with
 * 415 if the content is not an accepted type, regardless of the file name.
 */
export const createForm = endpoint({
  path: 'admin/create/form',
  summary: 'Creates a form template',
  ...allow('create'),
  files: formFiles,
  body: formFields,
  response: z.extend(done, { templateId: z.number() }),
})

export const replaceFormFile = endpoint({
  path: 'admin/replace/form/file',
  summary: 'Uploads a new file version of a form template',
  ...allow('update'),
  files: formFiles,
  body: ofTemplate,
  response: z.extend(done, { version: z.int() }),
})

export const saveForm = formCall({
  path: 'admin/save/form',
  summary: 'Saves the title, description and category of a form template',
  ...allow('update'),
  /** `basis` is the version that the form was loaded from (`shared/edits.ts`). */
  body: z.extend(formFields, { templateId, basis }),
})

/** Lists the forms of the starter pack, which are the sources of questions. */
export const questionSources = endpoint({
  path: 'admin/return/form/question/sources',
  summary: 'Returns the forms that a form template can take its questions from',
  ...allow('view'),
  body: z.object({}),
  response: z.object({ sources: z.array(z.object({ key: z.string(), title: z.string(), questions: z.int() })) }),
})

export const saveFormQuestions = formCall({
  path: 'admin/save/form/questions',
  summary: 'Sets the questions and settings of a form template',
  ...allow('update'),
  body: z.extend(ofTemplate, { source: z.string().check(z.maxLength(40)), basis }),
})

export const changeFormStatus = formCall({
  path: 'admin/change/form/status',
  summary: 'Activates or deactivates a form template',
  ...allow('update'),
  body: z.extend(ofTemplate, { event: formStates.button }),
})

/** Removes a form template. Fails with 409 if any company has or ever had the form. */
export const removeForm = formCall({
  path: 'admin/remove/form',
  summary: 'Removes a form template that no company has ever had',
  ...allow('delete'),
  body: ofTemplate,
})

export const downloadForm = downloadCall({
  path: 'admin/download/form',
  summary: 'Downloads the current or an earlier file of a form template',
  ...allow('view'),
  body: z.extend(ofTemplate, { version: z.optional(z.int().check(z.minimum(1), z.maximum(100_000))) }),
})

/** Returns a thumbnail as a data URL. Null if the file is not an image or not yet scanned. */
export const previewForm = endpoint({
  path: 'admin/return/form/preview',
  summary: "Returns a thumbnail of a form template's file",
  ...allow('view'),
  body: downloadForm.body,
  response: z.object({ preview: z.nullable(z.string()) }),
})

/**
 * Maximum number of companies in one call, more than a screen can select. The selection of all companies uses
 * `everyone`.
 */
const MAX_CHOSEN = 5000

/** The body has only the changes, so that concurrent editors do not undo earlier changes. */
export const assignForm = formCall({
  path: 'admin/assign/form',
  summary: 'Assigns a form template to companies or unassigns it',
  ...allow('update'),
  body: z.extend(ofTemplate, {
    add: z._default(z.array(rowId).check(z.maxLength(MAX_CHOSEN)), []),
    remove: z._default(z.array(rowId).check(z.maxLength(MAX_CHOSEN)), []),
    /** True to assign the form to every company that lacks it. */
    everyone: z._default(z.boolean(), false),
  }),
  response: z.extend(done, { added: z.int(), removed: z.int() }),
})
