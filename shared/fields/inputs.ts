import { plainDollars } from '../money.ts'
import type { Definition, Field } from './definition.ts'
import { allFields } from './walk.ts'

/**
 * Converts answers to input values: amounts to dollars, numbers to strings. `answersOf` converts input values back to
 * answers.
 */
export const toInputs = (definition: Definition, raw: Readonly<Record<string, unknown>>): Record<string, unknown> => ({
  ...raw,
  ...Object.fromEntries(
    allFields(definition).flatMap((field) =>
      field.name in raw ? [[field.name, toInput(field, raw[field.name])]] : [],
    ),
  ),
})

function toInput(field: Field, raw: unknown): unknown {
  if (field.type === 'table' && Array.isArray(raw))
    return raw.map((row: Record<string, unknown>) =>
      Object.fromEntries(
        Object.entries(row).map(([name, cell]) => {
          const column = field.columns.find((one) => one.name === name)
          return [name, column ? toInput(column, cell) : cell]
        }),
      ),
    )
  if (typeof raw !== 'number') return raw
  return field.type === 'money' || field.type === 'payment' ? plainDollars(raw) : String(raw)
}
