import * as z from 'zod/mini'

export type Values = Record<string, unknown>

interface Node {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Node[]
  oneOf?: Node[]
  allOf?: Node[]
  items?: Node
  properties?: Record<string, Node>
  pattern?: string
  format?: string
}

const TEXTS = [
  ...['Ann Lee', '', 'ann@example.com', '2026-12-01', '2026-12-01T09:30', '09:30', '17011', 'PA', '717-555-0133'],
  ...['(717) 555-0133', '12', '1', '100001', 'https://example.com', 'a', 'Maple-Grove#2026', '#324c96', 'en', '123456'],
  ...['12-01', 'KLM4821', 'x'.repeat(43), 'x'.repeat(24), 'America/New_York', '110000000', '1.5', 'example.com'],
]
const NUMBERS = [1, 0, 5, 100, 500, 2026, 2, 9]

/** Returns values that may fit a JSON schema node, most common first. */
function candidates(node: Node): unknown[] {
  if ('const' in node) return [node.const]
  if (node.enum) return node.enum
  const either = node.anyOf ?? node.oneOf
  if (either) return either.flatMap(candidates)
  if (node.type === 'string') return TEXTS
  if (node.type === 'integer' || node.type === 'number') return NUMBERS
  if (node.type === 'boolean') return [true, false]
  if (node.type === 'null') return [null]
  if (node.type === 'array') return [[], ...candidates(node.items ?? {}).map((item) => [item])]
  if (node.type === 'object') {
    const fields = Object.entries(node.properties ?? {}).map(([name, inner]) => [name, candidates(inner)] as const)
    const max = Math.min(30, Math.max(1, ...fields.map(([, all]) => all.length)))
    return Array.from({ length: max }, (_, n) =>
      Object.fromEntries(fields.map(([name, all]) => [name, all[n] ?? all[0]])),
    )
  }
  return [...TEXTS, ...NUMBERS, true, null]
}

const fieldsOf = (schema: z.ZodMiniObject) =>
  (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Node).properties ?? {}

const invalidIn = (schema: z.ZodMiniObject, values: Values): Set<string> =>
  new Set(schema.safeParse(values).error?.issues.map(({ path }) => String(path[0])))

/**
 * Finds values that the schema accepts, one field at a time. `isValid` is false if the schema rejects the values
 * together because two fields depend on each other.
 */
export function validValuesOf(schema: z.ZodMiniObject): { values: Values; isValid: boolean } {
  const fields = Object.entries(fieldsOf(schema))
  const values: Values = Object.fromEntries(fields.map(([name, node]) => [name, candidates(node)[0]]))
  for (const [name, node] of fields)
    for (const value of candidates(node)) {
      if (!invalidIn(schema, values).has(name)) break
      values[name] = value
    }
  return { values, isValid: schema.safeParse(values).success }
}

const BAD = ['', 'x'.repeat(30_000), null, -1, Number.NaN, 1e15, [], {}, true, undefined]

/** Returns, for each field, a value that the schema refuses. The other fields stay valid. */
export function invalidValuesOf(schema: z.ZodMiniObject, { values }: { values: Values }) {
  return Object.keys(values).flatMap((name) => {
    const invalid = BAD.find((bad) => invalidIn(schema, { ...values, [name]: bad }).has(name))
    return invalid === undefined && !invalidIn(schema, { ...values, [name]: undefined }).has(name)
      ? []
      : [{ name, invalid }]
  })
}
