import { sql } from 'kysely'
import { signedIn } from '../../../server/call.ts'
import { implementList } from '../../../server/list.ts'
import { may } from '../../../shared/privileges.ts'
import { formTypes } from '../list.ts'
import { submissionStatus, openSubmissions } from '../rules.ts'
import { litList } from '../../../server/list-sql.ts'

export const formTypeLists = implementList(formTypes, {
  table: sql`form_type`,
  joins: ({ call }) => sql`CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE s.status IN (${litList(openSubmissions)}))::int AS waiting,
      count(*) FILTER (WHERE s.submitted_at > ${call.context.clock.now()}::timestamptz - interval '1 year')::int AS year
    FROM form_submission s WHERE s.company_id = r.company_id AND s.type_id = r.id AND s.status <> ${sql.lit(submissionStatus.draft)}) sent
  LEFT JOIN field_set f ON f.company_id = r.company_id AND f.id = r.field_set_id`,
  columns: {
    title: 'title',
    category: 'category',
    fee: 'fee_kind',
    feeCents: 'fee_cents',
    seenBy: 'seen_by',
    pending: sql`sent.waiting`,
    year: sql`sent.year`,
    version: sql`f.latest_version`,
    status: 'status',
  },
  sorts: { title: 'title_key' },
  search: sql`r.title_key`,
  unindexed: { all: 'A municipality has a few dozen forms.' },
  row: (_row, call) => {
    const { privileges } = signedIn(call)
    const edit = may(privileges, 'forms', 'create')
    return { can: { view: true, edit, copy: edit, exportJson: edit, importJson: edit } }
  },
})
