import { sql } from 'kysely'
import { implementList } from '../../../server/list.ts'
import { ADDRESS_PAUSED } from '../../../server/notices/refused-addresses.ts'
import { outboxEmails } from '../list.ts'
import { inDemoAlone } from './demo-only.ts'

const delivery = sql`CASE WHEN sent_at IS NOT NULL THEN 'sent' WHEN failed_at IS NOT NULL THEN 'failed' ELSE 'waiting' END AS delivery`
/** SQL for the reason of a failed delivery, with the code from the mail server. */
const reason = sql`CASE WHEN sent_at IS NOT NULL OR last_error IS NULL THEN ''
  WHEN last_error = ${ADDRESS_PAUSED} THEN 'This address was refused before. We leave it alone for some days.'
  WHEN failed_at IS NOT NULL AND last_error ~ '^5' THEN 'The mail server refused the address for good (' || last_error || ').'
  WHEN failed_at IS NOT NULL THEN 'We gave up after many tries (' || last_error || ').'
  ELSE 'A try failed (' || last_error || '). We try again.' END AS reason`

/** Calls that list the emails of all companies together. */
export const emailCalls = implementList(outboxEmails, {
  before: ({ context }) => inDemoAlone(context),
  unindexed: { all: 'Only the demo has this list, and it contains few emails.' },
  // Emails of the platform are listed with company id 0. The ids of both tables come from one sequence.
  table: sql`(
    SELECT m.id, m.company_id, m.to_address, m.subject, m.created_at, c.name, ${delivery}, ${reason}
    FROM email_outbox m JOIN company c ON c.id = m.company_id
    UNION ALL
    SELECT id, 0, to_address, subject, created_at, 'Mainstreet', ${delivery}, ${reason} FROM platform_email)`,
  columns: {
    at: 'created_at',
    subject: 'subject',
    to: 'to_address',
    company: 'name',
    delivery: 'delivery',
    reason: 'reason',
    companyId: 'company_id',
  },
  search: sql`lower(concat_ws(' ', r.to_address, r.subject, r.name))`,
  row: () => ({ can: { view: true } }),
})
