import { type RawBuilder, sql } from 'kysely'
import { csvDollars, csvText } from '../csv.ts'
import type { CompanyId, Tx } from '../tenancy.ts'
import type { Definition, Field } from '../../shared/fields/definition.ts'
import { allFields } from '../../shared/fields/walk.ts'
import { say } from '../../shared/messages.ts'

/** Version of a field set, with its fields. */
interface Version {
  version: number
  definition: Definition
}

/** Lists all versions of a field set, newest first. Empty for an unknown set. */
async function versionsOf(
  { tx, company }: { tx: Tx; company: CompanyId },
  set: RawBuilder<number>,
): Promise<Version[]> {
  const { rows } = await sql<Version>`
    SELECT version, definition FROM field_set_version
    WHERE company_id = ${company} AND field_set_id = ${set} ORDER BY version DESC`.execute(tx)
  return rows
}

/**
 * Adds a CSV column for each field of the type that the list's filter selects.
 * @param types Table with `field_set_id`
 * @param filter Name of the filter that selects the type
 * @param row Alias of the row with `answers`
 */
export const columnsOfType = (
  types: 'form_type' | 'payment_type' | 'rental_resource',
  { filter = 'typeId', row = 'r' } = {},
) => ({
  expect: async (tx: Tx, { company, question: { filters } }: TypeQuestion): Promise<{ versions: Version[] }> => {
    const type = (filters as Readonly<Record<string, unknown>>)[filter]
    const set = sql<number>`(SELECT field_set_id FROM ${sql.table(types)} WHERE company_id = ${company?.id} AND id = ${type})`
    return { versions: type === undefined || !company ? [] : await versionsOf({ tx, company: company.id }, set) }
  },
  besides: ({ expected }: { expected?: unknown }) => answerColumns((expected as { versions: Version[] }).versions, row),
})

interface TypeQuestion {
  company: { id: CompanyId } | null
  question: { filters: object }
}

/**
 * Returns one column for each field of any version, with the newest label of the field. If a field changed its type,
 * the field gets two columns, because the answers have different meanings.
 */
function answerColumns(versions: readonly Version[], row: string): { head: string; cell: RawBuilder<unknown> }[] {
  const columns = new Map<string, { fields: Field[]; versions: number[] }>()
  for (const { version, definition } of versions)
    for (const field of allFields(definition)) {
      if (field.type === 'reading') continue
      const key = `${field.name} ${field.type}`
      const column = columns.get(key) ?? { fields: [], versions: [] }
      column.fields.push(field)
      column.versions.push(version)
      columns.set(key, column)
    }
  return [...columns.values()].flatMap(({ fields, versions: of }) => {
    const [field] = fields
    if (!field) return []
    const cell = sql`coalesce(${cellOf(field, fields, row)}, '')`
    const isInAll = of.length === versions.length
    return [
      {
        head: field.label,
        cell: isInAll ? cell : sql`CASE WHEN ${sql.ref(row)}.version IN (${sql.join(of)}) THEN ${cell} ELSE '' END`,
      },
    ]
  })
}

/** Returns the label for each value of a choice. If several versions have the same value, the newest label applies. */
const labelsOf = (fields: readonly Field[]): Record<string, string> =>
  Object.fromEntries(
    fields
      .toReversed()
      .flatMap((field) => ('options' in field ? field.options.map(({ value, label }) => [`${value}`, label]) : [])),
  )

function cellOf(field: Field, fields: readonly Field[], row: string): RawBuilder<unknown> {
  const answer = sql`${sql.ref(row)}.answers->${sql.lit(field.name)}`
  const text = sql`${sql.ref(row)}.answers->>${sql.lit(field.name)}`
  switch (field.type) {
    case 'choice':
      return csvText(inLabels(text, fields))
    case 'choices':
      return csvText(
        sql`(SELECT string_agg(${inLabels(sql`chosen`, fields)}, ', ') FROM jsonb_array_elements_text(${answer}) AS chosen)`,
      )
    case 'money':
    case 'payment':
    case 'computed':
      return csvDollars(sql`(${text})::numeric`)
    case 'checkbox':
      return sql`CASE ${text} WHEN 'true' THEN ${say`Yes`} END`
    case 'address':
      return csvText(
        sql`concat_ws(', ', ${answer}->>'address1', nullif(${answer}->>'address2', ''), ${answer}->>'city', concat_ws(' ', ${answer}->>'state', ${answer}->>'zipcode'))`,
      )
    case 'signature':
      return csvText(
        sql`coalesce(${answer}->>'typed', CASE WHEN ${answer} IS NOT NULL THEN ${say`Signed by hand`} END)`,
      )
    case 'file':
      return csvText(sql`(SELECT string_agg(file->>'name', ', ') FROM jsonb_array_elements(${answer}) AS file)`)
    case 'table':
      return csvText(
        sql`(SELECT string_agg((SELECT string_agg(cell.value, ', ') FROM jsonb_each_text(line) AS cell), '; ') FROM jsonb_array_elements(${answer}) AS line)`,
      )
    default:
      return csvText(text)
  }
}

function inLabels(value: RawBuilder<unknown>, fields: readonly Field[]): RawBuilder<unknown> {
  const labels = labelsOf(fields)
  return Object.keys(labels).length === 0 ? value : sql`coalesce(${labelCases(value, labels)}, ${value})`
}

/**
 * Builds an SQL CASE that replaces values with labels. Passes each value as text, even if the value consists only of
 * digits.
 */
const labelCases = (value: RawBuilder<unknown>, labels: Record<string, string>): RawBuilder<unknown> =>
  sql`CASE ${value} ${sql.join(
    Object.entries(labels).map(([code, label]) => sql`WHEN ${code} THEN ${label}`),
    sql` `,
  )} END`
