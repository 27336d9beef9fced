import type { AddressAnswer } from './answer.ts'
import type { Definition, Prefill } from './definition.ts'
import { allFields } from './walk.ts'

/** Known data about the person who fills in the form. For a guest, only today's date. */
export type PrefillData = Partial<Record<Exclude<Prefill, 'address' | 'full_name'>, string>> & {
  address?: AddressAnswer
}

/** Returns the input values to prefill. The person can change them. */
export function prefilled(definition: Definition, data: PrefillData): Record<string, unknown> {
  const full_name = [data.first_name, data.last_name].filter(Boolean).join(' ')
  const sources = { ...data, full_name }
  return Object.fromEntries(
    allFields(definition).flatMap((field) => {
      const value = 'prefill' in field && field.prefill !== null ? sources[field.prefill] : undefined
      return value === undefined || value === '' ? [] : [[field.name, value]]
    }),
  )
}
