import { LogicEngine } from 'json-logic-engine'
import type { Answers } from './answer.ts'
import type { Condition, FieldType, Operator, Term } from './definition.ts'
import { timesCents } from './numbers.ts'

/** Operators that conditions may use for each field type. The builder preselects the first one. */
export const operatorsOf: Record<FieldType, readonly Operator[]> = {
  text: ['==', '!=', 'filled', 'empty'],
  email: ['==', '!=', 'filled', 'empty'],
  phone: ['filled', 'empty'],
  choice: ['==', '!=', 'filled', 'empty'],
  choices: ['includes', 'lacks', 'filled', 'empty'],
  checkbox: ['filled', 'empty'],
  number: ['==', '!=', '>', '>=', '<', '<=', 'filled', 'empty'],
  date: ['day_is', 'day_before', 'day_after', 'years_ago', 'filled', 'empty'],
  payment: ['cents_over', 'cents_under', 'cents_is', 'filled', 'empty'],
  money: ['cents_over', 'cents_under', 'cents_is', 'filled', 'empty'],
  computed: ['cents_over', 'cents_under', 'cents_is'],
  address: ['filled', 'empty'],
  file: ['filled', 'empty'],
  signature: ['filled', 'empty'],
  table: ['filled', 'empty'],
  reading: [],
}

/** True if the operator compares with a value. `filled` and `empty` check only whether an answer exists. */
export const needsValue = (operator: Operator): boolean => operator !== 'filled' && operator !== 'empty'

type ConditionData = Readonly<Record<string, unknown>>
/**
 * Key under which conditions find today's date among the answers. It starts with a space, so no field can have this
 * name.
 */
const TODAY = ' today'

const plain = (value: unknown): unknown => (typeof value === 'string' ? value.trim().toLowerCase() : value)
const isNone = (value: unknown): boolean => value === null || value === undefined
const numbers = (compare: (one: number, other: number) => boolean) => (parts: readonly unknown[]) =>
  typeof parts[0] === 'number' && typeof parts[1] === 'number' && compare(parts[0], parts[1])
/** Compares dates as strings, because YYYY-MM-DD sorts by date. */
const days = (compare: (one: string, other: string) => boolean) => (parts: readonly unknown[], data: ConditionData) => {
  const other = parts[1] === 'today' ? data[TODAY] : parts[1]
  return typeof parts[0] === 'string' && typeof other === 'string' && compare(parts[0], other)
}
const yearsBefore = (day: string, years: number) =>
  `${String(Number(day.slice(0, 4)) - years).padStart(4, '0')}${day.slice(4)}`
const amountOf = (value: unknown): number => (typeof value === 'number' ? value : 0)

/**
 * Evaluates JSON Logic with only these operators. A comparison with an unanswered field is false, so that a missing
 * answer never makes a field visible.
 */
const engine = new LogicEngine(
  {
    var: ([name]: [string], data: ConditionData) => (Object.hasOwn(data, name) ? data[name] : null),
    and: (all: readonly unknown[]) => all.every(Boolean),
    or: (all: readonly unknown[]) => all.some(Boolean),
    filled: ([value]: readonly unknown[]) => !isNone(value),
    empty: ([value]: readonly unknown[]) => isNone(value),
    '==': ([one, other]: readonly unknown[]) => !isNone(one) && plain(one) === plain(other),
    '!=': ([one, other]: readonly unknown[]) => !isNone(one) && plain(one) !== plain(other),
    includes: ([list, one]: readonly unknown[]) => Array.isArray(list) && list.includes(one),
    lacks: ([list, one]: readonly unknown[]) => Array.isArray(list) && !list.includes(one),
    '>': numbers((one, other) => one > other),
    '>=': numbers((one, other) => one >= other),
    '<': numbers((one, other) => one < other),
    '<=': numbers((one, other) => one <= other),
    cents_is: numbers((one, other) => one === other),
    cents_over: numbers((one, other) => one > other),
    cents_under: numbers((one, other) => one < other),
    day_is: days((one, other) => one === other),
    day_before: days((one, other) => one < other),
    day_after: days((one, other) => one > other),
    years_ago: ([day, years]: readonly unknown[], data: ConditionData) =>
      typeof day === 'string' && typeof years === 'number' && day <= yearsBefore(String(data[TODAY]), years),
    if: ([holds, then, otherwise]: readonly unknown[]) => (holds ? then : otherwise),
    cents: ([amount]: readonly unknown[]) => amountOf(amount),
    times: ([count, each]: readonly unknown[]) => timesCents(amountOf(count), amountOf(each)),
    sum: ([table, column]: [string, string], data: ConditionData) => {
      const rows = Object.hasOwn(data, table) ? data[table] : []
      return (rows as readonly ConditionData[]).reduce((sum, row) => sum + amountOf(row[column]), 0)
    },
    '+': (all: readonly unknown[]) => all.reduce<number>((sum, one) => sum + amountOf(one), 0),
  } as never,
  // Turns off an optimization that caches plans. The builder changes definitions in place, so a cached plan would be
  // outdated.
  { disableInterpretedOptimization: true },
)

const run = (logic: unknown, answers: Answers, today: string): unknown =>
  engine.run(logic, { ...answers, [TODAY]: today })

/** True if the condition is met, so that its field is shown. A field without a condition is always shown. */
export const holds = (condition: Condition | null, answers: Answers, today: string): boolean =>
  condition === null || Boolean(run(condition, answers, today))

export const computedCents = (terms: { '+': Term[] }, answers: Answers, today: string): number =>
  Number(run(terms, answers, today))
