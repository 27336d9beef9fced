import { sql } from 'kysely'
import { implement } from '../../../server/call.ts'
import { isInstant, pageOf, readCursor } from '../../../server/cursor.ts'
import { hasWords, walkOf } from '../../../server/list-sql.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { BodyOf } from '../../../shared/endpoint.ts'
import { COUNT_CAP } from '../../../shared/table.ts'
import { outboxMails } from '../contract.ts'
import { inDemoAlone } from './in-demo-alone.ts'

type Question = BodyOf<typeof outboxMails>

/** The outboxes of all towns as one list. It is the demo's alone, so it needs no index of its own. */
export const listMails = implement(outboxMails, async ({ house, body }) => {
  inDemoAlone(house)
  const page = await house.acrossCompanies((tx) => onePage(tx, body))
  return { ...page, totals: null }
})

interface Listed {
  id: number
  company_id: number
  to_address: string
  subject: string
  created_at: Date
  name: string
}

/** The platform's own mails stand among those of the towns, as those of company 0. Their ids are of one sequence. */
const mails = sql<Listed>`(
  SELECT m.id, m.company_id, m.to_address, m.subject, m.created_at, c.name FROM mail_outbox m JOIN company c ON c.id = m.company_id
  UNION ALL SELECT id, 0, to_address, subject, created_at, 'Mainstreet' FROM platform_mail)`

const matching = (tx: Tx, { search }: Question) =>
  tx
    .selectFrom(mails.as('mail'))
    .where(hasWords(sql`lower(concat_ws(' ', mail.to_address, mail.subject, mail.name))`, search))

async function onePage(tx: Tx, question: Question) {
  const at = readCursor(question.cursor, isInstant)
  const { order, beyond } = walkOf(question.direction, at)
  let query = matching(tx, question)
  if (at) query = query.where(sql<boolean>`(mail.created_at, mail.id) ${beyond} (${at.key}::timestamptz, ${at.id})`)
  const read = await query
    .select(['mail.id', 'mail.company_id', 'mail.to_address', 'mail.subject', 'mail.created_at', 'mail.name'])
    .orderBy('mail.created_at', order)
    .orderBy('mail.id', order)
    .limit(question.pageSize + 1)
    .execute()
  const page = pageOf(read, at, question.pageSize, (mail) => mail.created_at.toISOString())
  const { count } = await tx
    .selectFrom(matching(tx, question).select('mail.id').limit(COUNT_CAP).as('counted'))
    .select((e) => e.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return {
    ...page,
    rows: page.rows.map(({ id, company_id, to_address, subject, created_at, name }) => ({
      ...{ id, companyId: company_id, to: to_address, subject, town: name, at: created_at.toISOString() },
      can: { view: true },
    })),
    count: Number(count),
  }
}
