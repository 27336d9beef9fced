import * as z from 'zod/mini'
import { isoDate } from '../iso-date.ts'
import { cents } from '../money.ts'

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

/** What a condition can ask of an answer. `day_…` read dates, `cents_…` amounts of money. */
export const operators = [
  ...(['filled', 'empty', '==', '!=', 'includes', 'lacks', '>', '>=', '<', '<='] as const),
  ...(['day_is', 'day_before', 'day_after', 'years_ago', 'cents_is', 'cents_over', 'cents_under'] as const),
] as const
export type Operator = (typeof operators)[number]

export const MOST = { steps: 20, fields: 100, options: 200, columns: 10, rows: 100, conditions: 10, terms: 20 } as const

const words = (most: number) => z.string().check(z.maxLength(most, `Use at most ${most} characters.`))
const whole = (least: number, most: number) =>
  z
    .int(`Enter a whole number from ${least} to ${most}.`)
    .check(z.minimum(least), z.maximum(most, `Enter at most ${most}.`))
const upTo = <Item extends z.ZodMiniType>(item: Item, most: number, what: string) =>
  z.array(item).check(z.maxLength(most, `At most ${most} ${what}.`))

/** The name under which an answer is kept. It stays when the label changes, so that answers are carried over. */
export const NAME = /^[a-z][a-z0-9_]{0,39}$/
const name = z
  .string()
  .check(z.regex(NAME, 'A name begins with a letter, and has small letters, digits and _ alone, at most 40.'))

const variable = z.strictObject({ var: name })

/** One comparison in JSON Logic: `{ "==": [{ "var": "pet" }, "dog"] }`. */
const comparison = z.partialRecord(z.enum(operators), z.tuple([variable], z.union([words(200), z.number()]))).check(
  z.refine((value) => Object.keys(value).length === 1 && Object.values(value).every((parts) => parts.length <= 2), {
    error: 'A condition compares one answer with one value.',
  }),
)
export type Comparison = z.output<typeof comparison>

/** All of these hold, or any of these: as much of JSON Logic as can be said in a plain sentence. */
const condition = z.union([
  z.strictObject({ and: upTo(comparison, MOST.conditions, 'conditions') }),
  z.strictObject({ or: upTo(comparison, MOST.conditions, 'conditions') }),
])
export type Condition = z.output<typeof condition>

const amount = z.union([
  z.strictObject({ cents }),
  variable,
  z.strictObject({ times: z.tuple([variable, cents]) }),
  z.strictObject({ sum: z.tuple([name, name]) }),
])
export type Amount = z.output<typeof amount>
/** A line of a computed amount, in JSON Logic; with `if` it counts only where the comparison holds. */
const term = z.union([amount, z.strictObject({ if: z.tuple([comparison, amount, z.literal(0)]) })])
export type Term = z.output<typeof term>

const option = z.object({ value: words(40), label: words(200) })
export type FieldOption = z.output<typeof option>
const options = upTo(option, MOST.options, 'answers to choose from')

/** A day of the calendar, or whichever day it is when somebody answers. */
const dayLimit = z.nullable(z.union([z.literal('today'), isoDate]))

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
const number = z.number().check(z.minimum(-1e12), z.maximum(1e12))

/** What each type of field has besides. */
const specifics = {
  text: { long: z.boolean(), minLength: whole(0, 10_000), maxLength: whole(1, 10_000), prefill },
  choice: { options },
  choices: { options, min: whole(0, MOST.options), max: z.nullable(whole(1, MOST.options)) },
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

const column = z.discriminatedUnion('type', [
  ...([of('text'), of('choice'), of('date'), of('checkbox'), of('number'), of('money')] as const),
])
export type Column = z.output<typeof column>
export const columnTypes = ['text', 'choice', 'date', 'checkbox', 'number', 'money'] as const satisfies Column['type'][]

const table = z.object({
  type: z.literal('table'),
  ...common,
  columns: upTo(column, MOST.columns, 'columns'),
  min: whole(0, MOST.rows),
  max: whole(1, MOST.rows),
})
const computed = z.object({
  type: z.literal('computed'),
  ...common,
  terms: z.strictObject({ '+': upTo(term, MOST.terms, 'lines') }),
  charged: z.boolean(),
})

const field = z.discriminatedUnion('type', [
  ...([of('text'), of('choice'), of('choices'), of('date'), of('checkbox'), of('number'), of('payment')] as const),
  ...([of('money'), of('address'), of('email'), of('phone'), of('file'), of('signature'), of('reading')] as const),
  table,
  computed,
])
export type Field = z.output<typeof field>
export type FieldOf<Type extends FieldType> = Extract<Field, { type: Type }>

const step = z.object({
  id: name,
  title: words(120),
  intro: words(2000),
  showWhen: z.nullable(condition),
  fields: upTo(field, MOST.fields, 'fields in a step'),
})
export type Step = z.output<typeof step>

/** A definition that may be unfinished, as the builder keeps it. What is published is `definition` of `mistakes.ts`. */
export const sketch = z.object({ steps: upTo(step, MOST.steps, 'steps') })
export type Definition = z.output<typeof sketch>

export const allFields = ({ steps }: Definition): Field[] => steps.flatMap(({ fields }) => fields)

/** What a condition or a step compares, in order. */
export const comparisonsIn = (when: Condition | null): Comparison[] =>
  when === null ? [] : 'and' in when ? when.and : when.or

export interface Compared {
  operator: Operator
  name: string
  value: string | number | undefined
}

/** The parts of a comparison. */
export function partsOf(one: Comparison): Compared {
  const [operator, [{ var: of_ }, value]] = Object.entries(one)[0] as [Operator, [{ var: string }, string | number]]
  return { operator, name: of_, value }
}

export const comparisonOf = ({ operator, name: of_, value }: Compared): Comparison => ({
  [operator]: value === undefined ? [{ var: of_ }] : [{ var: of_ }, value],
})

/** The amount of a line, and when it counts. */
export const termParts = (line: Term): { amount: Amount; when: Comparison | null } =>
  'if' in line ? { amount: line.if[1], when: line.if[0] } : { amount: line, when: null }
