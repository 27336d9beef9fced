import { may } from '../../../shared/privileges.ts'
import { type RawBuilder, sql } from 'kysely'
import { addDays, dateIn } from '../../../shared/dates.ts'
import { say, translated } from '../../../shared/messages.ts'
import type { ListQuery } from '../../../server/list-source.ts'
import { implementList } from '../../../server/list.ts'
import { matchesSearch } from '../../../server/list-sql.ts'
import { inspections, templates } from '../list.ts'
import { subjectKinds } from './subjects.ts'

const todayOf = ({ call, company }: ListQuery): string => dateIn(company?.timeZone ?? 'UTC', call.context.clock.now())

/** In days. Inspections due within this time count as due soon. */
const SOON = 7

/** Returns SQL that counts the items of an inspection by status. Repeated items do not count. */
const itemsIn = (statuses: RawBuilder<unknown>) => sql`(
  SELECT count(*)::int FROM inspection_item n
  WHERE n.company_id = r.company_id AND n.inspection_id = r.id AND n.status IN (${statuses}) AND NOT EXISTS (
    SELECT FROM inspection_item a WHERE a.company_id = n.company_id AND a.inspection_id = n.inspection_id AND a.repeat_of = n.id))`

export const inspectionLists = implementList(inspections, {
  table: (query) =>
    sql`(SELECT i.*, i.status = 'scheduled' AND i.due_on < ${todayOf(query)}::date AS is_overdue FROM found_inspection i)`,
  joins: sql`LEFT JOIN person p ON p.company_id = r.company_id AND p.id = r.assigned_to`,
  columns: {
    number: 'number',
    title: 'title',
    subject: 'subject_name',
    location: 'location',
    dueOn: 'due_on',
    status: 'status',
    assigned: sql`coalesce(p.first_name || ' ' || p.last_name, '')`,
    openItems: itemsIn(sql`'open', 'complete'`),
    doneItems: itemsIn(sql`'passed', 'failed'`),
    finishedAt: 'finished_at',
    isOverdue: 'is_overdue',
  },
  filters: {
    due: (requested, query) => {
      const today = todayOf(query)
      if (requested === 'overdue') return sql`r.due_on < ${today}::date`
      if (requested === 'later') return sql`r.due_on > ${addDays(today, SOON)}::date`
      return sql`r.due_on BETWEEN ${today}::date AND ${addDays(today, SOON)}::date`
    },
    template: (id) => sql`r.template_id = ${id}`,
    assigned: (id) => sql`r.assigned_to = ${id}`,
    subjectKind: (kind) => sql`r.subject_kind = ${kind}`,
    subject: (id) => sql`r.subject_id = ${id}`,
  },
  search: sql`r.search_text`,
  unindexed: { subject: 'This filter always includes the subject type, so the database uses the combined index.' },
  row: () => ({ can: { view: true } }),
  exported: 'export.inspections',
})

const labelOf = () =>
  sql`CASE r.subject_kind ${sql.join(
    subjectKinds().map(({ kind, label }) => sql`WHEN ${kind} THEN ${translated(label)}`),
    sql` `,
  )} ELSE r.subject_kind END`

export const templateLists = implementList(templates, {
  table: () =>
    sql`(SELECT t.*, CASE WHEN every_months IS NULL THEN '' ELSE every_months || ' ' || CASE every_months WHEN 1 THEN ${say`month`} ELSE ${say`months`} END END AS every FROM inspection_template t)`,
  columns: {
    name: 'name',
    subject: labelOf(),
    every: 'every',
    version: sql`(SELECT f.latest_version FROM field_set f WHERE f.company_id = r.company_id AND f.id = r.field_set_id)`,
    used: sql`(SELECT count(*)::int FROM inspection i WHERE i.company_id = r.company_id AND i.template_id = r.id)`,
    active: 'is_active',
  },
  sorts: { name: sql`lower(r.name) COLLATE "C"` },
  filters: { active: (requested) => sql`r.is_active = ${requested}` },
  search: (text) => matchesSearch(sql`lower(r.name)`, text.toLowerCase()),
  unindexed: { all: 'A municipality has a few dozen templates.' },
  row: (_row, { session }) => {
    const copy = may(session?.privileges ?? {}, 'inspections', 'delete')
    return { can: { edit: true, copy, exportJson: copy, importJson: copy } }
  },
})
