import * as z from 'zod/mini'
import { isoDate } from '../iso-date.ts'
import { MAX_CENTS } from '../money.ts'
import { condition, MAX_TERMS, NAME, term } from './logic.ts'
import { say } from '../words.ts'

export type { Amount, Comparison, Condition, Operator, Term } from './logic.ts'

/**
 * What staff define: steps, and in each step fields. It is kept as JSON, a version at a time, and everything that a
 * person fills in by it is checked by `answersOf`. This is its shape; `mistakes.ts` says what is wrong with its content.
 */

/** Each kind of field, and the number of those that specification 9.5 numbers. */
export const fieldTypes = {
  text: 1,
  choice: 2,
  date: 3,
  checkbox: 4,
  number: 5,
  payment: 6,
  choices: null,
  money: null,
  address: null,
  email: null,
  phone: null,
  file: null,
  signature: null,
  table: null,
  reading: null,
  computed: null,
} as const
export type FieldType = keyof typeof fieldTypes

export const FIELD_LIMITS = { steps: 20, fields: 100, options: 200, columns: 10, rows: 100, terms: MAX_TERMS } as const

const words = (most: number) =>
  z.string().check(z.maxLength(most, { error: () => say`Use at most ${most} characters.` }))
const whole = (least: number, most: number) =>
  z
    .int({ error: () => say`Enter a whole number from ${least} to ${most}.` })
    .check(
      z.minimum(least, { error: () => say`Enter at least ${least}.` }),
      z.maximum(most, { error: () => say`Enter at most ${most}.` }),
    )
const NO_AMOUNT = 'Enter an amount, such as 25.00.'
const cents = z.int(NO_AMOUNT).check(z.minimum(0, NO_AMOUNT), z.maximum(MAX_CENTS, 'Enter at most $9,999,999.99.'))
const upTo = <Item extends z.ZodMiniType>(item: Item, most: number) =>
  z.array(item).check(z.maxLength(most, { error: () => say`There is room for ${most} of these.` }))

const name = z
  .string()
  .check(z.regex(NAME, 'A name begins with a letter, and has small letters, digits and _ alone, at most 40.'))

const option = z.object({ value: words(40), label: words(200) })
export type FieldOption = z.output<typeof option>
const options = upTo(option, FIELD_LIMITS.options)

/** A day of the calendar, or whichever day it is when somebody answers. */
const dayLimit = z.nullable(z.union([z.literal('today'), isoDate], 'Choose a day of the calendar.'))

export const prefills = ['first_name', 'last_name', 'full_name', 'email', 'phone', 'address', 'today'] as const
export type Prefill = (typeof prefills)[number]

const common = {
  name,
  label: words(200),
  help: words(500),
  required: z.boolean(),
  showWhen: z.nullable(condition),
}
const prefill = z.nullable(z.enum(prefills))
const maybeCents = z.nullable(cents)
const number = z
  .number('Enter a number.')
  .check(z.minimum(-1e12, 'Enter a larger number.'), z.maximum(1e12, 'Enter a smaller number.'))

/** What each type of field has besides. */
const specifics = {
  text: { long: z.boolean(), minLength: whole(0, 10_000), maxLength: whole(1, 10_000), prefill },
  choice: { options },
  choices: { options, min: whole(0, FIELD_LIMITS.options), max: z.nullable(whole(1, FIELD_LIMITS.options)) },
  date: { earliest: dayLimit, latest: dayLimit, prefill },
  checkbox: {},
  number: { min: z.nullable(number), max: z.nullable(number), decimals: whole(0, 4) },
  payment: { fixed: maybeCents, min: maybeCents, max: maybeCents },
  money: { min: maybeCents, max: maybeCents },
  address: { prefill },
  email: { prefill },
  phone: { prefill },
  file: { accept: z.enum(['pictures', 'documents']), maxFiles: whole(1, 10), maxMegabytes: whole(1, 25) },
  signature: {},
  reading: { text: words(10_000) },
} as const

const of = <Type extends keyof typeof specifics>(type: Type) =>
  z.object({ type: z.literal(type), ...common, ...specifics[type] })

/** Chooses the schema by `type`. (zod has one for this; it would be half a kilobyte on every page with a form.) */
function byType<Schemas extends Readonly<Record<string, z.ZodMiniType>>>(schemas: Schemas) {
  type ParsedField = { [Type in keyof Schemas]: z.output<Schemas[Type]> }[keyof Schemas]
  return z.unknown().check((payload) => {
    const { value, issues } = payload
    const type = typeof value === 'object' && value !== null && 'type' in value ? String(value.type) : ''
    const read = Object.hasOwn(schemas, type) ? schemas[type]?.safeParse(value) : undefined
    if (!read) issues.push({ code: 'custom', message: 'There is no such type of field.', path: ['type'], input: value })
    else if (read.success) payload.value = read.data
    else for (const { message, path } of read.error.issues) issues.push({ code: 'custom', message, path, input: value })
  }) as unknown as z.ZodMiniType<ParsedField, ParsedField>
}

const inColumns = {
  text: of('text'),
  choice: of('choice'),
  date: of('date'),
  checkbox: of('checkbox'),
  number: of('number'),
  money: of('money'),
  phone: of('phone'),
  email: of('email'),
}
const column = byType(inColumns)
export type Column = z.output<typeof column>
export const columnTypes = Object.keys(inColumns) as Column['type'][]

const table = z.object({
  type: z.literal('table'),
  ...common,
  columns: upTo(column, FIELD_LIMITS.columns),
  /** What one row is, such as `person`. Empty: a row. */
  row: z.optional(words(40)),
  min: whole(0, FIELD_LIMITS.rows),
  max: whole(1, FIELD_LIMITS.rows),
})
const computed = z.object({
  type: z.literal('computed'),
  ...common,
  terms: z.object({ '+': upTo(term, FIELD_LIMITS.terms) }),
  charged: z.boolean(),
})

const field = byType({
  ...inColumns,
  choices: of('choices'),
  payment: of('payment'),
  address: of('address'),
  email: of('email'),
  phone: of('phone'),
  file: of('file'),
  signature: of('signature'),
  reading: of('reading'),
  table,
  computed,
})
export type Field = z.output<typeof field>
export type FieldOf<Type extends FieldType> = Extract<Field, { type: Type }>

const step = z.object({
  id: name,
  title: words(120),
  intro: words(2000),
  showWhen: z.nullable(condition),
  fields: upTo(field, FIELD_LIMITS.fields),
})
export type FormStep = z.output<typeof step>

/** A definition that may be unfinished, as the builder keeps it. What is published is `definition` of `mistakes.ts`. */
export const sketch = z.object({ steps: upTo(step, FIELD_LIMITS.steps) })
export type Definition = z.output<typeof sketch>
