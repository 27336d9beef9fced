import { sql } from 'kysely'
import { implementList } from '../../../server/list.ts'
import { outboxMails } from '../list.ts'
import { inDemoAlone } from './in-demo-alone.ts'

/** The outboxes of all towns as one list. It is the demo's alone, so it needs no index of its own. */
export const mailCalls = implementList(outboxMails, {
  before: ({ house }) => inDemoAlone(house),
  // The platform's own mails stand among those of the towns, as those of company 0. Their ids are of one sequence.
  table: sql`(
    SELECT m.id, m.company_id, m.to_address, m.subject, m.created_at, c.name FROM mail_outbox m JOIN company c ON c.id = m.company_id
    UNION ALL SELECT id, 0, to_address, subject, created_at, 'Mainstreet' FROM platform_mail)`,
  columns: { at: 'created_at', subject: 'subject', to: 'to_address', town: 'name', companyId: 'company_id' },
  search: sql`lower(concat_ws(' ', r.to_address, r.subject, r.name))`,
  row: () => ({ can: { view: true } }),
})
