import { sql } from 'kysely'
import type { Column } from '../shared/list.ts'
import { translated } from '../shared/messages.ts'
import { auditCompanyOrPlatform } from './audit.ts'
import type { Call } from './call.ts'
import { csvHead } from './csv.ts'
import { type ListConditions, type ListExpressions, zoneOf } from './list-expressions.ts'
import { allOf, walkOf } from './list-sql.ts'
import type { Columns, ListDeclaration, ListQuery, Source } from './list-source.ts'
import { cellOf } from './list-values.ts'
import type { Tx } from './tenancy.ts'

/** Records the export of a list in the audit log. Returns the query for the rows of the file. */
export async function exportList<F>(
  declared: ListDeclaration<Columns, F>,
  source: Source<Columns, F>,
  { expressions, conditions }: { expressions: ListExpressions<F>; conditions: ListConditions<F> },
  call: Call,
  listQuery: ListQuery<F>,
) {
  const { question, company } = listQuery
  const action = source.exported
  if (!action) throw new Error(`${declared.call.path}: an export has a name in the audit log`)
  const auditEntry = { action, detail: { filters: question.filters, search: question.search } }
  const audit = async (tx: Tx): Promise<ListQuery<F>> => {
    const expected = await source.expect?.(tx, listQuery)
    await auditCompanyOrPlatform(tx, call.context.clock, company?.id ?? null, call, auditEntry)
    return { ...listQuery, expected }
  }
  const query = await (company ? call.inCompany(audit) : call.context.acrossCompanies(audit))
  if (source.file) return { company, question: source.file(query) }
  const { id, sqlOf, sortedBy, tableOf, joinsOf } = expressions
  const { sqlDirection } = walkOf(question.direction)
  const columns = Object.entries(declared.columns as Record<string, Column>).filter(([, { csv }]) => csv !== false)
  const cells = columns.map(([name, column]) => {
    const cell = source.csv?.[name] ?? cellOf(column, sqlOf(name), zoneOf(company))
    return sql`${cell} AS ${csvHead(translated(column.csv || column.label))}`
  })
  const extraCells = (source.besides?.(query) ?? []).map(({ head, cell }) => sql`${cell} AS ${csvHead(head)}`)
  return {
    company,
    question: sql`SELECT ${sql.join([...cells, ...extraCells])} FROM ${tableOf(query)} ${joinsOf(query)} WHERE ${allOf(conditions.all(query))}
      ORDER BY ${sortedBy(question.sort)} ${sqlDirection}, ${id} ${sqlDirection}`,
  }
}
