import * as z from 'zod/mini'
import { done } from '../../shared/answers.ts'
import { defineAttachments, fileTaken } from '../../shared/attachments.ts'
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
import { looks } from './list.ts'
import { type Category, categories, pdfKinds, type TypeForm, typeForm } from './rules.ts'
import { formTypeStates, submissionStates } from './states.ts'
import { cleaned } from '../../shared/typed.ts'

const builds: Access = { audience: 'municipality', privilege: ['manage_others_forms', 'create'] }
const enters: Access = { audience: 'municipality', privilege: ['manage_others_forms', 'update'] }
const reviews: Access = { audience: 'municipality', privilege: ['manage_others_forms', 'update'] }
const resident: Access = { audience: 'citizen' }
const everybody: Access = { audience: 'public' }

/** What `server/fields` reads by its own schema, which is no part of what a resident's browser loads. */
const definition = z.unknown() as unknown as z.ZodMiniType<Definition>
const raw = z.record(z.string(), z.unknown())

/** The conversation around a submission, and who works on it. */
export const submissionCase = caseCalls({
  kind: 'submission',
  desk: 'municipality',
  path: 'form/submission',
  about: 'form/submissions',
  noun: 'submission of a form',
  rights: {
    read: ['manage_others_forms', 'view'],
    write: ['manage_others_forms', 'update'],
    assign: ['manage_others_forms', 'update'],
  },
})

// For residents.

const slug = z.string().check(z.regex(/^[a-z0-9-]{1,100}$/, 'This form is not known.'))
const offered = z.object({
  slug: z.string(),
  title: z.string(),
  category: z.enum(Object.keys(categories) as [Category]),
  description: z.string(),
  /** Null: no fee; 0: by the answers. */
  feeCents: z.nullable(cents),
  /** What the answers can make the fee; null if they do not decide. */
  feeRange: z.nullable(z.object({ leastCents: cents, mostCents: z.nullable(cents) })),
  closesOn: z.string(),
  /** What comes of an approval: 'Dog license'. */
  issues: z.string(),
})
const mine = z.object({
  id: z.number(),
  number: z.string(),
  title: z.string(),
  /** Whom it is for, where that is somebody else. */
  forWhom: z.string(),
  at: z.string(),
  status: submissionStates.state,
  /** It was filled in, and waits for the second person's signature. */
  waitsForSigner: z.boolean(),
  isNew: z.boolean(),
})
export const MAX_OWN = 200

export const residentForms = endpoint({
  path: 'return/forms',
  summary: 'The forms that a resident can fill in, and what they began and sent',
  access: resident,
  body: z.object({}),
  answer: z.object({ forms: z.array(offered), mine: z.array(mine), more: z.boolean() }),
})

export const residentForm = endpoint({
  path: 'return/form',
  summary: 'One form, before somebody begins it',
  access: resident,
  body: z.object({ slug }),
  answer: z.object({
    ...offered.shape,
    steps: z.array(z.string()),
    cosigned: z.boolean(),
    /** Its own PDF, as a file to be had. */
    pdf: z.nullable(z.object({ kind: z.enum(pdfKinds), name: z.string(), bytes: z.number() })),
    /** Drafts of theirs that are not sent yet. */
    begun: z.array(z.object({ id: z.number(), number: z.string(), savedAt: z.string(), forWhom: z.string() })),
  }),
})

const personName = z
  .string()
  .check(z.trim(), z.minLength(1, 'Enter a name.'), z.maxLength(120, 'Use at most 120 characters.'))

export const forSomebodyForm = z.object({ name: personName, email: emailOrNone })

export const beginForm = endpoint({
  path: 'begin/form',
  summary: 'Begins to fill in a form, for oneself or (`forWhom`) for somebody else',
  access: resident,
  idempotent: 'offered',
  body: z.object({ slug, forWhom: z.optional(forSomebodyForm) }),
  answer: z.object({ submissionId: z.number() }),
})

const ofMine = z.object({ submissionId: rowId })

/** What stands in the inputs by now, on whichever device it was typed. */
export const formDraft = endpoint({
  path: 'return/form/draft',
  summary: 'A form that a resident began, or may change and send again, with what they typed',
  access: resident,
  body: ofMine,
  answer: z.object({
    id: z.number(),
    number: z.string(),
    slug: z.string(),
    title: z.string(),
    description: z.string(),
    status: submissionStates.state,
    definition,
    version: z.int(),
    raw,
    /** What newer versions changed since it was begun. */
    changes: z.array(z.string()),
    today: z.string(),
    fee: z.object({ kind: z.enum(['none', 'fixed', 'computed']), cents: z.nullable(cents) }),
    /** What staff asked, or why they rejected it. */
    asked: z.string(),
    contact: z.object({ name: z.string(), email: z.string(), phone: z.string() }),
    forWhom: z.string(),
    cosigned: z.boolean(),
    signer: z.object({ name: z.string(), email: z.string() }),
    /** Null where it was never saved. */
    savedAt: z.nullable(z.string()),
  }),
})

export const keepFormDraft = endpoint({
  path: 'keep/form/draft',
  summary: 'Keeps what somebody has typed into a form by now, right or wrong',
  access: resident,
  /** `before`: what this device sent or was given before, so that what another one changed since stays. */
  body: z.extend(ofMine, { version: z.int(), raw, before: z.optional(raw) }),
  /** `others`: labels of what another device changed since. */
  answer: z.object({ savedAt: z.string(), others: z.array(z.string()) }),
})

export const seeFormChanges = endpoint({
  path: 'see/form/changes',
  summary: 'Says that a resident has read what changed since they began',
  access: resident,
  body: ofMine,
  answer: z.object({ success: z.literal(true) }),
})

const contact = z.object({
  name: personName,
  email: emailOrNone,
  phone: z.string().check(cleaned(), z.maxLength(20, 'Enter a phone number.')),
})
const NO_SIGNER = 'Enter the name and the email of whoever signs as well.'
export const signerForm = z.object({
  name: z.string().check(z.trim(), z.maxLength(120, NO_SIGNER)),
  email: emailOrNone,
})

/** What is sent with the answers: how whoever sends them is reached, and who signs as well. */
const sent = { version: z.int(), answers: raw, contact, signer: signerForm }

export const sendForm = endpoint({
  path: 'send/form',
  summary: 'Sends a form, or once more what was rejected or asked about; mails a copy',
  access: resident,
  whileImpersonating: 'refused',
  idempotent: true,
  body: z.extend(ofMine, sent),
  answer: z.extend(done, {
    number: z.string(),
    /** Opens the page of the submission. */
    token: z.string(),
    next: z.enum(['pay', 'sign', 'review']),
  }),
})

export const discardForm = formCall({
  path: 'discard/form/draft',
  summary: 'Gives up a form that was begun and not sent',
  access: resident,
  body: ofMine,
})

export const openMySubmission = endpoint({
  path: 'open/form/submission',
  summary: 'A new link to what a resident sent by a form',
  access: resident,
  body: ofMine,
  answer: z.object({ token: z.string() }),
})

const shownAnswer = z.object({ name: z.string(), label: z.string(), value: z.string() })

export const submissionByLink = endpoint({
  path: 'return/form/submission/by/link',
  summary: 'What was sent by a form, behind a mailed link',
  access: everybody,
  body: z.object({ token: mailedToken }),
  answer: z.object({
    id: z.number(),
    number: z.string(),
    title: z.string(),
    status: submissionStates.state,
    sentAt: z.nullable(z.string()),
    forWhom: z.string(),
    helper: z.string(),
    answers: z.array(shownAnswer),
    feeCents: cents,
    paidCents: z.number(),
    /** What staff asked, or why they rejected or revoked it. */
    asked: z.string(),
    signer: z.object({ name: z.string(), signedAt: z.nullable(z.string()) }),
    can: z.object({ withdraw: z.boolean(), pay: z.boolean(), change: z.boolean() }),
  }),
})

export const withdrawForm = formCall({
  path: 'withdraw/form',
  summary: 'Withdraws what was sent by a form',
  access: everybody,
  whileImpersonating: 'refused',
  body: z.object({ token: mailedToken }),
})

export const payForm = endpoint({
  path: 'pay/form',
  summary: 'Opens a checkout for the fee of a submission, or adds it to `cart`',
  access: everybody,
  whileImpersonating: 'refused',
  idempotent: 'offered',
  body: z.object({ token: mailedToken, cart: intoCart }),
  answer: z.object({ token: z.string() }),
})

export const toSign = endpoint({
  path: 'return/form/to/sign',
  summary: 'What a second person is asked to sign, behind their mailed link',
  access: everybody,
  body: z.object({ token: mailedToken }),
  answer: z.object({
    number: z.string(),
    title: z.string(),
    from: z.string(),
    signer: z.string(),
    signed: z.boolean(),
    answers: z.array(shownAnswer),
  }),
})

export const signatureForm = z.object({
  signature: signatureShape,
  agreed: z.literal(true, { error: 'Tick this to sign.' }),
})
export const signForm = formCall({
  path: 'sign/form',
  summary: 'Signs a submission as its second person',
  access: everybody,
  whileImpersonating: 'refused',
  body: z.extend(signatureForm, { token: mailedToken }),
})

/** What people send with their answers. */
export const answerFiles = defineAttachments({
  kind: 'form_answer',
  subject: 'form_submission',
  accepts: [PDF, JPEG, PNG],
  mostBytes: 25 * 1024 * 1024,
  mostFiles: 200,
  wrongType: 'Send a PDF, a JPEG or a PNG.',
  unnamed: 'file',
  access: resident,
})

export const attachAnswerFile = endpoint({
  path: 'attach/form/file',
  summary: 'Sends a file for the answers of a form',
  access: resident,
  files: answerFiles,
  body: z.object({}),
  answer: fileTaken,
})

// For staff.

const typeId = rowId
const ofType = z.object({ companyId, typeId })

export const showFormType = endpoint({
  path: 'muni/return/form/type',
  summary: 'A form of the town with its fields',
  access: looks,
  body: ofType,
  answer: z.object({
    id: z.number(),
    form: z.unknown() as unknown as z.ZodMiniType<TypeForm>,
    status: formTypeStates.state,
    url: z.string(),
    draft: definition,
    latestVersion: z.int(),
    published: definition,
    waiting: z.int(),
    sent: z.int(),
    department: z.string(),
    reviewer: z.string(),
    today: z.string(),
    can: z.record(z.string(), z.boolean()),
  }),
})

/** Whom a form can belong to, and the forms of the library that the town was given. */
export const formTypeChoices = endpoint({
  path: 'muni/return/form/type/choices',
  summary: 'Departments, people and forms of the library for the forms of the town',
  access: looks,
  body: z.object({ companyId }),
  answer: z.object({
    departments: z.array(z.object({ id: z.number(), name: z.string() })),
    people: z.array(z.object({ id: z.number(), name: z.string() })),
    library: z.array(z.object({ id: z.number(), title: z.string(), description: z.string() })),
    types: z.array(z.object({ id: z.number(), title: z.string() })),
  }),
})

export const createFormType = formCall({
  path: 'muni/create/form/type',
  summary: 'Begins a form as a draft, from nothing or from a form of the library (`templateId`)',
  access: builds,
  body: z.object({ companyId, form: typeForm, templateId: z._default(z.nullable(rowId), null) }),
  answer: z.extend(done, { typeId: z.number() }),
})

export const saveFormType = formCall({
  path: 'muni/save/form/type',
  summary: 'Changes what is said of a form; what was sent keeps what it was sent by',
  access: builds,
  body: z.extend(ofType, { form: typeForm, basis }),
})

export const changeFormType = formCall({
  path: 'muni/change/form/type/status',
  summary: 'Publishes a form, or closes it',
  access: builds,
  body: z.extend(ofType, { event: formTypeStates.button }),
})

/** A form as the counter fills it in: what is asked by now, and what it costs. */
export const counterForm = endpoint({
  path: 'muni/return/form/at/counter',
  summary: 'A published form, to be filled in by staff for somebody at the counter',
  access: enters,
  body: ofType,
  answer: z.object({
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
  summary: 'Sends a form that staff filled in for somebody at the counter',
  access: enters,
  idempotent: true,
  body: z.extend(ofType, sent),
  answer: z.extend(done, { submissionId: z.number(), number: z.string(), next: z.enum(['pay', 'sign', 'review']) }),
})

/** What people hand over at the counter, with the answers of the form. */
export const enterAnswerFile = endpoint({
  path: 'muni/attach/form/file',
  summary: 'Sends a file for the answers of a form that staff fill in',
  access: enters,
  files: answerFiles,
  body: z.object({ companyId }),
  answer: fileTaken,
})

export const saveFormFields = formCall({
  path: 'muni/save/form/fields',
  summary: 'Keeps the fields of a form as a draft',
  access: builds,
  body: z.extend(ofType, { definition, basis: z.optional(definition) }),
  answer: z.extend(done, { definition }),
})

export const publishFormFields = formCall({
  path: 'muni/publish/form/fields',
  summary: 'Makes the drafted fields the next version; what was begun keeps its own',
  access: builds,
  /** `definition`: what whoever publishes has looked at. */
  body: z.extend(ofType, { definition }),
  answer: z.extend(done, { version: z.int() }),
})

/** How the second person signed: the name that they typed, or '' where they drew it. */
const signedHow = z.nullable(z.object({ typed: z.string() }))

const difference = z.object({ label: z.string(), before: z.string(), after: z.string() })

export const deskSubmission = endpoint({
  path: 'muni/return/form/submission',
  summary: 'A submission with its answers, what changed since it was sent before, and its conversation',
  access: looks,
  personal: true,
  body: ofCase,
  answer: z.extend(caseView, {
    submission: z.object({
      id: z.number(),
      number: z.string(),
      typeId: z.number(),
      title: z.string(),
      status: submissionStates.state,
      name: z.string(),
      email: z.string(),
      phone: z.string(),
      helper: z.string(),
      personId: z.nullable(z.number()),
      sentAt: z.nullable(z.string()),
      decidedAt: z.nullable(z.string()),
      decidedBy: z.string(),
      version: z.int(),
      answers: z.array(shownAnswer),
      files: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          bytes: z.number(),
          state: z.enum(['waiting', 'clean', 'refused']),
        }),
      ),
      /** What changed each time that it was sent again, the newest first. */
      rounds: z.array(z.object({ no: z.int(), at: z.string(), by: z.string(), changes: z.array(difference) })),
      feeCents: cents,
      paidCents: z.number(),
      /** Payments that hold its fee. */
      payments: z.array(z.object({ paymentId: z.number(), cents: z.int() })),
      signer: z.object({ name: z.string(), email: z.string(), signedAt: z.nullable(z.string()), evidence: signedHow }),
      issues: z.string(),
    }),
    can: z.extend(caseView.shape.can, { steps: z.record(submissionStates.button, z.boolean()) }),
  }),
})

/** Product rules, section 6. Whoever sent it is mailed of each step, with the reason. */
export const changeSubmission = formCall({
  path: 'muni/change/form/submission/status',
  summary: 'Approves a submission, rejects it, asks for more, or revokes it',
  access: reviews,
  body: z.extend(ofCase, { event: submissionStates.button, reason: z.optional(stepReason) }),
})

/** Each one by itself: what can't be done of one is said, and the others are done. */
export const changeSubmissions = formCall({
  path: 'muni/change/form/submissions/status',
  summary: 'The same for several that were chosen',
  access: reviews,
  body: z.object({
    companyId,
    ids: z.array(rowId).check(z.minLength(1), z.maxLength(200)),
    event: z.enum(['approve', 'reject', 'ask']),
    reason: z.optional(stepReason),
  }),
  answer: z.extend(done, {
    changed: z.int(),
    refused: z.array(z.object({ number: z.string(), message: z.string() })),
  }),
})

export const downloadAnswerFile = downloadCall({
  path: 'muni/download/form/file',
  summary: 'A file that came with a submission',
  access: looks,
  personal: true,
  body: z.object({
    companyId,
    subjectId: rowId,
    fileId: z.string().check(z.regex(/^[0-9a-f-]{36}$/, 'Say which file is meant.')),
  }),
})
