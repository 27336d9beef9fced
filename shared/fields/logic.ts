import * as z from 'zod/mini'
import { MAX_CENTS } from '../money.ts'

/**
 * As much of JSON Logic as can be said in plain sentences: one list of comparisons in a condition, one sum in a computed
 * amount. Read by hand, since every definition that is kept passes through here, and nothing else may.
 */

/** What a condition can ask of an answer. `day_…` read dates, `cents_…` amounts of money. */
export const operators = [
  ...(['filled', 'empty', '==', '!=', 'includes', 'lacks', '>', '>=', '<', '<='] as const),
  ...(['day_is', 'day_before', 'day_after', 'years_ago', 'cents_is', 'cents_over', 'cents_under'] as const),
] as const
export type Operator = (typeof operators)[number]

interface Variable {
  var: string
}
/** `{ "==": [{ "var": "pet" }, "dog"] }` */
export type Comparison = { [O in Operator]?: [Variable] | [Variable, string | number] }
/** All of these hold, or any of these. */
export type Condition = { and: Comparison[] } | { or: Comparison[] }
/** A fixed amount, an answer that is one, a number times its price, or the sum of a table's column. */
export type Amount = { cents: number } | Variable | { times: [Variable, number] } | { sum: [string, string] }
/** A line of a computed amount; with `if` it counts only where the comparison holds. */
export type Term = Amount | { if: [Comparison, Amount, 0] }

/** The name under which an answer is kept. It stays when the label changes, so that answers are carried over. */
export const NAME = /^[a-z][a-z0-9_]{0,39}$/

const MAX_LINES = 20
const MAX_LENGTH = 200

const isName = (value: unknown): boolean => typeof value === 'string' && NAME.test(value)
const isCents = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_CENTS

/** The one operator of a piece of logic, and what it is given; null of anything else. */
function operation(value: unknown): [operator: string, given: unknown] | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const entries = Object.entries(value)
  return entries.length === 1 ? (entries[0] ?? null) : null
}

const isVariable = (value: unknown): boolean => {
  const [operator, given] = operation(value) ?? []
  return operator === 'var' && isName(given)
}

function isComparison(value: unknown): boolean {
  const [operator, given] = operation(value) ?? []
  if (!operators.includes(operator as Operator) || !Array.isArray(given)) return false
  const [one, other] = given as unknown[]
  const isValue = typeof other === 'string' ? other.length <= MAX_LENGTH : Number.isFinite(other)
  return isVariable(one) && (given.length === 1 || (given.length === 2 && isValue))
}

function isCondition(value: unknown): boolean {
  const [operator, given] = operation(value) ?? []
  const isList = Array.isArray(given) && given.length <= MAX_LINES && given.every(isComparison)
  return (operator === 'and' || operator === 'or') && isList
}

function isAmount(value: unknown): boolean {
  const [operator, given] = operation(value) ?? []
  if (operator === 'cents') return isCents(given)
  if (operator === 'var') return isName(given)
  if (!Array.isArray(given) || given.length !== 2) return false
  if (operator === 'times') return isVariable(given[0]) && isCents(given[1])
  return operator === 'sum' && given.every(isName)
}

function isTerm(value: unknown): boolean {
  const [operator, given] = operation(value) ?? []
  if (operator !== 'if') return isAmount(value)
  return Array.isArray(given) && given.length === 3 && isComparison(given[0]) && isAmount(given[1]) && given[2] === 0
}

const read = <Value>(is: (value: unknown) => boolean, error: string) =>
  z.unknown().check(z.refine(is, { error })) as unknown as z.ZodMiniType<Value, Value>

export const condition = read<Condition>(isCondition, 'Say what this depends on again.')
export const term = read<Term>(isTerm, 'Enter an amount, such as 25.00.')
export const MAX_TERMS = MAX_LINES
