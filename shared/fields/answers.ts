import { formatCents, MAX_CENTS } from '../money.ts'
import type { Answer, Answers, Raw } from './answer.ts'
import { computedCents, holds } from './conditions.ts'
import type { Definition } from './definition.ts'
import { allFields } from './walk.ts'
import { readAnswer } from './read.ts'
import { say } from '../words.ts'

export interface CheckedAnswers {
  /** What is kept: cleaned, without what is hidden, and with what we computed ourselves. */
  answers: Answers
  /** A sentence for each field or part of one that is wrong: `pets.0.name`. Empty where all is well. */
  errors: Record<string, string>
  /** The names of the steps and fields that are shown for these answers. */
  shown: ReadonlySet<string>
}

/** The two have names of their own kind, so that a step and a field can be called the same. */
export const stepKey = (id: string): string => `step ${id}`

/**
 * Checks what somebody typed, by the same rules in the browser and on the server. Conditions look at what stands above
 * them, so one walk from the top decides everything: what is hidden is not asked, not kept, and empty for what follows.
 *
 * @param today the town's day, as YYYY-MM-DD
 */
export function answersOf(definition: Definition, raw: unknown, today: string): CheckedAnswers {
  const given = typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? (raw as Raw) : {}
  const answers: Record<string, Answer> = {}
  const errors: Record<string, string> = {}
  const shown = new Set<string>()
  for (const step of definition.steps) {
    if (!holds(step.showWhen, answers, today)) continue
    shown.add(stepKey(step.id))
    for (const field of step.fields) {
      if (!holds(field.showWhen, answers, today)) continue
      shown.add(field.name)
      if (field.type === 'computed') {
        const sum = computedCents(field.terms, answers, today)
        if (sum <= MAX_CENTS) answers[field.name] = sum
        else errors[field.name] = say`This comes to more than ${formatCents(MAX_CENTS)}. Enter smaller numbers above.`
        continue
      }
      const read = readAnswer(field, Object.hasOwn(given, field.name) ? given[field.name] : undefined, today)
      if (read.answer !== undefined) answers[field.name] = read.answer
      for (const [part, says] of Object.entries(read.errors ?? {}))
        errors[part === '' ? field.name : `${field.name}.${part}`] = says
    }
  }
  return { answers, errors, shown }
}

const chargedFields = (definition: Definition) =>
  allFields(definition).filter((field) => field.type === 'payment' || (field.type === 'computed' && field.charged))

/** What is to be paid for these answers: payments, and computed amounts that are charged. */
export const chargedCents = (definition: Definition, answers: Answers): number =>
  chargedFields(definition).reduce((sum, { name }) => sum + Number(answers[name] ?? 0), 0)

/** What that is made of: on the receipt each part stands under the title of what is paid. */
export const chargedItems = (title: string, definition: Definition, answers: Answers) =>
  chargedFields(definition)
    .map(({ name, label }) => ({ text: `${title}: ${label}`, note: '', amountCents: Number(answers[name] ?? 0) }))
    .filter(({ amountCents }) => amountCents > 0)
