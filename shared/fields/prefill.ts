import type { AddressAnswer } from './answer.ts'
import type { Definition, Prefill } from './definition.ts'
import { allFields } from './walk.ts'

/** What is known of whoever fills it in; of a guest, the day alone. */
export type PrefillData = Partial<Record<Exclude<Prefill, 'address' | 'full_name'>, string>> & {
  address?: AddressAnswer
}

/** What stands in the inputs before anything is typed. It is typed over like anything else. */
export function prefilled(definition: Definition, known: PrefillData): Record<string, unknown> {
  const full_name = [known.first_name, known.last_name].filter(Boolean).join(' ')
  const sources = { ...known, full_name }
  return Object.fromEntries(
    allFields(definition).flatMap((field) => {
      const value = 'prefill' in field && field.prefill !== null ? sources[field.prefill] : undefined
      return value === undefined || value === '' ? [] : [[field.name, value]]
    }),
  )
}
