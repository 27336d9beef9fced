import * as z from 'zod/mini'
import { done } from '../../shared/responses.ts'
import { defineAttachments, uploadedFile } from '../../shared/attachments.ts'
import { type Access, downloadCall, endpoint, formCall } from '../../shared/endpoint.ts'
import { JPEG, PDF, PNG } from '../../shared/file-types.ts'
import type { Definition } from '../../shared/fields/definition.ts'
import { defineImportedFiles, importFields, importReport } from '../../shared/imports.ts'
import type { Permission } from '../../shared/privileges.ts'
import { cents } from '../../shared/money.ts'
import { intoCart } from '../payments/contract.ts'
import { seesPayments, staff } from './list.ts'
import { type AmountKind, amountKinds, type Category, categories, type TypeForm, typeForm } from './rules.ts'
import { paymentTypeStates } from './states.ts'
import { basis, companyId, rowId } from '../../shared/body-parts.ts'
import { cleaned } from '../../shared/typed.ts'

const may = (permission: Permission): Access => ({ audience: staff, privilege: ['manage_other_payments', permission] })
/** Requests that upload a file send ids as text, so this schema converts them to numbers. */
const typeId = z.pipe(
  z.union([rowId, z.string().check(z.regex(/^[1-9]\d{0,14}$/))], { error: 'Choose a payment type.' }),
  z.transform(Number),
)
const ofType = z.object({ companyId, typeId })
/** The server validates the definition in `server/fields`. So residents' browsers need not download that schema. */
const definition = z.unknown() as unknown as z.ZodMiniType<Definition>
const raw = z.record(z.string(), z.unknown())

// API calls for payers.

const slug = z.string().check(z.regex(/^[a-z0-9-]{1,100}$/, 'We could not find this payment.'))

const offered = z.object({
  slug: z.string(),
  title: z.string(),
  category: z.enum(Object.keys(categories) as [Category]),
  description: z.string(),
  amountKind: z.enum(Object.keys(amountKinds) as [AmountKind]),
  amountCents: z.nullable(cents),
  /** Range of the price. Null if the answers do not change it. */
  range: z.nullable(z.object({ minCents: cents, maxCents: z.nullable(cents) })),
  dueDate: z.string(),
  closesOn: z.string(),
  /** True if the type issues numbers and none is left. */
  soldOut: z.boolean(),
})
export type OfferedType = z.output<typeof offered>

export const payableTypes = endpoint({
  path: 'return/general/payment/types',
  summary: 'What a resident can pay beside utility bills',
  access: { audience: 'citizen' },
  body: z.object({}),
  response: z.object({
    types: z.array(offered),
    /** Screens that find other bills, such as utility bills and parking tickets. */
    paths: z.array(z.object({ path: z.string(), title: z.string(), note: z.string() })),
  }),
})

export const payableType = endpoint({
  path: 'return/general/payment/type',
  summary: 'One thing that can be paid: what it is, and what has to be filled in',
  access: { audience: 'public' },
  body: z.object({ slug }),
  response: z.object({
    ...offered.shape,
    /** Fields of the payment type, including the questions common to all types. */
    definition,
    version: z.int(),
    today: z.string(),
    prefill: z.record(z.string(), z.unknown()),
    itemLabel: z.string(),
    proof: z.enum(['amount', 'code']),
  }),
})

const NAMED = 'Enter the information from your notice.'
export const startGeneralPayment = endpoint({
  path: 'start/general/payment',
  summary: 'Takes the answers of whoever wants to pay, and opens a checkout for them or adds it to `cart`',
  access: { audience: 'public' },
  whileImpersonating: 'refused',
  idempotent: 'offered',
  body: z.object({ slug, answers: raw, cart: intoCart }),
  response: z.object({ token: z.string() }),
})

export const findItemForm = z.object({
  named: z.string().check(z.trim(), z.minLength(1, NAMED), z.maxLength(120, NAMED)),
  proof: z.string().check(z.trim(), z.minLength(1, NAMED), z.maxLength(40, NAMED)),
})

export const findOpenItem = endpoint({
  path: 'find/general/payment/item',
  summary: 'Finds an open item by its number or its name and a proof, and opens a checkout for it',
  access: { audience: 'public' },
  body: z.extend(findItemForm, { slug, cart: intoCart }),
  response: z.object({ token: z.string() }),
})

/** Files attached to the answers, for example a certificate. They are stored with the payment. */
export const chargeFiles = defineAttachments({
  kind: 'answer',
  subject: 'general_charge',
  accepts: [PDF, JPEG, PNG],
  maxBytes: 25 * 1024 * 1024,
  maxFiles: 100,
  unsupportedType: 'Upload a PDF, a JPEG or a PNG.',
  unnamed: 'file',
  access: { audience: 'public' },
})

/** Uploads a file before the payment. Files that are not part of any answers are deleted after one day. */
export const attachChargeFile = endpoint({
  path: 'attach/general/payment/file',
  summary: 'Sends a file for the answers of a general payment',
  access: { audience: 'public' },
  files: chargeFiles,
  body: z.object({}),
  response: uploadedFile,
})

// API calls for staff.

export const showPaymentType = endpoint({
  path: 'muni/return/general/payment/type',
  summary: 'A type of payment with its fields, what was given out and what is left',
  access: may('view'),
  body: ofType,
  response: z.object({
    id: z.number(),
    form: z.unknown() as unknown as z.ZodMiniType<TypeForm>,
    status: paymentTypeStates.state,
    /** URL of the payment page. */
    url: z.string(),
    draft: definition,
    latestVersion: z.int(),
    /** Published fields, including the questions common to all types. */
    published: definition,
    stock: z.object({ left: z.int(), issued: z.int(), next: z.string() }),
    items: z.object({ open: z.int(), paid: z.int(), owedCents: z.number() }),
    today: z.string(),
    can: z.record(z.string(), z.boolean()),
  }),
})

export const createPaymentType = formCall({
  path: 'muni/create/general/payment/type',
  summary: 'Begins a type of payment as a draft',
  access: may('create'),
  body: z.object({ companyId, form: typeForm }),
  response: z.extend(done, { typeId: z.number() }),
})

export const savePaymentType = formCall({
  path: 'muni/save/general/payment/type',
  summary: 'Changes what is said of a type of payment; what was paid keeps what it was paid for',
  access: may('update'),
  body: z.extend(ofType, { form: typeForm, basis }),
})

export const changePaymentType = formCall({
  path: 'muni/change/general/payment/type/status',
  summary: 'Opens a type of payment, or closes it',
  access: may('update'),
  body: z.extend(ofType, { event: paymentTypeStates.button }),
})

export const savePaymentFields = formCall({
  path: 'muni/save/general/payment/fields',
  summary: 'Keeps the fields of a type of payment as a draft',
  access: may('update'),
  body: z.extend(ofType, { definition, basis: z.optional(definition) }),
  response: z.extend(done, { definition }),
})

export const publishPaymentFields = formCall({
  path: 'muni/publish/general/payment/fields',
  summary: 'Makes the drafted fields the next version',
  access: may('update'),
  /** `definition` is the version that the publisher reviewed. */
  body: z.extend(ofType, { definition }),
  response: z.extend(done, { version: z.int() }),
})

/** Range of numbers to add. `A-0001` with a count of 250 covers A-0001 to A-0250. */
export const stockForm = z.object({
  first: z
    .string()
    .check(cleaned(), z.regex(/^[A-Za-z0-9 -]{0,20}\d{1,9}$/, 'Enter the first number, such as 1001 or A-0001.')),
  count: z
    .int('Enter a quantity.')
    .check(z.minimum(1, 'Enter a quantity.'), z.maximum(10_000, 'You can add up to 10,000 numbers at a time.')),
})

export const addPaymentStock = formCall({
  path: 'muni/add/general/payment/stock',
  summary: 'Adds numbers that are given out with payments',
  access: may('update'),
  body: z.extend(stockForm, { companyId, typeId }),
  response: z.extend(done, { added: z.int() }),
})

export const itemFiles = defineImportedFiles({
  kind: 'open-items',
  subject: 'payment_type',
  maxBytes: 20 * 1024 * 1024,
  unnamed: 'open items',
  access: may('update'),
})

/** Import report with the total of new items and the balance change of updated items, in cents. */
const itemsReport = z.extend(importReport, { createdCents: z.number(), changedCents: z.number() })
export type ItemsReport = z.output<typeof itemsReport>

export const importItems = endpoint({
  path: 'muni/import/general/payment/items',
  summary: 'Takes a list of open items as CSV, or rehearses it: what would change, and which rows are wrong',
  access: may('update'),
  files: itemFiles,
  body: z.extend(ofType, { mode: importFields.mode }),
  response: itemsReport,
})

const emailOrNone = z
  .string()
  .check(
    cleaned(),
    z.maxLength(254, 'Enter an email address, such as name@example.com.'),
    z.regex(/^(?:[^\s@\p{C}]+@[^\s@\p{C}]+\.[^\s@.\p{C}]+)?$/u, 'Enter an email address, such as name@example.com.'),
  )
export const linkForm = z.object({ email: emailOrNone })

const link = z.extend(done, { chargeId: z.number(), number: z.string(), url: z.string(), amountCents: cents })
export type PaymentLink = z.output<typeof link>

export const createPaymentLink = endpoint({
  path: 'muni/create/general/payment/link',
  summary:
    'Fills in a type of payment for somebody: makes the link by which they pay, and mails it where an email is given',
  access: may('update'),
  idempotent: 'offered',
  whileImpersonating: 'refused',
  body: z.extend(ofType, { answers: raw, email: emailOrNone }),
  response: link,
})

export const sendPaymentLink = endpoint({
  path: 'muni/send/general/payment/link',
  summary: 'Makes a new link for what is not paid yet, and mails it where an email is given',
  access: may('update'),
  idempotent: 'offered',
  whileImpersonating: 'refused',
  body: z.object({ companyId, chargeId: rowId, email: emailOrNone }),
  response: link,
})

/** Titles for the list filter. Staff who may view payments need them even without access to payment types. */
export const paymentTitles = endpoint({
  path: 'muni/return/general/payment/titles',
  summary: 'What the types of payment of the town are called',
  access: seesPayments,
  body: z.object({ companyId }),
  response: z.object({ types: z.array(z.object({ id: z.number(), title: z.string() })) }),
})

export const downloadChargeFile = downloadCall({
  path: 'muni/download/general/payment/file',
  summary: 'A file that came with a general payment',
  access: seesPayments,
  personal: true,
  body: z.object({
    companyId,
    chargeId: rowId,
    fileId: z.string().check(z.regex(/^[0-9a-f-]{36}$/, 'Select a file.')),
  }),
})

export const showCharge = endpoint({
  path: 'muni/return/general/payment',
  summary: 'What somebody paid or is to pay: the answers with the version that they were given to, and the payments',
  access: seesPayments,
  personal: true,
  body: z.object({ companyId, chargeId: rowId }),
  response: z.object({
    id: z.number(),
    number: z.string(),
    title: z.string(),
    payer: z.string(),
    email: z.string(),
    address: z.string(),
    status: z.enum(['open', 'part', 'paid', 'returned']),
    amountCents: cents,
    paidCents: z.number(),
    dueDate: z.string(),
    numberLabel: z.string(),
    stockNumber: z.string(),
    madeBy: z.string(),
    createdAt: z.string(),
    today: z.string(),
    definition,
    version: z.int(),
    answers: raw,
    files: z.array(
      z.object({ id: z.string(), name: z.string(), bytes: z.number(), state: z.enum(['waiting', 'clean', 'refused']) }),
    ),
    payments: z.array(z.object({ id: z.number(), receipt: z.string(), at: z.string(), cents: z.number() })),
    can: z.object({ send: z.boolean() }),
  }),
})
