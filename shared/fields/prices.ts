import { formatCents } from '../money.ts'
import { say } from '../messages.ts'
import type { Definition, Field, FieldOf } from './definition.ts'
import { allFields, partsOf, termParts } from './walk.ts'

/**
 * Lowest and highest amount that a form can cost, before anyone fills it in. `maxCents` is null if the amount has no
 * limit.
 */
export interface PriceRange {
  minCents: number
  maxCents: number | null
}

/** Price in a form: for one answer, or for each unit of a number. */
export interface Price {
  label: string
  cents: number
  each: boolean
}

type PricedField = FieldOf<'computed'> | FieldOf<'payment'>

const charged = (definition: Definition): PricedField[] =>
  allFields(definition).filter(
    (field): field is PricedField => field.type === 'payment' || (field.type === 'computed' && field.charged),
  )

const add = (one: PriceRange, other: PriceRange): PriceRange => ({
  minCents: one.minCents + other.minCents,
  maxCents: one.maxCents === null || other.maxCents === null ? null : one.maxCents + other.maxCents,
})
const exactly = (cents: number): PriceRange => ({ minCents: cents, maxCents: cents })
const NOTHING = exactly(0)

/** Returns the option that has its own price because of a condition such as `when pet is dog: $8.50`. */
function pricedOption(line: FieldOf<'computed'>['terms']['+'][number], fields: readonly Field[]) {
  const { amount, when } = termParts(line)
  if (!when || !('cents' in amount)) return null
  const { operator, name, value } = partsOf(when)
  const field = fields.find((one) => one.name === name)
  const option = field?.type === 'choice' && operator === '==' ? field.options.find((one) => one.value === value) : null
  return field?.type === 'choice' && option ? { field, option, cents: amount.cents } : null
}

function rangeOf(line: FieldOf<'computed'>['terms']['+'][number], fields: readonly Field[]): PriceRange {
  const { amount, when } = termParts(line)
  const minOf = (cents: number) => (when ? 0 : cents)
  if ('cents' in amount) return { minCents: minOf(amount.cents), maxCents: amount.cents }
  if (!('times' in amount)) return { minCents: 0, maxCents: null }
  const [{ var: name }, each] = amount.times
  const counted = fields.find((one) => one.name === name)
  const fewest = counted?.type === 'number' && counted.required ? Math.max(0, counted.min ?? 0) : 0
  // Ignores the maximum of a number field, because it is far above realistic values.
  return { minCents: minOf(fewest * each), maxCents: null }
}

/** Returns the lowest and highest amount that a form can cost. */
export function priceRange(definition: Definition): PriceRange {
  const fields = allFields(definition)
  let range = NOTHING
  for (const field of charged(definition)) {
    if (field.type === 'payment') {
      range = add(
        range,
        field.fixed === null ? { minCents: field.min ?? 0, maxCents: field.max } : exactly(field.fixed),
      )
      continue
    }
    const options = new Map<FieldOf<'choice'>, Map<string, number>>()
    for (const line of field.terms['+']) {
      const priced = pricedOption(line, fields)
      if (!priced) {
        range = add(range, rangeOf(line, fields))
        continue
      }
      const cents = options.get(priced.field) ?? new Map<string, number>()
      options.set(priced.field, cents.set(priced.option.value, (cents.get(priced.option.value) ?? 0) + priced.cents))
    }
    for (const [choice, cents] of options) {
      const all = choice.options.map(({ value }) => cents.get(value) ?? 0)
      range = add(range, { minCents: Math.min(...all, ...(choice.required ? [] : [0])), maxCents: Math.max(...all) })
    }
  }
  return range
}

/** Lists the prices in a form, in the form's order. */
export function pricesIn(definition: Definition): Price[] {
  const fields = allFields(definition)
  const prices: Price[] = []
  for (const field of charged(definition)) {
    if (field.type === 'payment') {
      if (field.fixed !== null) prices.push({ label: field.label, cents: field.fixed, each: false })
      continue
    }
    for (const line of field.terms['+']) {
      const { amount, when } = termParts(line)
      const priced = pricedOption(line, fields)
      if (priced)
        prices.push({ label: `${priced.field.label} ${priced.option.label}`, cents: priced.cents, each: false })
      else if (!when && 'cents' in amount) prices.push({ label: field.label, cents: amount.cents, each: false })
      else if (!when && 'times' in amount) {
        const [{ var: name }, cents] = amount.times
        prices.push({ label: fields.find((one) => one.name === name)?.label ?? field.label, cents, each: true })
      }
    }
  }
  return prices
}

/**
 * Formats a price range: "$8.50 to $13.50", "From $3.00". Empty if the range has no limits, or if the form costs
 * nothing.
 */
export function rangeText({ minCents, maxCents }: PriceRange): string {
  const minText = formatCents(minCents)
  if (maxCents === null) return minCents > 0 ? say`From ${minText}` : ''
  if (maxCents === minCents) return maxCents > 0 ? minText : ''
  return minCents > 0 ? say`${minText} to ${formatCents(maxCents)}` : say`Up to ${formatCents(maxCents)}`
}
