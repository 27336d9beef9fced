import { sql } from 'kysely'
import type { Call } from '../../../server/call.ts'
import { implementList } from '../../../server/list.ts'
import { matchesSearch } from '../../../server/list-sql.ts'
import { may, type Permission } from '../../../shared/privileges.ts'
import { dateIn } from '../../../shared/dates.ts'
import { blockedByOutage } from '../../outages/api.ts'
import { bootList, ticketReport, tickets, violations } from '../list.ts'
import { usualSettings } from '../rules.ts'
import { parkingTickets } from './payable.ts'

const mayManage = ({ session }: Call, permission: Permission) => may(session?.privileges ?? {}, 'parking', permission)

const plate = sql`r.plate_state || ' ' || r.plate`
const violation = sql`r.violation_code || ' ' || r.violation_text`

export const ticketLists = implementList(tickets, {
  table: sql`found_parking_ticket`,
  joins: sql`LEFT JOIN parking_contest c ON c.company_id = r.company_id AND c.ticket_id = r.id`,
  columns: {
    citation: 'citation_number',
    issued: 'issued_at',
    plate,
    violation,
    location: 'location',
    officer: 'officer',
    vehicle: 'vehicle',
    dueOn: 'due_on',
    status: 'status',
    unpaid: 'unpaid_cents',
    contestId: sql`c.id`,
    hearing: sql`CASE WHEN c.decided_at IS NULL THEN c.hearing_at END`,
  },
  search: sql`r.search_text`,
  row: () => ({ can: { view: true } }),
  exported: 'export.parking_tickets',
})

export const reportLists = implementList(ticketReport, {
  table: sql`found_parking_ticket`,
  columns: {
    citation: 'citation_number',
    issued: 'issued_at',
    plate,
    violation,
    officer: 'officer',
    status: 'status',
    fine: 'fine_cents',
    late: 'late_cents',
    paid: 'paid_cents',
    unpaid: 'unpaid_cents',
  },
  search: sql`r.search_text`,
  row: () => ({ can: { view: true } }),
  exported: 'export.parking_report',
})

const setting = (company: number, column: 'boot_tickets' | 'boot_days', usual: number) =>
  sql`coalesce((SELECT ${sql.ref(column)} FROM parking_settings WHERE company_id = ${company}), ${usual})`

/** The boot list is computed for each request, because a company has only a few hundred open tickets. */
export const bootLists = implementList(bootList, {
  table: ({ company, call }) => {
    const companyId = company?.id ?? 0
    const today = dateIn(company?.timeZone ?? 'UTC', call.context.clock.now())
    const before = sql`${call.context.clock.now()}::timestamptz - make_interval(days => ${setting(companyId, 'boot_days', usualSettings.bootDays)})`
    return sql`(
      SELECT company_id, min(id) AS id, plate_state || ' ' || plate AS plate, max(vehicle) AS vehicle, count(*)::int AS count,
        min(issued_at) AS oldest, (array_agg(location ORDER BY issued_at DESC))[1] AS last_location, sum(unpaid_cents)::bigint AS unpaid
      FROM parking_ticket WHERE company_id = ${companyId} AND status = 'open' AND issued_at < ${before}
        AND NOT ${blockedByOutage(sql`company_id`, parkingTickets.kind, sql`parking_ticket.id`, today)}
      GROUP BY company_id, parking_ticket.plate, plate_state
      HAVING count(*) >= ${setting(companyId, 'boot_tickets', usualSettings.bootTickets)})`
  },
  columns: {
    plate: 'plate',
    vehicle: 'vehicle',
    count: 'count',
    oldest: 'oldest',
    lastLocation: 'last_location',
    unpaid: 'unpaid',
  },
  search: (text) => matchesSearch(sql`lower(r.plate)`, text.toLowerCase()),
  unindexed: { all: 'This list counts a municipality’s open tickets by plate. Its index contains only open tickets.' },
  row: () => ({ can: { view: true } }),
  exported: 'export.boot_list',
})

export const violationLists = implementList(violations, {
  table: sql`parking_violation`,
  columns: {
    code: 'code',
    description: 'description',
    amount: 'amount_cents',
    used: sql`(SELECT count(*)::int FROM parking_ticket t WHERE t.company_id = r.company_id AND t.violation_id = r.id)`,
    active: 'is_active',
  },
  search: (text) => matchesSearch(sql`lower(r.code || ' ' || r.description)`, text.toLowerCase()),
  unindexed: { all: 'A municipality has a few dozen codes.' },
  row: (_row, call) => ({ can: { edit: mayManage(call, 'update') } }),
  exported: 'export.violations',
})
