import { copyCall } from '../../shared/copies.ts'
import * as z from 'zod/mini'
import { done } from '../../shared/responses.ts'
import { defineAttachments, uploadedFile } from '../../shared/attachments.ts'
import { basis, companyId, rowId } from '../../shared/body-parts.ts'
import { caseCalls, caseView, mailedToken, ofCase } from '../../shared/cases.ts'
import { emailOrNone } from '../../shared/email.ts'
import { type Access, downloadCall, endpoint, formCall } from '../../shared/endpoint.ts'
import type { Definition } from '../../shared/fields/definition.ts'
import { signatureShape } from '../../shared/fields/signature-shape.ts'
import { JPEG, PDF, PNG } from '../../shared/file-types.ts'
import { stepReason } from '../../shared/machine.ts'
import { cents } from '../../shared/money.ts'
import { intoCart } from '../payments/contract.ts'
import { viewAccess, viewSubmissions } from './list.ts'
import { type TemplateSettings, type Category, categories, pdfKinds, type TypeForm, typeForm } from './rules.ts'
import { formTypeStates, submissionStates } from './states.ts'
import { cleaned } from '../../shared/typed.ts'

const builds: Access = { audience: 'municipality', privilege: ['forms', 'create'] }
const enters: Access = { audience: 'municipality', privilege: ['submissions', 'update'] }
const reviews: Access = { audience: 'municipality', privilege: ['submissions', 'update'] }
const resident: Access = { audience: 'citizen' }
const everybody: Access = { audience: 'public' }

/** The server validates the definition in `server/fields`. Residents' browsers do not load that schema. */
const definition = z.unknown() as unknown as z.ZodMiniType<Definition>
const templateSettings = z.unknown() as unknown as z.ZodMiniType<TemplateSettings>
const raw = z.record(z.string(), z.unknown())

/** Case of a submission: its timeline and assignees. */
export const submissionCase = caseCalls({
  kind: 'submission',
  audience: 'municipality',
  path: 'form/submission',
  about: 'form/submissions',
  noun: 'form submission',
  rights: {
    read: ['submissions', 'view'],
    write: ['submissions', 'update'],
    assign: ['submissions', 'update'],
  },
})

// Calls for residents.

const slug = z.string().check(z.regex(/^[a-z0-9-]{1,100}$/, 'This form does not exist.'))
const offered = z.object({
  slug: z.string(),
  title: z.string(),
  category: z.enum(Object.keys(categories) as [Category]),
  description: z.string(),
  /** Null if the form has no fee. 0 if the answers determine the fee. */
  feeCents: z.nullable(cents),
  /** Range of the fee. Null if the answers do not change it. */
  feeRange: z.nullable(z.object({ minCents: cents, maxCents: z.nullable(cents) })),
  closesOn: z.string(),
  /** Name of the issued document, for example 'Dog license'. */
  issues: z.string(),
})
const ownSubmission = z.object({
  id: z.number(),
  number: z.string(),
  title: z.string(),
  /** Name of the applicant, if the sender is another person. */
  applicant: z.string(),
  at: z.string(),
  status: submissionStates.state,
  /** True if the submission is complete and awaits the co-signer's signature. */
  waitsForSigner: z.boolean(),
  isNew: z.boolean(),
})
export const MAX_OWN = 200

export const residentForms = endpoint({
  path: 'return/forms',
  summary: "Returns the available forms with the caller's drafts and submissions",
  access: resident,
  body: z.object({}),
  response: z.object({ forms: z.array(offered), own: z.array(ownSubmission), more: z.boolean() }),
})

export const residentForm = endpoint({
  path: 'return/form',
  summary: "Returns a form with its steps and the caller's drafts",
  access: resident,
  body: z.object({ slug }),
  response: z.object({
    ...offered.shape,
    steps: z.array(z.string()),
    cosigned: z.boolean(),
    /** The form's own PDF, for download. */
    pdf: z.nullable(z.object({ kind: z.enum(pdfKinds), name: z.string(), bytes: z.number() })),
    /** The person's unsent drafts. */
    started: z.array(z.object({ id: z.number(), number: z.string(), savedAt: z.string(), applicant: z.string() })),
  }),
})

export const personName = z
  .string()
  .check(z.trim(), z.minLength(1, 'Enter a name.'), z.maxLength(120, 'Use up to 120 characters.'))

export const forSomebodyForm = z.object({ name: personName, email: emailOrNone })

export const startForm = endpoint({
  path: 'start/form',
  inPreview: true,
  summary: 'Creates a submission draft for the caller or another applicant',
  access: resident,
  idempotent: 'offered',
  body: z.object({ slug, applicant: z.optional(forSomebodyForm) }),
  response: z.object({ submissionId: z.number() }),
})

const submissionRef = z.object({ submissionId: rowId })

/** Returns the draft's current values, including those entered on other devices. */
export const formDraft = endpoint({
  path: 'return/form/draft',
  summary: 'Returns a submission draft with its saved answers',
  access: resident,
  body: submissionRef,
  response: z.object({
    id: z.number(),
    number: z.string(),
    slug: z.string(),
    title: z.string(),
    description: z.string(),
    status: submissionStates.state,
    definition,
    version: z.int(),
    raw,
    /** Changes in newer versions of the form since the draft was started. */
    changes: z.array(z.string()),
    today: z.string(),
    fee: z.object({ kind: z.enum(['none', 'fixed', 'computed']), cents: z.nullable(cents) }),
    /** Staff's request for information, or their reason for a rejection. */
    requestedInfo: z.string(),
    contact: z.object({ name: z.string(), email: z.string(), phone: z.string() }),
    applicant: z.string(),
    cosigned: z.boolean(),
    signer: z.object({ name: z.string(), email: z.string() }),
    /** Null if the draft was never saved. */
    savedAt: z.nullable(z.string()),
  }),
})

export const saveFormDraft = endpoint({
  path: 'save/form/draft',
  inPreview: true,
  summary: 'Saves the answers of a submission draft without validation',
  access: resident,
  /**
   * `before` contains the values that this device last sent or received. The server compares them with the stored
   * values, to detect and keep changes from other devices.
   */
  body: z.extend(submissionRef, { version: z.int(), raw, before: z.optional(raw) }),
  /** `others`: labels of the fields that another device changed. */
  response: z.object({ savedAt: z.string(), others: z.array(z.string()) }),
})

export const seeFormChanges = endpoint({
  path: 'see/form/changes',
  inPreview: true,
  summary: "Confirms that the resident has seen the form's changes",
  access: resident,
  body: submissionRef,
  response: z.object({ success: z.literal(true) }),
})

const contact = z.object({
  name: personName,
  email: emailOrNone,
  phone: z.string().check(cleaned(), z.maxLength(20, 'Enter a phone number.')),
})
const NO_SIGNER = 'Enter the name and email of the second signer.'
export const signerForm = z.object({
  name: z.string().check(z.trim(), z.maxLength(120, NO_SIGNER)),
  email: emailOrNone,
})

/** Data sent with a form: the answers, the sender's contact data and the co-signer. */
const sent = { version: z.int(), answers: raw, contact, signer: signerForm }

export const sendForm = endpoint({
  path: 'send/form',
  inPreview: 'form',
  summary: 'Submits or resubmits a form and emails a copy',
  access: resident,
  whileImpersonating: 'refused',
  idempotent: true,
  body: z.extend(submissionRef, sent),
  response: z.extend(done, {
    number: z.string(),
    /** Token of the submission's page. */
    token: z.string(),
    next: z.enum(['pay', 'sign', 'review']),
  }),
})

export const discardForm = formCall({
  path: 'discard/form/draft',
  inPreview: true,
  summary: 'Discards an unsent submission draft',
  access: resident,
  body: submissionRef,
})

export const openMySubmission = endpoint({
  path: 'open/form/submission',
  inPreview: true,
  whenOff: 'finish',
  summary: "Returns a page token for one of the caller's submissions",
  access: resident,
  body: submissionRef,
  response: z.object({ token: z.string() }),
})

const answerView = z.object({ name: z.string(), label: z.string(), value: z.string() })

export const submissionByLink = endpoint({
  path: 'return/form/submission/by/link',
  whenOff: 'finish',
  summary: 'Returns a submission by emailed link',
  access: everybody,
  body: z.object({ token: mailedToken }),
  response: z.object({
    id: z.number(),
    number: z.string(),
    title: z.string(),
    status: submissionStates.state,
    sentAt: z.nullable(z.string()),
    applicant: z.string(),
    enteredBy: z.string(),
    answers: z.array(answerView),
    feeCents: cents,
    paidCents: z.number(),
    /** Staff's request for information, or their reason for a rejection or revocation. */
    requestedInfo: z.string(),
    signer: z.object({ name: z.string(), signedAt: z.nullable(z.string()) }),
    can: z.object({ withdraw: z.boolean(), pay: z.boolean(), change: z.boolean() }),
  }),
})

export const withdrawForm = formCall({
  path: 'withdraw/form',
  whenOff: 'finish',
  summary: 'Withdraws a submission by emailed link',
  access: everybody,
  whileImpersonating: 'refused',
  body: z.object({ token: mailedToken }),
})

export const payForm = endpoint({
  path: 'pay/form',
  inPreview: true,
  whenOff: 'finish',
  summary: 'Opens a checkout for a submission fee or adds it to `cart`',
  access: everybody,
  whileImpersonating: 'refused',
  idempotent: 'offered',
  body: z.object({ token: mailedToken, cart: intoCart }),
  response: z.object({ token: z.string() }),
})

export const toSign = endpoint({
  path: 'return/form/to/sign',
  whenOff: 'finish',
  summary: 'Returns a submission for its second signer by emailed link',
  access: everybody,
  body: z.object({ token: mailedToken }),
  response: z.object({
    number: z.string(),
    title: z.string(),
    from: z.string(),
    signer: z.string(),
    signed: z.boolean(),
    answers: z.array(answerView),
  }),
})

export const signatureForm = z.object({
  signature: signatureShape,
  agreed: z.literal(true, { error: 'Check this box to sign.' }),
})
export const signForm = formCall({
  path: 'sign/form',
  whenOff: 'finish',
  summary: 'Signs a submission as its second signer',
  access: everybody,
  whileImpersonating: 'refused',
  body: z.extend(signatureForm, { token: mailedToken }),
})

/** Files attached to a submission. */
export const answerFiles = defineAttachments({
  kind: 'form_answer',
  subject: 'form_submission',
  accepts: [PDF, JPEG, PNG],
  maxBytes: 25 * 1024 * 1024,
  maxFiles: 200,
  unsupportedType: 'Upload a PDF, a JPEG or a PNG.',
  unnamed: 'file',
  access: resident,
})

export const attachAnswerFile = endpoint({
  path: 'attach/form/file',
  inPreview: true,
  summary: 'Uploads a file for the answers of a form',
  access: resident,
  files: answerFiles,
  body: z.object({}),
  response: uploadedFile,
})

// Calls for staff.

const typeId = rowId
const ofType = z.object({ companyId, typeId })

export const showFormType = endpoint({
  path: 'muni/return/form/type',
  summary: 'Returns a form of the company with its fields',
  access: viewAccess,
  body: ofType,
  response: z.object({
    id: z.number(),
    form: z.unknown() as unknown as z.ZodMiniType<TypeForm>,
    status: formTypeStates.state,
    url: z.string(),
    draft: definition,
    latestVersion: z.int(),
    published: definition,
    pending: z.int(),
    sent: z.int(),
    department: z.string(),
    reviewer: z.string(),
    today: z.string(),
    can: z.record(z.string(), z.boolean()),
  }),
})

/** Returns the possible owners of a form, and the form templates assigned to the company. */
export const formTypeChoices = endpoint({
  path: 'muni/return/form/type/choices',
  summary: 'Returns the departments, people, forms and form templates for the editor',
  access: viewSubmissions,
  body: z.object({ companyId }),
  response: z.object({
    departments: z.array(z.object({ id: z.number(), name: z.string() })),
    people: z.array(z.object({ id: z.number(), name: z.string() })),
    library: z.array(
      z.object({
        id: z.number(),
        title: z.string(),
        description: z.string(),
        /** Questions and settings that a new form starts with. Null if the form template has none. */
        content: z.nullable(z.object({ definition, settings: templateSettings })),
      }),
    ),
    types: z.array(z.object({ id: z.number(), title: z.string() })),
  }),
})

export const createFormType = formCall({
  path: 'muni/create/form/type',
  summary: 'Creates a draft form, optionally from a form template',
  access: builds,
  body: z.object({ companyId, form: typeForm, templateId: z._default(z.nullable(rowId), null) }),
  response: z.extend(done, { typeId: z.number() }),
})

export const saveFormType = formCall({
  path: 'muni/save/form/type',
  summary: 'Saves the settings of a form',
  access: builds,
  body: z.extend(ofType, { form: typeForm, basis }),
})

export const copyFormType = copyCall('muni/copy/form/type', 'Copies a form as a draft', builds)

export const changeFormType = formCall({
  path: 'muni/change/form/type/status',
  summary: 'Publishes or closes a form',
  access: builds,
  body: z.extend(ofType, { event: formTypeStates.button }),
})

/** Returns a form for entry at the counter: the current questions and the fee. */
export const counterForm = endpoint({
  path: 'muni/return/form/at/counter',
  summary: 'Returns a published form for entry at the counter',
  access: enters,
  body: ofType,
  response: z.object({
    title: z.string(),
    description: z.string(),
    definition,
    version: z.int(),
    today: z.string(),
    fee: z.object({ kind: z.enum(['none', 'fixed', 'computed']), cents: z.nullable(cents) }),
    cosigned: z.boolean(),
  }),
})

export const enterForm = endpoint({
  path: 'muni/enter/form',
  summary: 'Submits a form that staff entered at the counter',
  access: enters,
  idempotent: true,
  body: z.extend(ofType, sent),
  response: z.extend(done, { submissionId: z.number(), number: z.string(), next: z.enum(['pay', 'sign', 'review']) }),
})

/** Uploads a file that belongs to the answers of a form entered at the counter. */
export const enterAnswerFile = endpoint({
  path: 'muni/attach/form/file',
  summary: 'Uploads a file for a form that staff enter',
  access: enters,
  files: answerFiles,
  body: z.object({ companyId }),
  response: uploadedFile,
})

export const saveFormFields = formCall({
  path: 'muni/save/form/fields',
  summary: 'Saves the draft fields of a form',
  access: builds,
  body: z.extend(ofType, { definition, basis: z.optional(definition) }),
  response: z.extend(done, { definition }),
})

export const publishFormFields = formCall({
  path: 'muni/publish/form/fields',
  summary: 'Publishes the draft fields of a form as a new version',
  access: builds,
  /** `definition` is the version that the publisher reviewed. */
  body: z.extend(ofType, { definition }),
  response: z.extend(done, { version: z.int() }),
})

/** Signature of the co-signer. `typed` is the typed name, or empty if the co-signer drew the signature. */
const signedHow = z.nullable(z.object({ typed: z.string() }))

const difference = z.object({ label: z.string(), before: z.string(), after: z.string() })

export const staffSubmission = endpoint({
  path: 'muni/return/form/submission',
  summary: 'Returns a submission with its answers, changes and messages',
  access: viewSubmissions,
  personal: true,
  body: ofCase,
  response: z.extend(caseView, {
    submission: z.object({
      id: z.number(),
      number: z.string(),
      typeId: z.number(),
      title: z.string(),
      status: submissionStates.state,
      name: z.string(),
      email: z.string(),
      phone: z.string(),
      enteredBy: z.string(),
      personId: z.nullable(z.number()),
      isImported: z.boolean(),
      sentAt: z.nullable(z.string()),
      decidedAt: z.nullable(z.string()),
      decidedBy: z.string(),
      version: z.int(),
      answers: z.array(answerView),
      files: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          bytes: z.number(),
          state: z.enum(['waiting', 'clean', 'refused']),
        }),
      ),
      /** Changes in each resubmission, newest first. */
      rounds: z.array(z.object({ no: z.int(), at: z.string(), by: z.string(), changes: z.array(difference) })),
      feeCents: cents,
      paidCents: z.number(),
      /** Payments that include the submission's fee. */
      payments: z.array(z.object({ paymentId: z.number(), cents: z.int() })),
      signer: z.object({ name: z.string(), email: z.string(), signedAt: z.nullable(z.string()), evidence: signedHow }),
      issues: z.string(),
    }),
    can: z.extend(caseView.shape.can, { steps: z.record(submissionStates.button, z.boolean()) }),
  }),
})

/**
 * Changes the status of a submission (product rules, section 6). The sender gets an email with the reason for each
 * change.
 */
export const changeSubmission = formCall({
  path: 'muni/change/form/submission/status',
  summary: 'Changes the status of a submission',
  access: reviews,
  body: z.extend(ofCase, { event: submissionStates.button, reason: z.optional(stepReason) }),
})

/** Changes the status of several submissions. A failed change is reported and does not stop the remaining changes. */
export const changeSubmissions = formCall({
  path: 'muni/change/form/submissions/status',
  summary: 'Changes the status of several submissions',
  access: reviews,
  body: z.object({
    companyId,
    ids: z.array(rowId).check(z.minLength(1), z.maxLength(200)),
    event: z.enum(['approve', 'reject', 'request_info']),
    reason: z.optional(stepReason),
  }),
  response: z.extend(done, {
    changed: z.int(),
    refused: z.array(z.object({ number: z.string(), message: z.string() })),
  }),
})

export const downloadAnswerFile = downloadCall({
  path: 'muni/download/form/file',
  summary: 'Downloads a file of a submission',
  access: viewSubmissions,
  personal: true,
  body: z.object({
    companyId,
    subjectId: rowId,
    fileId: z.string().check(z.regex(/^[0-9a-f-]{36}$/, 'Select a file.')),
  }),
})
