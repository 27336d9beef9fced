import { expect, it } from 'vitest'
import type * as z from 'zod/mini'
import { allCalls } from '../portal/server.ts'
import { plainTyped } from '../shared/visible.ts'

/**
 * Characters that people may paste together with an identifier: typographic spaces, zero-width characters, direction
 * marks and soft hyphens.
 */
const PASTED = [
  (text: string) => `\u00A0${text}\u202F`,
  (text: string) => `${text}\u200B`,
  (text: string) => `\u202A${text}\u202C`,
  (text: string) => `\uFEFF${text}\u00AD`,
  (text: string) => `${text.slice(0, 2)}\u200B${text.slice(2)}`,
  (text: string) => `\t${text}\r\n`,
]

/**
 * Patterns for names of identifier fields, each with sample values. The test uses the first value that the field's
 * schema accepts.
 */
const SAMPLES: [RegExp, string[]][] = [
  [/email|^alsoTo$/i, ['ann.lee@example.org']],
  [/phone|mobile|sms_number/i, ['7175550199']],
  [/zip/i, ['17011']],
  [/account(?:Number|_no)|^account$/i, ['100001']],
  [/plateState|^state$/i, ['PA']],
  [/plate/i, ['KLM4821']],
  [/citation/i, ['MG-2026-00417']],
  [/parcel(?:Number|No)/i, ['12-345-678']],
  [/pin$/i, ['4821', '482193']],
  [/code/i, ['482193', '4821-9377', 'AB12-CD34-EF56', 'abcdefghijklmnopqrstuv', 'W1']],
  [/^(?:number|into|first)$/i, ['1001', 'R-2026-000123', 'H-104']],
]

/** Identifiers that people never type or paste, because the portal creates them or offers them in a list. */
const NOT_TYPED =
  /Link$|token$|^(?:codes|timeZone|serviceCode)$|sso\/.* code$|^admin\/(?:create|update)\/company\/details/i

interface Field {
  at: string
  name: string
  schema: z.ZodMiniType
}

/** Lists the fields of a request body, including fields in lists and unions. */
function fieldsIn(schema: z.ZodMiniType | undefined, at: string, depth = 0): Field[] {
  const def = schema?._zod.def as
    | { type: string; shape?: object; innerType?: z.ZodMiniType; element?: z.ZodMiniType; options?: z.ZodMiniType[] }
    | undefined
  if (!def || depth > 6) return []
  if (def.shape)
    return Object.entries(def.shape as Record<string, z.ZodMiniType>).flatMap(([name, field]) => [
      { at: `${at} ${name}`, name, schema: field },
      ...fieldsIn(field, `${at} ${name}`, depth + 1),
    ])
  const inner = [def.innerType, def.element, ...(def.options ?? [])]
  return inner.flatMap((one) => fieldsIn(one, at, depth + 1))
}

const all = allCalls.flatMap(({ endpoint }) => fieldsIn(endpoint.body as z.ZodMiniType | undefined, endpoint.path))

const identifiers = [
  ...new Map(
    all.flatMap(({ at, name, schema }) => {
      const samples =
        NOT_TYPED.test(name) || NOT_TYPED.test(at) ? undefined : SAMPLES.find(([names]) => names.test(name))?.[1]
      const sample = samples?.find((text) => schema.safeParse(text).success)
      return sample === undefined ? [] : [[schema, { at, schema, sample }] as const]
    }),
  ).values(),
]

it('finds the identifiers of all calls', () => {
  expect(identifiers.length).toBeGreaterThan(50)
})

it.each(identifiers)('accepts an identifier pasted with invisible characters: $at', ({ schema, sample }) => {
  const clean = schema.parse(sample)
  const others = PASTED.map((paste) => {
    const read = schema.safeParse(paste(sample))
    return read.success ? read.data : (read.error.issues[0]?.message ?? 'refused')
  })
  expect(others).toEqual(PASTED.map(() => clean))
})

it.each([
  ['100\u00A0001', '100 001'],
  ['100001\u200B', '100001'],
  ['\u202A100001\u202C', '100001'],
  ['12\u2013345\u2212678', '12-345-678'],
  ['\uFF11\uFF10\uFF10\uFF10\uFF10\uFF11', '100001'],
  ['ann\u200B@example.org ', 'ann@example.org'],
])('writes %j as %j', (pasted, plain) => {
  expect(plainTyped(pasted)).toBe(plain)
})
