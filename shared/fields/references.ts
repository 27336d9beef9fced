import { isoDate } from '../iso-date.ts'
import { MAX_CENTS } from '../money.ts'
import { needsValue, operatorsOf } from './conditions.ts'
import type { Comparison, Condition, Field, FieldOf } from './definition.ts'
import { comparisonsIn, namesInTerm, partsOf, termParts } from './walk.ts'
import { say } from '../messages.ts'

/** Mistake in a reference to another field, in a condition or in a line of a computed amount. */

type ReferenceMistake = { path: (string | number)[]; text: string }
const at = (message: string, ...path: (string | number)[]): ReferenceMistake => ({ path, text: message })

/** Part of a form that refers to fields: a field, or a step together with all fields before it. */
type ReferenceOwner = Field | { before: readonly Field[] }
const nameOf = (owner: ReferenceOwner) => ('name' in owner ? owner.name : null)

/** Lists the names of all fields that a field refers to. */
const dependsOn = (field: Field): string[] => [
  ...comparisonsIn(field.showWhen).map((one) => partsOf(one).name),
  ...(field.type === 'computed' ? field.terms['+'].flatMap(namesInTerm) : []),
]

/** True if a field depends on the target field, directly or through other fields. */
function waitsFor(from: Field, target: string, all: readonly Field[], seen = new Set<string>()): boolean {
  if (seen.has(from.name)) return false
  seen.add(from.name)
  return dependsOn(from).some((name) => {
    const next = all.find((field) => field.name === name)
    return name === target || (next !== undefined && waitsFor(next, target, all, seen))
  })
}

/** Returns the field with this name, or the reason why the reference to it is not allowed. */
function resolve(name: string, owner: ReferenceOwner, all: readonly Field[]): { field: Field } | { text: string } {
  const field = all.find((one) => one.name === name)
  const own = nameOf(owner)
  if (!field)
    return {
      text: say`This condition or amount uses a field that no longer exists. Choose another field, or remove the condition or amount.`,
    }
  if (name === own) return { text: say`A field cannot refer to itself. Choose another field.` }
  const before = 'before' in owner ? owner.before : all.slice(0, all.indexOf(owner))
  if (before.includes(field)) return { field }
  if (own !== null && waitsFor(field, own, all))
    return { text: say`This field and “${field.label}” depend on each other. Remove one of the two conditions.` }
  return {
    text:
      own === null
        ? say`“${field.label}” comes later. Move it above this step, or choose another field.`
        : say`“${field.label}” comes later. Move it above this field, or choose another field.`,
  }
}

/** Returns a mistake if the operator can't compare this field's answer with the value. */
function valueMistake(field: Field, { operator, value }: ReturnType<typeof partsOf>): string | null {
  if (!needsValue(operator))
    return value === undefined ? null : say`This condition does not use a value. Choose the condition again.`
  if (value === undefined || value === '') return say`Enter or choose a value for the comparison.`
  if (operator === 'years_ago')
    return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 150
      ? null
      : say`Enter a number of years from 0 to 150.`
  if (operator.startsWith('day_'))
    return value === 'today' || isoDate.safeParse(value).success ? null : say`Choose a date from the calendar.`
  if (operator.startsWith('cents_'))
    return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_CENTS
      ? null
      : say`Enter an amount, such as 25.00.`
  if (field.type === 'number') return typeof value === 'number' ? null : say`Enter a number.`
  if (typeof value !== 'string') return say`Enter or choose a value for the comparison.`
  if (field.type === 'choice' || field.type === 'choices')
    return field.options.some((option) => option.value === value)
      ? null
      : say`“${field.label}” no longer has this answer. Choose another answer.`
  return null
}

function comparisonMistake(one: Comparison, owner: ReferenceOwner, all: readonly Field[]): string | null {
  const parts = partsOf(one)
  const meant = resolve(parts.name, owner, all)
  if ('text' in meant) return meant.text
  if (!operatorsOf[meant.field.type].includes(parts.operator))
    return say`“${meant.field.label}” does not support this comparison. Choose the condition again.`
  return valueMistake(meant.field, parts)
}

export function conditionMistakes(
  condition: Condition | null,
  asking: ReferenceOwner,
  all: readonly Field[],
): ReferenceMistake[] {
  if (condition === null) return []
  const comparisons = comparisonsIn(condition)
  if (comparisons.length === 0) return [at(say`Add a condition, or choose Always.`)]
  return comparisons.flatMap((one, index) => {
    const message = comparisonMistake(one, asking, all)
    return message === null ? [] : [at(message, index)]
  })
}

export function termMistakes(owner: FieldOf<'computed'>, all: readonly Field[]): ReferenceMistake[] {
  const lines = owner.terms['+']
  if (lines.length === 0) return [at(say`Add a line to this amount.`)]
  return lines.flatMap((line, index) => {
    const { amount, when } = termParts(line)
    const message = amountMistake(amount, owner, all) ?? (when && comparisonMistake(when, owner, all))
    return message ? [at(message, index)] : []
  })
}

function amountMistake(amount: ReturnType<typeof termParts>['amount'], owner: Field, all: readonly Field[]) {
  if ('cents' in amount) return null
  const name = 'var' in amount ? amount.var : 'times' in amount ? amount.times[0].var : amount.sum[0]
  const meant = resolve(name, owner, all)
  if ('text' in meant) return meant.text
  const { field } = meant
  if ('var' in amount)
    return ['money', 'payment', 'computed'].includes(field.type)
      ? null
      : say`“${field.label}” is not a dollar amount, so it cannot be added. Choose an amount, or a number and its price.`
  if ('times' in amount)
    return field.type === 'number'
      ? null
      : say`“${field.label}” is not a number, so it cannot be multiplied by a price. Choose a number field.`
  const column = field.type === 'table' ? field.columns.find((one) => one.name === amount.sum[1]) : undefined
  return column?.type === 'money'
    ? null
    : say`“${field.label}” does not have this amount column. Choose a column with dollar amounts.`
}
