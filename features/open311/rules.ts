/** How the portal's requests are told in the words of Open311 (GeoReport v2). */
import type { Field, FormStep } from '../../shared/fields/definition.ts'
import { say } from '../../shared/words.ts'
import type { RequestStatus } from '../service-requests/states.ts'

/** As the specification has it: so many requests, and so many days, at most in one answer. */
export const MAX_ROWS = 1000
export const MAX_DAYS = 90

export const isOpen = (status: RequestStatus): boolean => status === 0 || status === 1 || status === 3

export interface Attribute {
  /** False: it is only to be read. */
  variable: boolean
  code: string
  datatype: 'string' | 'number' | 'datetime' | 'text' | 'singlevaluelist' | 'multivaluelist'
  required: boolean
  datatype_description: string | null
  order: number
  description: string
  values?: { key: string; name: string }[]
}

const YES = [{ key: 'yes', name: 'Yes' }]

/** The datatypes of those fields that another portal can ask for. The others have no counterpart in Open311. */
const told: { [Type in Field['type']]?: (field: Extract<Field, { type: Type }>) => Partial<Attribute> } = {
  text: ({ long }) => ({ datatype: long ? 'text' : 'string' }),
  email: () => ({ datatype: 'string', datatype_description: say`An email address.` }),
  phone: () => ({ datatype: 'string', datatype_description: say`A phone number of ten digits.` }),
  number: () => ({ datatype: 'number' }),
  money: () => ({ datatype: 'number', datatype_description: say`Dollars, such as 25.00.` }),
  date: () => ({ datatype: 'datetime', datatype_description: say`A day, as YYYY-MM-DD.` }),
  choice: ({ options }) => ({ datatype: 'singlevaluelist', values: valuesOf(options) }),
  choices: ({ options }) => ({ datatype: 'multivaluelist', values: valuesOf(options) }),
  checkbox: () => ({ datatype: 'singlevaluelist', values: YES }),
  reading: ({ text }) => ({ variable: false, required: false, datatype: 'text', description: text }),
}

const valuesOf = (options: readonly { value: string; label: string }[]) =>
  options.map(({ value, label }) => ({ key: value, name: label }))

type Steps = { steps: readonly FormStep[] }
const fieldsOf = ({ steps }: Steps) =>
  steps.flatMap(({ showWhen, fields }) => fields.map((field) => ({ showWhen, field })))
const isToldOf = ({ type }: Field) => type in told

/** Can another portal ask all that has to be answered? A signature that is required, say, is drawn here alone. */
export const canBeSent = (definition: Steps): boolean =>
  fieldsOf(definition).every(({ field }) => isToldOf(field) || !field.required || field.type === 'computed')

/** What is asked of a category. Open311 knows no conditions: what only some have to answer is not required of all. */
export const attributesOf = (definition: Steps): Attribute[] =>
  fieldsOf(definition)
    .filter(({ field }) => isToldOf(field))
    .map(({ showWhen, field }, index) => ({
      variable: true,
      code: field.name,
      datatype: 'string',
      required: field.required && showWhen === null && field.showWhen === null,
      datatype_description: field.help || null,
      order: index + 1,
      description: field.label,
      ...(told[field.type] as (field: Field) => Partial<Attribute>)(field),
    }))

/** The answers in `attribute[code]=value` and `attribute[code][]=value`, in the shapes that the portal's own form sends. */
export function answersIn(definition: Steps, form: URLSearchParams): Record<string, unknown> {
  const answers: Record<string, unknown> = {}
  for (const { field } of fieldsOf(definition)) {
    const values = [`attribute[${field.name}]`, `attribute[${field.name}][]`].flatMap((name) => form.getAll(name))
    if (values.length === 0 || !isToldOf(field)) continue
    const [first = ''] = values
    if (field.type === 'choices') answers[field.name] = values.filter((value) => value !== '')
    else if (field.type === 'checkbox') answers[field.name] = /^(?:yes|true|1|on)$/i.test(first)
    // A time of day is no part of the answer.
    else if (field.type === 'date') answers[field.name] = /^\d{4}-\d\d-\d\dT/.test(first) ? first.slice(0, 10) : first
    else answers[field.name] = first
  }
  return answers
}

const DAY = 86_400_000
export const DATE_WRONG = 'Write dates as 2026-05-24T00:00:00Z, or as 2026-05-24.'
const DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/

/** A time as W3C writes it, where none is said by Greenwich; undefined where it is none. */
export function instantIn(text: string): Date | undefined {
  if (!DATE.test(text)) return undefined
  const zoned = text.includes('T') && !/(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? `${text}Z` : text
  const at = new Date(zoned.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
  // JavaScript takes the 30th of February for the 2nd of March.
  const isDay = new Date(`${text.slice(0, 10)}T00:00:00Z`).toISOString().slice(0, 10) === text.slice(0, 10)
  return Number.isNaN(at.getTime()) || !isDay ? undefined : at
}

/** From when to when is asked: the last 90 days where nothing is said, and never more than 90. */
export function spanOf(start: Date | undefined, end: Date | undefined, now: Date): { from: Date; to: Date } {
  const to = end ?? (start ? new Date(Math.min(now.getTime(), start.getTime() + MAX_DAYS * DAY)) : now)
  const earliest = to.getTime() - MAX_DAYS * DAY
  return { from: new Date(Math.max(start?.getTime() ?? earliest, earliest)), to }
}
