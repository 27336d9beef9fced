import * as z from 'zod/mini'
import type { Answers } from '../../shared/fields/answer.ts'
import { chargedCents } from '../../shared/fields/answers.ts'
import { blankField, blankStep } from '../../shared/fields/blank.ts'
import type { Definition, Field, FieldType } from '../../shared/fields/definition.ts'
import { allFields } from '../../shared/fields/walk.ts'
import { answerText } from '../../shared/fields/labels.ts'
import { codeOf, dayOrNone } from '../../shared/form-parts.ts'
import { addressOf } from '../../shared/address-of.ts'
import { priceRange, rangeText } from '../../shared/fields/prices.ts'
import { cents, formatCents } from '../../shared/money.ts'
import { say, translated } from '../../shared/messages.ts'
import { DIRECTION_OVERRIDES } from '../../shared/visible.ts'

export const categories = {
  taxes: 'Taxes',
  licenses: 'Licenses',
  permits: 'Permits',
  recreation: 'Parks and Recreation',
  works: 'Streets and Waste',
  safety: 'Public Safety',
  records: 'Records',
  donations: 'Donations',
  other: 'Other',
} as const
export type Category = keyof typeof categories

/** Audiences: everyone, signed-in residents, or people with the link. */
export const audiences = {
  everyone: 'Everyone',
  signed_in: 'Signed-in residents',
  link: 'People with the link',
} as const
export type TypeAudience = keyof typeof audiences

export const amountKinds = {
  fixed: 'Fixed amount',
  computed: 'Depends on the answers',
  open: 'Payer chooses the amount',
  listed: 'From a list of open items',
} as const
export type AmountKind = keyof typeof amountKinds

/** Labels that payers see while the amount is unknown. */
const amountLabels = {
  computed: 'Depends on your answers',
  open: 'Any amount',
  listed: 'Amount on your notice',
} as const

/** Price range in API responses, in cents. */
interface OfferedRange {
  minCents: number
  maxCents: number | null
}

/** Returns the lowest and highest price of a form. */
export function rangeOf(definition: Definition): OfferedRange {
  const { minCents, maxCents } = priceRange(definition)
  return { minCents, maxCents }
}

interface Offer {
  amountKind: AmountKind
  amountCents: number | null
  range: OfferedRange | null
}

/** Returns the price as text, as precisely as it is known before the payer answers. */
export const priceText = ({ amountKind, amountCents, range }: Offer): string =>
  amountKind === 'fixed'
    ? formatCents(amountCents ?? 0)
    : (amountKind === 'computed' && range && rangeText({ minCents: range.minCents, maxCents: range.maxCents })) ||
      translated(amountLabels[amountKind])

/** Proofs that an open item belongs to the payer. */
export const proofs = { amount: 'Amount on the notice', code: 'Code on the notice' } as const
export type Proof = keyof typeof proofs

export const chargeStatuses = {
  open: 'Unpaid',
  part: 'Partially paid',
  paid: 'Paid',
  returned: 'Refunded',
} as const
export type ChargeStatus = keyof typeof chargeStatuses

const TITLE_LENGTH = 120
const line = (max: number) =>
  z.string().check(
    z.trim(),
    z.maxLength(max, { error: () => say`Use up to ${max} characters.` }),
    z.refine((text) => !/\p{Cc}/u.test(text) && !DIRECTION_OVERRIDES.test(text), {
      error: 'Remove line breaks and hidden or unprintable characters.',
    }),
  )
const maybeCents = z.nullable(cents)

/** Settings of a payment type that staff enter, without the fields of its form. */
const typeFields = z.object({
  title: line(TITLE_LENGTH).check(z.minLength(1, 'Enter a title.')),
  category: codeOf(categories, 'Choose a category.'),
  description: z.string().check(z.trim(), z.maxLength(1000, { error: () => say`Use up to ${1000} characters.` })),
  glAccount: line(40).check(
    z.minLength(1, 'Enter the GL account that these payments are credited to.'),
    z.regex(/^[\w .:/-]*$/, 'Use only letters, digits, spaces and these characters: . : / _ -'),
  ),
  seenBy: codeOf(audiences, 'Choose who has access.'),
  amountKind: codeOf(amountKinds, 'Choose how the amount is set.'),
  amountCents: maybeCents,
  minCents: maybeCents,
  maxCents: maybeCents,
  inParts: z.boolean(),
  dueDate: dayOrNone,
  opensOn: dayOrNone,
  closesOn: dayOrNone,
  numberLabel: line(40),
  itemLabel: line(40),
  proof: codeOf(proofs, 'Choose which proof the payer enters.'),
})
export type TypeForm = z.output<typeof typeFields>

/** Default settings of a new payment type. The omitted settings have no default, so staff enter them. */
export const usualType: Omit<TypeForm, 'title' | 'category' | 'description' | 'glAccount'> = {
  seenBy: 'everyone',
  amountKind: 'fixed',
  amountCents: null,
  minCents: null,
  maxCents: null,
  inParts: false,
  dueDate: '',
  opensOn: '',
  closesOn: '',
  numberLabel: '',
  itemLabel: '',
  proof: 'amount',
}

/** Returns errors for missing or conflicting settings, keyed by the input that shows them. */
export function mistakesOf(form: TypeForm): Partial<Record<keyof TypeForm, string>> {
  const { amountKind, amountCents, minCents, maxCents, opensOn, closesOn, itemLabel, numberLabel } = form
  return {
    ...(amountKind === 'fixed' && !amountCents && { amountCents: say`Enter the amount, such as 25.00.` }),
    ...(amountKind === 'open' &&
      minCents !== null &&
      maxCents !== null &&
      maxCents < minCents && { maxCents: say`Enter a maximum that is not below the minimum.` }),
    ...(amountKind === 'listed' &&
      itemLabel === '' && { itemLabel: say`Enter the label for the item number, such as: Parcel number.` }),
    ...(amountKind === 'listed' &&
      numberLabel !== '' && { numberLabel: say`Open items already have numbers. Leave this field empty.` }),
    ...(opensOn !== '' &&
      closesOn !== '' &&
      closesOn < opensOn && { closesOn: say`Enter a closing date on or after the opening date.` }),
  }
}

export const typeForm = typeFields.check(({ value, issues }) => {
  for (const [field, message] of Object.entries(mistakesOf(value)))
    issues.push({ code: 'custom', message, path: [field], input: value })
})

/** Returns the URL slug of a type. 'Dog license' becomes 'dog-license', for /pay/dog-license. */
export const slugOf = (title: string): string => addressOf(title) || 'payment'

/** Normalizes an open item's number for comparison, because people omit dashes and type lower case. */
export const keyOf = (number: string): string => number.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

export const chargeNumber = (id: number): string => `G${id}`

/** Names of the built-in fields, which come first in the form. Fields that staff add can't use these names. */
export const PAYER = 'the_payer'
export const AMOUNT = 'the_amount'

interface Priced {
  amountKind: AmountKind
  amountCents: number | null
  minCents: number | null
  maxCents: number | null
}

/** Returns the complete form: the payer's name, the amount if the payer chooses it, and the fields that staff added. */
export function wholeForm({ amountKind, minCents, maxCents }: Priced, { steps }: Definition): Definition {
  const requestedFields: Field[] = [
    {
      ...blankField('text', PAYER),
      label: say`Your name`,
      help: say`Shown on the receipt`,
      required: true,
      maxLength: 120,
      prefill: 'full_name',
    },
    ...(amountKind === 'open'
      ? [
          {
            ...blankField('payment', AMOUNT),
            label: say`Amount`,
            required: true,
            min: Math.max(1, minCents ?? 1),
            max: maxCents,
          },
        ]
      : []),
  ]
  const [first = blankStep('the_payment'), ...rest] = steps
  return { steps: [{ ...first, fields: [...requestedFields, ...first.fields] }, ...rest] }
}

/** Returns the amount that results from these answers, in whole cents. */
export function amountOf({ amountKind, amountCents }: Priced, definition: Definition, answers: Answers): number {
  if (amountKind === 'fixed') return amountCents ?? 0
  return amountKind === 'open' ? Number(answers[AMOUNT] ?? 0) : chargedCents(definition, answers)
}

/** Field types shown on receipts. Their answers help to tell payments apart and contain no contact data. */
const ON_RECEIPTS: readonly FieldType[] = ['text', 'choice', 'choices', 'date', 'checkbox', 'number']
const MAX_DETAILS = 8
const MAX_LENGTH = 120

export const detailsOf = (definition: Definition, answers: Answers): { name: string; value: string }[] =>
  allFields(definition)
    .filter(
      (field) =>
        field.name !== PAYER &&
        ON_RECEIPTS.includes(field.type) &&
        !(field.type === 'text' && field.long) &&
        answers[field.name] !== undefined,
    )
    .slice(0, MAX_DETAILS)
    .map((field) => ({
      name: field.label,
      value: answerText(field, answers[field.name] ?? '').slice(0, MAX_LENGTH),
    }))

/** Returns all answers as one string for search and export: `Name of the dog: Rex; Breed: Beagle`. */
export const answersText = (definition: Definition, answers: Answers): string =>
  allFields(definition)
    .flatMap((field) => {
      const answer = answers[field.name]
      return answer === undefined || field.type === 'reading' ? [] : [`${field.label}: ${answerText(field, answer)}`]
    })
    .join('; ')
