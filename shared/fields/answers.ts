import { formatCents, MAX_CENTS } from '../money.ts'
import type { Answer, Answers, Raw } from './answer.ts'
import { computedCents, holds } from './conditions.ts'
import type { Definition } from './definition.ts'
import { allFields } from './walk.ts'
import { readAnswer } from './read.ts'
import { say } from '../messages.ts'

export interface CheckedAnswers {
  /** Cleaned answers to save. Includes computed answers and leaves out hidden fields. */
  answers: Answers
  /** One error for each wrong field or part, such as `pets.0.name`. Empty if all answers are valid. */
  errors: Record<string, string>
  /** Keys of the visible steps and fields. */
  visibleKeys: ReadonlySet<string>
}

/** Returns the key of a step. The prefix allows a step and a field to share a name. */
export const stepKey = (id: string): string => `step ${id}`

/**
 * Checks typed answers, by the same rules in the browser and on the server. One pass is enough, because a condition
 * reads only earlier fields. Hidden fields are not required, not saved, and empty for later conditions.
 * @param today the company's day, as YYYY-MM-DD
 */
export function answersOf(definition: Definition, raw: unknown, today: string): CheckedAnswers {
  const input = typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? (raw as Raw) : {}
  const answers: Record<string, Answer> = {}
  const errors: Record<string, string> = {}
  const visible = new Set<string>()
  for (const step of definition.steps) {
    if (!holds(step.showWhen, answers, today)) continue
    visible.add(stepKey(step.id))
    for (const field of step.fields) {
      if (!holds(field.showWhen, answers, today)) continue
      visible.add(field.name)
      if (field.type === 'computed') {
        const sum = computedCents(field.terms, answers, today)
        if (sum <= MAX_CENTS) answers[field.name] = sum
        else errors[field.name] = say`The total is more than ${formatCents(MAX_CENTS)}. Enter smaller numbers above.`
        continue
      }
      const read = readAnswer(field, Object.hasOwn(input, field.name) ? input[field.name] : undefined, today)
      if (read.answer !== undefined) answers[field.name] = read.answer
      for (const [part, message] of Object.entries(read.errors ?? {}))
        errors[part === '' ? field.name : `${field.name}.${part}`] = message
    }
  }
  return { answers, errors, visibleKeys: visible }
}

const chargedFields = (definition: Definition) =>
  allFields(definition).filter((field) => field.type === 'payment' || (field.type === 'computed' && field.charged))

/**
 * Returns the amount to pay for the answers, in cents. Adds up the payment fields and the computed amounts that are
 * charged.
 */
export const chargedCents = (definition: Definition, answers: Answers): number =>
  chargedFields(definition).reduce((sum, { name }) => sum + Number(answers[name] ?? 0), 0)

/** Lists the parts of the charged amount. The receipt shows each part under the title of the form. */
export const chargedItems = (title: string, definition: Definition, answers: Answers) =>
  chargedFields(definition)
    .map(({ name, label }) => ({ text: `${title}: ${label}`, note: '', amountCents: Number(answers[name] ?? 0) }))
    .filter(({ amountCents }) => amountCents > 0)
