import * as z from 'zod/mini'
import { MAX_CENTS } from '../money.ts'

/**
 * Subset of JSON Logic that simple sentences can describe. A condition is a list of comparisons, and a computed amount
 * is a sum. The code below parses it without a library, so that a stored definition can contain nothing else.
 */

/** Operators of a condition. `day_…` compare dates, `cents_…` compare amounts. */
export const operators = [
  ...(['filled', 'empty', '==', '!=', 'includes', 'lacks', '>', '>=', '<', '<='] as const),
  ...(['day_is', 'day_before', 'day_after', 'years_ago', 'cents_is', 'cents_over', 'cents_under'] as const),
] as const
export type Operator = (typeof operators)[number]

interface Variable {
  var: string
}
/** Comparison of a field with a value: `{ "==": [{ "var": "pet" }, "dog"] }`. */
export type Comparison = { [O in Operator]?: [Variable] | [Variable, string | number] }
export type Condition = { and: Comparison[] } | { or: Comparison[] }
/**
 * Amount in a calculation: fixed, an amount field's answer, a number field's answer times its price, or the sum of a
 * table column.
 */
export type Amount = { cents: number } | Variable | { times: [Variable, number] } | { sum: [string, string] }
/** Line of a computed amount. A line with `if` counts only if its comparison is true. */
export type Term = Amount | { if: [Comparison, Amount, 0] }

/** Pattern of field names. Answers are stored under the name, which stays the same when staff change the label. */
export const NAME = /^[a-z][a-z0-9_]{0,39}$/

const MAX_LINES = 20
const MAX_LENGTH = 200

const isName = (value: unknown): boolean => typeof value === 'string' && NAME.test(value)
const isCents = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_CENTS

/** Returns the operator and arguments of a logic value. Null if the value is not an operation. */
function operation(value: unknown): [operator: string, operand: unknown] | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const entries = Object.entries(value)
  return entries.length === 1 ? (entries[0] ?? null) : null
}

const isVariable = (value: unknown): boolean => {
  const [operator, operand] = operation(value) ?? []
  return operator === 'var' && isName(operand)
}

function isComparison(value: unknown): boolean {
  const [operator, operand] = operation(value) ?? []
  if (!operators.includes(operator as Operator) || !Array.isArray(operand)) return false
  const [one, other] = operand as unknown[]
  const isValue = typeof other === 'string' ? other.length <= MAX_LENGTH : Number.isFinite(other)
  return isVariable(one) && (operand.length === 1 || (operand.length === 2 && isValue))
}

function isCondition(value: unknown): boolean {
  const [operator, operand] = operation(value) ?? []
  const isList = Array.isArray(operand) && operand.length <= MAX_LINES && operand.every(isComparison)
  return (operator === 'and' || operator === 'or') && isList
}

function isAmount(value: unknown): boolean {
  const [operator, operand] = operation(value) ?? []
  if (operator === 'cents') return isCents(operand)
  if (operator === 'var') return isName(operand)
  if (!Array.isArray(operand) || operand.length !== 2) return false
  if (operator === 'times') return isVariable(operand[0]) && isCents(operand[1])
  return operator === 'sum' && operand.every(isName)
}

function isTerm(value: unknown): boolean {
  const [operator, operand] = operation(value) ?? []
  if (operator !== 'if') return isAmount(value)
  return (
    Array.isArray(operand) &&
    operand.length === 3 &&
    isComparison(operand[0]) &&
    isAmount(operand[1]) &&
    operand[2] === 0
  )
}

const read = <Value>(is: (value: unknown) => boolean, error: string) =>
  z.unknown().check(z.refine(is, { error })) as unknown as z.ZodMiniType<Value, Value>

export const condition = read<Condition>(isCondition, 'We could not read this condition. Choose the condition again.')
export const term = read<Term>(isTerm, 'Enter an amount, such as 25.00.')
export const MAX_TERMS = MAX_LINES
