import type { ResponseOf } from '../../../shared/endpoint.ts'
import type { analytics } from '../contract.ts'
import type { MeasureName } from '../rules.ts'

export type AnalyticsResponse = ResponseOf<typeof analytics>
export type Part = AnalyticsResponse['measures'][number]['parts'][number]

export const partsOf = ({ measures }: AnalyticsResponse, name: MeasureName): readonly Part[] =>
  measures.find((measure) => measure.name === name)?.parts ?? []

/** Adds up several parts: the current values, the earlier values and the values at each point. */
export function together(parts: readonly Part[], points: number): Omit<Part, 'part'> {
  const sum = (pick: (part: Part) => number) => parts.reduce((all, part) => all + pick(part), 0)
  const at = (pick: (part: Part) => readonly number[]) =>
    Array.from({ length: points }, (_, n) => sum((part) => pick(part)[n] ?? 0))
  return {
    count: sum(({ count }) => count),
    cents: sum(({ cents }) => cents),
    before: { count: sum(({ before }) => before.count), cents: sum(({ before }) => before.cents) },
    counts: at(({ counts }) => counts),
    centsAt: at(({ centsAt }) => centsAt),
  }
}
