import { type RawBuilder, sql } from 'kysely'
import { addDays, dateIn } from '../../../shared/dates.ts'
import type { ListQuery } from '../../../server/list-source.ts'
import { implementList } from '../../../server/list.ts'
import { hydrants, flowTests, premiseNotes } from '../list.ts'
import { DUE_SOON_DAYS, type InspectionStatus } from '../rules.ts'

const todayOf = ({ call, company }: ListQuery): string => dateIn(company?.timeZone ?? 'UTC', call.context.clock.now())

/** SQL version of `inspectionStatus` in `rules.ts`. */
const status = (today: string) => sql`CASE
  WHEN next_inspection_on IS NULL THEN 'unknown'
  WHEN next_inspection_on < ${today}::date THEN 'overdue'
  WHEN next_inspection_on <= ${today}::date + ${DUE_SOON_DAYS}::int THEN 'due_soon'
  ELSE 'current' END`

/** Expresses a status as a range of days, so that the query can use the index. */
function hasStatus(requested: InspectionStatus, today: string): RawBuilder<unknown> {
  const soon = addDays(today, DUE_SOON_DAYS)
  const ranges: Record<InspectionStatus, RawBuilder<unknown>> = {
    overdue: sql`r.next_or_never < ${today}::date`,
    due_soon: sql`r.next_or_never BETWEEN ${today}::date AND ${soon}::date`,
    current: sql`r.next_or_never > ${soon}::date AND r.next_or_never < '9999-12-31'::date`,
    unknown: sql`r.next_or_never = '9999-12-31'::date`,
  }
  return ranges[requested]
}

/** Inch sign. Passed as a query parameter, because a CSV query treats text between two double quotes as a name. */
const INCH = '"'

/** Returns SQL that formats inches without trailing zeros and with the inch sign, such as 5.25". */
const inches = (column: string) =>
  sql`CASE WHEN r.${sql.ref(column)} IS NULL THEN '' ELSE r.${sql.ref(column)} || ${INCH} END`

export const hydrantLists = implementList(hydrants, {
  table: (query) => sql`(SELECT h.*, ${status(todayOf(query))} AS status FROM found_hydrant h)`,
  columns: {
    number: 'number',
    location: 'location',
    status: 'status',
    service: 'service',
    make: 'make',
    model: 'model',
    size: inches('size_inches'),
    main: inches('main_inches'),
    lastInspected: 'last_inspected_on',
    nextInspection: 'next_inspection_on',
    tested: 'tested_on',
    available: 'available_gpm',
    flowClass: 'flow_class',
  },
  sorts: { nextInspection: 'next_or_never' },
  filters: { status: (requested, query) => hasStatus(requested, todayOf(query)) },
  search: sql`r.search_text`,
  row: () => ({ can: { view: true } }),
  exported: 'export.hydrants',
})

const outlets = sql`(SELECT string_agg((o ->> 'diameterInches') || ${INCH} || ' c ' || (o ->> 'coefficient') || ' at ' || (o ->> 'pitotPsi') || ' psi', '; ')
  FROM jsonb_array_elements(r.outlets) o)`

export const flowTestLists = implementList(flowTests, {
  table: sql`hydrant_flow_test`,
  joins: sql`LEFT JOIN hydrant h ON h.company_id = r.company_id AND h.id = r.hydrant_id`,
  columns: {
    testedOn: 'tested_on',
    number: sql`h.number`,
    location: sql`h.location`,
    staticPsi: sql`r.static_psi::text`,
    residualPsi: sql`r.residual_psi::text`,
    outlets,
    flow: 'flow_gpm',
    available: 'available_gpm',
    flowClass: 'flow_class',
    testedBy: 'tested_by',
    voided: sql`r.voided_at IS NOT NULL`,
    hydrantId: 'hydrant_id',
  },
  filters: { voided: () => sql`r.voided_at IS NOT NULL` },
  search: sql`r.search_text`,
  unindexed: { all: 'A municipality records a few hundred flow tests a year.' },
  row: () => ({ can: { view: true } }),
  exported: 'export.flow_tests',
})

export const noteLists = implementList(premiseNotes, {
  table: sql`found_premise_note`,
  columns: {
    location: 'location',
    kind: 'kind',
    confirmOn: 'confirm_on',
    agreedOn: 'agreed_on',
    views: sql`(SELECT count(*)::int FROM premise_note_access l WHERE l.company_id = r.company_id AND l.note_id = r.id)`,
    status: sql`CASE WHEN r.is_ended THEN 'ended' ELSE 'in_force' END`,
  },
  sorts: { location: 'search_text' },
  filters: { status: (requested) => sql`r.is_ended = ${requested === 'ended'}` },
  search: sql`r.search_text`,
  row: () => ({ can: { view: true } }),
})
