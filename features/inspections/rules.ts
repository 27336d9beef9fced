import type { Answers } from '../../shared/fields/answer.ts'
import { holds } from '../../shared/fields/conditions.ts'
import type { Definition } from '../../shared/fields/definition.ts'
import { allFields, comparisonsIn, partsOf } from '../../shared/fields/walk.ts'
import type { ItemStatus } from './states.ts'

export const INSPECTIONS_PATH = '/municipality/inspections'

/** The subject that is a place and nothing else. */
export const PLACE = 'place'

/** 'I-2026-000123' */
export const inspectionNumber = (year: number, nth: number): string => `I-${year}-${String(nth).padStart(6, '0')}`

interface Item {
  id: number
  status: ItemStatus
  repeatOf: number | null
}

/** What counts of a checklist: an item that was repeated counts no more. */
export function counting<I extends Item>(items: readonly I[]): I[] {
  const repeated = new Set(items.map(({ repeatOf }) => repeatOf))
  return items.filter(({ id }) => !repeated.has(id))
}

/** What an inspection comes to; null while an item that counts has no verdict. */
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
 * The items that are not asked, each with the questions that decide so. What depends on steps that are not part of this
 * inspection is asked: a re-inspection has those alone that failed. What has a verdict keeps it, whatever is answered later.
 *
 * @param day on which conditions about dates are judged
 */
export function notAsked(definition: Definition, items: readonly AnsweredItem[], day: string): Map<number, string[]> {
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
      const hasVerdict = item.status === 'passed' || item.status === 'failed'
      if (isLeft && !hasVerdict)
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
