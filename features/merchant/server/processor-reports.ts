import { sql } from 'kysely'
import { implement } from '../../../server/call.ts'
import { csvLabels } from '../../../server/csv.ts'
import { implementList } from '../../../server/list.ts'
import { logProcessorReport, NOT_ANY } from '../../../shared/processor-reports.ts'
import { processorReports } from '../contract.ts'
import { accesses } from '../list.ts'
import { pageLabels } from '../rules.ts'
import { processorOf } from './processor.ts'

const ACTION = 'processor_report.opened'

const processorReportsCall = implement(processorReports, (call) =>
  call.reading(async (tx) => {
    const { id, name } = await processorOf(tx, call.company.id)
    return { processorId: id, name }
  }),
)

const logProcessorReportCall = implement(logProcessorReport, (call) => {
  const { report_type: how, processor_id: processor, page_id: page } = call.body
  return call.inCompany(async (tx) => {
    await call.audit(tx, { action: ACTION, detail: { how, processor: String(processor), page } })
    return { success: true as const }
  })
})

const detailText = (name: string) =>
  sql<string>`coalesce(nullif(r.detail ->> ${sql.lit(name)}, ${sql.lit(NOT_ANY)}), '')`

const accessCalls = implementList(accesses, {
  table: sql`audit_event`,
  // Repeats the condition of the partial index, so that PostgreSQL uses the index.
  where: () => [sql`r.action = ${sql.lit(ACTION)}`],
  joins: sql`
    LEFT JOIN person p ON p.company_id = r.company_id AND p.id = r.actor_id
    LEFT JOIN processor q ON q.id::text = r.detail ->> 'processor'`,
  columns: {
    at: 'at',
    name: sql`coalesce(p.first_name || ' ' || p.last_name, 'Mainstreet')`,
    how: detailText('how'),
    report: sql`coalesce(${csvLabels(detailText('page'), pageLabels)}, ${detailText('page')})`,
    processor: sql`coalesce(q.name, '')`,
  },
  filters: { how: (how) => sql`r.detail ->> 'how' = ${how}` },
  unindexed: { how: 'The table is small: each row is one click by a staff member.' },
  exported: 'export.processor_accesses',
})

export const processorReportCalls = [processorReportsCall, logProcessorReportCall, ...accessCalls]
