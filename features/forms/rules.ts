/** Rules of forms for server and web. */
import * as z from 'zod/mini'
import { line } from '../../shared/body-parts.ts'
import type { Answers } from '../../shared/fields/answer.ts'
import { chargedCents, chargedItems } from '../../shared/fields/answers.ts'
import type { Definition, Field } from '../../shared/fields/definition.ts'
import { allFields } from '../../shared/fields/walk.ts'
import { answerText } from '../../shared/fields/labels.ts'
import { codeOf, dayOrNone } from '../../shared/form-parts.ts'
import { addressOf } from '../../shared/address-of.ts'
import { MAX_CENTS } from '../../shared/money.ts'
import { say } from '../../shared/messages.ts'

/** Numbers of the states of a submission. 0 to 3 come from the specification (4.2). */
export const submissionStatus = {
  paymentRequired: 0,
  pendingReview: 1,
  rejected: 2,
  approved: 3,
  draft: 10,
  moreInfoNeeded: 11,
  withdrawn: 12,
  revoked: 13,
  expired: 14,
} as const
/** States of submissions that were sent but not decided yet. */
export const openSubmissions = [
  submissionStatus.paymentRequired,
  submissionStatus.pendingReview,
  submissionStatus.moreInfoNeeded,
] as const

export const categories = {
  licenses: 'Licenses',
  permits: 'Permits',
  property: 'Property and buildings',
  utilities: 'Utilities',
  events: 'Events and parks',
  records: 'Public records',
  other: 'Other',
} as const
export type Category = keyof typeof categories

export const audiences = {
  residents: 'All signed-in residents',
  link: 'Residents with the link',
  staff: 'Staff only, on behalf of people at the counter',
} as const
export type FormAudience = keyof typeof audiences

export const feeKinds = { none: 'No fee', fixed: 'Fixed amount', computed: 'Computed from the answers' } as const
export type FeeKind = keyof typeof feeKinds

/** Number of ids available for each year. */
const NUMBERS = 10_000_000

/** Returns the id of a submission from its year and its number in that year. The 123rd of 2026 is 20260000123. */
export const idOf = (year: number, no: number): number => year * NUMBERS + no

/** Formats an id for people: `F-2026-000123`. */
export const numberOf = (id: number): string => `F-${Math.floor(id / NUMBERS)}-${String(id % NUMBERS).padStart(6, '0')}`

/** Returns the id in `F-2026-000123`, `f2026-123` or `2026 123`. Null if the text has another format. */
export function idIn(text: string): number | null {
  const [, year, no] = /^f?[\s-]*(\d{4})[\s-]+0*(\d{1,7})$/i.exec(text.trim()) ?? []
  return year === undefined || no === undefined ? null : idOf(Number(year), Number(no))
}

const count = (max: number, message: string) =>
  z.int({ error: message }).check(z.minimum(1, message), z.maximum(max, message))
const NO_AMOUNT = 'Enter an amount, such as 25.00.'
const cents = z.int(NO_AMOUNT).check(z.minimum(0, NO_AMOUNT), z.maximum(MAX_CENTS, 'Enter no more than $9,999,999.99.'))
/** Id from a dropdown list. Empty if nothing is chosen. */
const chosen = z.pipe(
  z.union([z.null(), z.int(), z.string().check(z.regex(/^(?:|[1-9]\d{0,14})$/, 'Choose an option from the list.'))], {
    error: 'Choose an option from the list.',
  }),
  z.transform((value) => (value === null || value === '' ? null : Number(value))),
)

/** Settings of a form that staff enter, other than its fields. */
const typeFields = z.object({
  title: line(120).check(z.minLength(1, 'Enter a title.')),
  category: codeOf(categories, 'Choose a category.'),
  description: z.string().check(z.trim(), z.maxLength(1000, { error: () => say`Use up to ${1000} characters.` })),
  seenBy: codeOf(audiences, 'Choose who has access.'),
  opensOn: dayOrNone,
  closesOn: dayOrNone,
  maxEach: z.nullable(count(1000, 'Enter a number from 1 to 1000, or leave the field empty.')),
  eachDays: count(3660, 'Enter a number of days from 1 to 3660.'),
  /** Names of the fields that count toward the limit on equal answers. */
  limitFields: z
    .array(z.string().check(z.regex(/^[a-z][a-z0-9_]{0,39}$/, 'Choose fields from this form.')))
    .check(z.maxLength(5, { error: () => say`Choose up to ${5} fields.` })),
  maxSame: z.nullable(count(1000, 'Enter a number from 1 to 1000, or leave the field empty.')),
  departmentId: chosen,
  reviewerId: chosen,
  feeKind: codeOf(feeKinds, 'Choose how the fee is set.'),
  feeCents: z.nullable(cents),
  glAccount: line(40).check(
    z.regex(/^[\w .:/-]*$/, 'Use only letters, digits, spaces and these characters: . : / _ -'),
  ),
  cosigned: z.boolean(),
  issues: line(80),
  validMonths: z.nullable(count(240, 'Enter a number of months from 1 to 240, or leave the field empty.')),
  remindDays: z
    .int({ error: 'Enter a number of days from 0 to 365.' })
    .check(
      z.minimum(0, 'Enter a number of days from 0 to 365.'),
      z.maximum(365, 'Enter a number of days from 0 to 365.'),
    ),
})
export type TypeForm = z.output<typeof typeFields>
export type TypeInput = z.input<typeof typeFields>

/** Settings of a form template. The municipality writes the other settings. */
export type TemplateSettings = Omit<TypeForm, 'title' | 'description' | 'departmentId' | 'reviewerId'>

/** GL account of the fees until the municipality sets its own. */
export const GL_ACCOUNT = 'FORMS'

/** Default settings of a new form. Staff must enter the title, category and description. */
export const usualType: Omit<TypeForm, 'title' | 'category' | 'description'> = {
  seenBy: 'residents',
  opensOn: '',
  closesOn: '',
  maxEach: null,
  eachDays: 365,
  limitFields: [],
  maxSame: null,
  departmentId: null,
  reviewerId: null,
  feeKind: 'none',
  feeCents: null,
  glAccount: '',
  cosigned: false,
  issues: '',
  validMonths: null,
  remindDays: 30,
}

/** Returns errors for missing or conflicting settings, keyed by the input that shows them. */
export function mistakesOf(form: TypeForm): Partial<Record<keyof TypeForm, string>> {
  const { feeKind, feeCents, glAccount, opensOn, closesOn, limitFields, maxSame, validMonths, issues } = form
  return {
    ...(feeKind === 'fixed' && !feeCents && { feeCents: say`Enter the amount, such as 25.00.` }),
    ...(feeKind !== 'none' && glAccount === '' && { glAccount: say`Enter the GL account for the fee.` }),
    ...(opensOn !== '' &&
      closesOn !== '' &&
      closesOn < opensOn && { closesOn: say`Enter a closing date on or after the opening date.` }),
    ...(maxSame !== null && limitFields.length === 0 && { limitFields: say`Choose at least one field to compare.` }),
    ...(validMonths !== null &&
      issues === '' && { issues: say`Enter the name of the document to issue, such as “Dog license”.` }),
  }
}

export const typeForm = typeFields.check(({ value, issues }) => {
  for (const [field, message] of Object.entries(mistakesOf(value)))
    issues.push({ code: 'custom', message, path: [field], input: value })
})

/** Returns the URL slug of a form. 'Dog license' becomes 'dog-license', for /forms-documents/dog-license. */
export const slugOf = (title: string): string => addressOf(title) || 'form'

/** Names of inputs that are omitted when answers are shown (spec 9.6). */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'showrecaptcha',
  'g-recaptcha-response',
  'g_recaptcha_response',
  'temp_upload',
  'file_server',
  'event_id',
  'path',
  'payment_total',
  'userid',
  'validatedrequiredfieldids',
])

/** Returns the fields with answers to show, export and print. Read-only fields have none. */
export const answeredFields = (definition: Definition): Exclude<Field, { type: 'reading' }>[] =>
  allFields(definition).filter(
    (field): field is Exclude<Field, { type: 'reading' }> =>
      field.type !== 'reading' && !LEFT_OUT.has(field.name.toLowerCase()),
  )

/** Returns the answers as readable text for the review, the resident's page, emails and printouts. */
export const answersAsText = (definition: Definition, answers: Answers) =>
  answeredFields(definition).flatMap((field) => {
    const answer = answers[field.name]
    return answer === undefined ? [] : [{ name: field.name, label: field.label, value: answerText(field, answer) }]
  })

/** Returns all answers as one string for the search. */
export const answersText = (definition: Definition, answers: Answers): string =>
  answersAsText(definition, answers)
    .map(({ label, value }) => `${label}: ${value}`)
    .join('; ')

interface Priced {
  feeKind: FeeKind
  feeCents: number | null
}

/** Returns the fee for these answers, in integer cents. */
export function feeOf({ feeKind, feeCents }: Priced, definition: Definition, answers: Answers): number {
  if (feeKind === 'none') return 0
  return feeKind === 'fixed' ? (feeCents ?? 0) : chargedCents(definition, answers)
}

/** Returns the items of a fee, for its receipt. */
export const itemsOf = (title: string, { feeKind, feeCents }: Priced, definition: Definition, answers: Answers) =>
  feeKind === 'fixed'
    ? [{ text: title, note: '', amountCents: feeCents ?? 0 }]
    : chargedItems(title, definition, answers)

/**
 * Returns the answers that the limit on equal answers compares, as one string. Null if the form has no such limit or
 * the answers are missing.
 */
export function limitKeyOf({ limitFields, maxSame }: Pick<TypeForm, 'limitFields' | 'maxSame'>, answers: Answers) {
  if (maxSame === null || limitFields.length === 0) return null
  const parts = limitFields.map((name) => answers[name])
  return parts.every((part) => part === undefined)
    ? null
    : JSON.stringify(parts.map((part) => (typeof part === 'string' ? part.trim().toLowerCase() : (part ?? null))))
}

/** Types of a form's PDF: `fillable` by the portal, or `flat` for completion by hand. */
export const pdfKinds = ['fillable', 'flat'] as const

export interface Difference {
  label: string
  before: string
  after: string
}

/**
 * Returns the differences between the answers of two rounds, even if the rounds use different versions of the fields.
 */
export function differencesOf(
  before: { definition: Definition; answers: Answers },
  after: { definition: Definition; answers: Answers },
): Difference[] {
  const [was, now] = [before, after].map(({ definition, answers }) => answersAsText(definition, answers)) as [
    ReturnType<typeof answersAsText>,
    ReturnType<typeof answersAsText>,
  ]
  const names = [...new Set([...now, ...was].map(({ name }) => name))]
  return names.flatMap((name) => {
    const [old, fresh] = [was.find((one) => one.name === name), now.find((one) => one.name === name)]
    const label = fresh?.label ?? old?.label ?? name
    const [a, b] = [old?.value ?? '', fresh?.value ?? '']
    return a === b ? [] : [{ label, before: a, after: b }]
  })
}

/** Name of the entry with the signature, in a form that a browser without JavaScript sends. */
export const TYPED = 'signature.typed'
