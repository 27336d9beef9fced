import * as z from 'zod/mini'
import { isoDate } from '../iso-date.ts'
import { MAX_CENTS } from '../money.ts'
import { condition, MAX_TERMS, NAME, term } from './logic.ts'
import { say } from '../messages.ts'

export type { Amount, Comparison, Condition, Operator, Term } from './logic.ts'

/**
 * A definition describes a form that staff design: steps with fields. Each version is stored as JSON, and `answersOf`
 * checks every filled-in form against it. This file declares the structure of definitions. `mistakes.ts` checks their
 * content.
 */

/** Field types, with the numbers of spec 9.5 for types that have one. */
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

const text = (max: number) => z.string().check(z.maxLength(max, { error: () => say`Use up to ${max} characters.` }))
const whole = (min: number, max: number) =>
  z
    .int({ error: () => say`Enter a whole number from ${min} to ${max}.` })
    .check(
      z.minimum(min, { error: () => say`Enter at least ${min}.` }),
      z.maximum(max, { error: () => say`Enter no more than ${max}.` }),
    )
const NO_AMOUNT = 'Enter an amount, such as 25.00.'
const cents = z.int(NO_AMOUNT).check(z.minimum(0, NO_AMOUNT), z.maximum(MAX_CENTS, 'Enter no more than $9,999,999.99.'))
const upTo = <Item extends z.ZodMiniType>(item: Item, max: number) =>
  z.array(item).check(z.maxLength(max, { error: () => say`Use no more than ${max} items in this list.` }))

const name = z
  .string()
  .check(z.regex(NAME, 'Start the name with a letter. Use only lowercase letters, digits and _, up to 40 characters.'))

const option = z.object({ value: text(40), label: text(200) })
export type FieldOption = z.output<typeof option>
const options = upTo(option, FIELD_LIMITS.options)

/**
 * Earliest or latest date that a date field accepts: a calendar day, or `today` for the day on which the person
 * answers.
 */
const dayLimit = z.nullable(z.union([z.literal('today'), isoDate], 'Choose a date from the calendar.'))

export const prefills = ['first_name', 'last_name', 'full_name', 'email', 'phone', 'address', 'today'] as const
export type Prefill = (typeof prefills)[number]

const common = {
  name,
  label: text(200),
  help: text(500),
  required: z.boolean(),
  showWhen: z.nullable(condition),
}
const prefill = z.nullable(z.enum(prefills))
const maybeCents = z.nullable(cents)
const number = z
  .number('Enter a number.')
  .check(
    z.minimum(-1e12, 'Enter a number of -1,000,000,000,000 or more.'),
    z.maximum(1e12, 'Enter a number of 1,000,000,000,000 or less.'),
  )

/** Schemas of the settings that only some field types have. */
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
  file: { accept: z.enum(['images', 'documents']), maxFiles: whole(1, 10), maxMegabytes: whole(1, 25) },
  signature: {},
  reading: { text: text(10_000) },
} as const

const of = <Type extends keyof typeof specifics>(type: Type) =>
  z.object({ type: z.literal(type), ...common, ...specifics[type] })

/**
 * Chooses the schema by `type`. (zod's own discriminated union would add half a kilobyte to every page with a form.)
 */
function byType<Schemas extends Readonly<Record<string, z.ZodMiniType>>>(schemas: Schemas) {
  type ParsedField = { [Type in keyof Schemas]: z.output<Schemas[Type]> }[keyof Schemas]
  return z.unknown().check((payload) => {
    const { value, issues } = payload
    const type = typeof value === 'object' && value !== null && 'type' in value ? String(value.type) : ''
    const read = Object.hasOwn(schemas, type) ? schemas[type]?.safeParse(value) : undefined
    if (!read)
      issues.push({
        code: 'custom',
        message: 'This field type does not exist. Choose another type.',
        path: ['type'],
        input: value,
      })
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
  /** Noun for one row, such as `person`. If empty, the form says "row". */
  row: z.optional(text(40)),
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
  title: text(120),
  intro: text(2000),
  showWhen: z.nullable(condition),
  fields: upTo(field, FIELD_LIMITS.fields),
})
export type FormStep = z.output<typeof step>

/**
 * Definition as the builder saves it, which may be unfinished. Before a definition is published, `definition` in
 * `mistakes.ts` checks it.
 */
export const sketch = z.object({ steps: upTo(step, FIELD_LIMITS.steps) })
export type Definition = z.output<typeof sketch>
