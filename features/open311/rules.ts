/** Translates the portal's requests to Open311 (GeoReport v2). */
import type { Field, FormStep } from '../../shared/fields/definition.ts'
import { say } from '../../shared/messages.ts'
import type { RequestStatus } from '../service-requests/states.ts'
import { requestStatus } from '../service-requests/rules.ts'

/** Maximum number of rows and days in one response, as the Open311 standard requires. */
export const MAX_ROWS = 1000
export const MAX_DAYS = 90

export const isOpen = (status: RequestStatus): boolean =>
  status === requestStatus.new || status === requestStatus.inProgress || status === requestStatus.reopened

export interface Attribute {
  /** True if the caller can enter a value. False if the attribute is read-only. */
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

/** Converters of fields to Open311 attributes, by field type. Other field types have no Open311 equivalent. */
const attributeMappers: { [Type in Field['type']]?: (field: Extract<Field, { type: Type }>) => Partial<Attribute> } = {
  text: ({ long }) => ({ datatype: long ? 'text' : 'string' }),
  email: () => ({ datatype: 'string', datatype_description: say`Enter an email address.` }),
  phone: () => ({ datatype: 'string', datatype_description: say`Enter a phone number of ten digits.` }),
  number: () => ({ datatype: 'number' }),
  money: () => ({ datatype: 'number', datatype_description: say`Enter an amount in dollars, such as 25.00.` }),
  date: () => ({ datatype: 'datetime', datatype_description: say`Enter a date as YYYY-MM-DD.` }),
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
const hasAttribute = ({ type }: Field) => type in attributeMappers

/**
 * True if another portal can ask all required questions. For example, a required signature is possible only in this
 * portal.
 */
export const canBeSent = (definition: Steps): boolean =>
  fieldsOf(definition).every(({ field }) => hasAttribute(field) || !field.required || field.type === 'computed')

/** Returns the attributes of a category. Open311 has no conditions, so a field with a condition is never required. */
export const attributesOf = (definition: Steps): Attribute[] =>
  fieldsOf(definition)
    .filter(({ field }) => hasAttribute(field))
    .map(({ showWhen, field }, index) => ({
      variable: true,
      code: field.name,
      datatype: 'string',
      required: field.required && showWhen === null && field.showWhen === null,
      datatype_description: field.help || null,
      order: index + 1,
      description: field.label,
      ...(attributeMappers[field.type] as (field: Field) => Partial<Attribute>)(field),
    }))

/**
 * Reads the answers in `attribute[code]=value` and `attribute[code][]=value` into the format of the portal's own form.
 */
export function answersIn(definition: Steps, form: URLSearchParams): Record<string, unknown> {
  const answers: Record<string, unknown> = {}
  for (const { field } of fieldsOf(definition)) {
    const values = [`attribute[${field.name}]`, `attribute[${field.name}][]`].flatMap((name) => form.getAll(name))
    if (values.length === 0 || !hasAttribute(field)) continue
    const [first = ''] = values
    if (field.type === 'choices') answers[field.name] = values.filter((value) => value !== '')
    else if (field.type === 'checkbox') answers[field.name] = /^(?:yes|true|1|on)$/i.test(first)
    // Removes the time of day from the answer.
    else if (field.type === 'date') answers[field.name] = /^\d{4}-\d\d-\d\dT/.test(first) ? first.slice(0, 10) : first
    else answers[field.name] = first
  }
  return answers
}

const DAY = 86_400_000
export const DATE_INVALID = 'Write dates as 2026-05-24T00:00:00Z, or as 2026-05-24.'
const DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/

/** Parses a W3C time, in UTC if it has no offset. Undefined if it is not a time. */
export function instantIn(text: string): Date | undefined {
  if (!DATE.test(text)) return undefined
  const zoned = text.includes('T') && !/(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? `${text}Z` : text
  const at = new Date(zoned.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
  // JavaScript parses February 30 as March 2, so a date that changes in parsing does not exist.
  const isDay = new Date(`${text.slice(0, 10)}T00:00:00Z`).toISOString().slice(0, 10) === text.slice(0, 10)
  return Number.isNaN(at.getTime()) || !isDay ? undefined : at
}

/** Returns the requested time range: by default the last 90 days, and never more than 90 days. */
export function spanOf(start: Date | undefined, end: Date | undefined, now: Date): { from: Date; to: Date } {
  const to = end ?? (start ? new Date(Math.min(now.getTime(), start.getTime() + MAX_DAYS * DAY)) : now)
  const earliest = to.getTime() - MAX_DAYS * DAY
  return { from: new Date(Math.max(start?.getTime() ?? earliest, earliest)), to }
}
