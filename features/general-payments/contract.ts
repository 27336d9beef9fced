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

const may = (permission: Permission): Access => ({ audience: staff, privilege: ['general_payments', permission] })
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
  summary: 'Returns the payment types and other payment pages for residents',
  access: { audience: 'citizen' },
  body: z.object({}),
  response: z.object({
    types: z.array(offered),
    /** Screens on which payers find other bills, such as utility bills and parking tickets. */
    paths: z.array(z.object({ path: z.string(), title: z.string(), note: z.string() })),
  }),
})

export const payableType = endpoint({
  path: 'return/general/payment/type',
  whenOff: 'finish',
  summary: 'Returns a payment type with its fields for the payer',
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
  inPreview: 'find',
  summary: "Opens a checkout for the payer's answers or adds to `cart`",
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
  inPreview: 'find',
  whenOff: 'finish',
  summary: 'Finds an open item and opens a checkout or adds to `cart`',
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
  inPreview: true,
  summary: 'Uploads a file for the answers of a general payment',
  access: { audience: 'public' },
  files: chargeFiles,
  body: z.object({}),
  response: uploadedFile,
})

// API calls for staff.

export const showPaymentType = endpoint({
  path: 'muni/return/general/payment/type',
  summary: 'Returns a payment type with its fields, stock and open items',
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
  summary: 'Creates a draft payment type',
  access: may('create'),
  body: z.object({ companyId, form: typeForm }),
  response: z.extend(done, { typeId: z.number() }),
})

export const savePaymentType = formCall({
  path: 'muni/save/general/payment/type',
  summary: 'Saves the settings of a payment type',
  access: may('update'),
  body: z.extend(ofType, { form: typeForm, basis }),
})

export const changePaymentType = formCall({
  path: 'muni/change/general/payment/type/status',
  summary: 'Opens or closes a payment type',
  access: may('update'),
  body: z.extend(ofType, { event: paymentTypeStates.button }),
})

export const savePaymentFields = formCall({
  path: 'muni/save/general/payment/fields',
  summary: 'Saves the draft fields of a payment type',
  access: may('update'),
  body: z.extend(ofType, { definition, basis: z.optional(definition) }),
  response: z.extend(done, { definition }),
})

export const publishPaymentFields = formCall({
  path: 'muni/publish/general/payment/fields',
  summary: 'Publishes the draft fields of a payment type as a version',
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
  summary: 'Adds stock numbers to a payment type',
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
  summary: 'Imports open items from a CSV or XLSX file or previews the import',
  access: may('update'),
  files: itemFiles,
  body: z.extend(ofType, {
    mode: importFields.mode,
    columns: importFields.columns,
    digest: importFields.digest,
  }),
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
  summary: 'Creates a payment link from staff answers and optionally emails it',
  access: may('update'),
  idempotent: 'offered',
  whileImpersonating: 'refused',
  body: z.extend(ofType, { answers: raw, email: emailOrNone }),
  response: link,
})

export const sendPaymentLink = endpoint({
  path: 'muni/send/general/payment/link',
  summary: 'Creates a new link for an unpaid charge and optionally emails it',
  access: may('update'),
  idempotent: 'offered',
  whileImpersonating: 'refused',
  body: z.object({ companyId, chargeId: rowId, email: emailOrNone }),
  response: link,
})

/**
 * Returns the titles of payment types for the list filter. Staff who may view payments need the titles even without
 * access to payment types.
 */
export const paymentTitles = endpoint({
  path: 'muni/return/general/payment/titles',
  whenOff: 'finish',
  summary: "Returns the titles of the company's payment types",
  access: seesPayments,
  body: z.object({ companyId }),
  response: z.object({ types: z.array(z.object({ id: z.number(), title: z.string() })) }),
})

export const downloadChargeFile = downloadCall({
  path: 'muni/download/general/payment/file',
  whenOff: 'finish',
  summary: 'Downloads a file of a general payment',
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
  whenOff: 'finish',
  summary: 'Returns a general payment with its answers and received payments',
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
