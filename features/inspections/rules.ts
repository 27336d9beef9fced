import type { Answers } from '../../shared/fields/answer.ts'
import { holds } from '../../shared/fields/conditions.ts'
import type { Definition } from '../../shared/fields/definition.ts'
import { allFields, comparisonsIn, partsOf } from '../../shared/fields/walk.ts'
import type { ItemStatus } from './states.ts'

export const INSPECTIONS_PATH = '/municipality/inspections'

/** Subject kind of an inspection that has a location but no other subject. */
export const LOCATION = 'location'

/** Formats an inspection number, for example 'I-2026-000123'. */
export const inspectionNumber = (year: number, index: number): string => `I-${year}-${String(index).padStart(6, '0')}`

interface Item {
  id: number
  status: ItemStatus
  repeatOf: number | null
}

/** Returns the checklist items that count. An item that was repeated does not count. */
export function counting<I extends Item>(items: readonly I[]): I[] {
  const repeated = new Set(items.map(({ repeatOf }) => repeatOf))
  return items.filter(({ id }) => !repeated.has(id))
}

/** Returns the result of an inspection. Null if an item that counts has no decision yet. */
export function resultOf(items: readonly Item[]): 'passed' | 'failed' | null {
  const count = counting(items)
  if (count.length === 0 || count.some(({ status }) => status === 'open' || status === 'complete')) return null
  return count.some(({ status }) => status === 'failed') ? 'failed' : 'passed'
}

export const dueLabels = { overdue: 'Overdue', week: 'Due within 7 days', later: 'Later' } as const
export type DueGroup = keyof typeof dueLabels

interface AnsweredItem extends Item {
  step: string
  answers: Readonly<Record<string, unknown>>
}

/**
 * Returns the items that are not asked, with the questions that exclude them. An item that depends on steps outside
 * this inspection is asked, because a re-inspection has only the failed items. A decided item keeps its decision,
 * whatever is answered later.
 * @param day the date for conditions about dates
 */
export function skippedItems(
  definition: Definition,
  items: readonly AnsweredItem[],
  day: string,
): Map<number, string[]> {
  const left = new Map<number, string[]>()
  const count = counting(items)
  const answers: Record<string, Answers[string]> = {}
  const here = new Set<string>()
  const labels = new Map(allFields(definition).map(({ name, label }) => [name, label]))
  for (const { id, showWhen, fields } of definition.steps) {
    const of = count.filter(({ step }) => step === id)
    const names = [...new Set(comparisonsIn(showWhen).map((one) => partsOf(one).name))]
    const isLeft = names.every((name) => here.has(name)) && !holds(showWhen, answers, day)
    for (const item of of) {
      const hasResult = item.status === 'passed' || item.status === 'failed'
      if (isLeft && !hasResult)
        left.set(
          item.id,
          names.map((name) => labels.get(name) ?? name),
        )
      else Object.assign(answers, item.answers)
    }
    if (of.length > 0) for (const { name } of fields) here.add(name)
  }
  return left
}
