import { sql } from 'kysely'
import { implementList } from '../../../server/list.ts'
import { toE164 } from '../../../server/sms/settings.ts'
import { isPhone } from '../../../shared/phone.ts'
import { may } from '../../../shared/privileges.ts'
import { notices } from '../list.ts'
import { abouts } from '../rules.ts'
import { reasonOf } from './reasons.ts'

/** Emails, text messages and calls in one list. PostgreSQL reads each table by its time index. */
export const noticeCalls = implementList(notices, {
  table: sql`company_notice`,
  // Computes the lower-case address before the join. With row-level security, a condition with lower() can't use the
  // index.
  joins: sql`CROSS JOIN LATERAL (SELECT lower(r.rests_as) AS address OFFSET 0) told
    LEFT JOIN refused_address f ON f.company_id = r.company_id AND f.address = told.address`,
  columns: {
    at: 'created_at',
    about: sql`CASE WHEN r.event = ANY (${Object.keys(abouts)}::text[]) THEN r.event ELSE 'other' END`,
    to: sql`masked_receiver(r.receiver)`,
    channel: 'channel',
    state: 'state',
    reason: sql`''::text`,
    // Text messages that were not sent cost nothing, so they count as 0 segments.
    segments: sql`CASE WHEN r.state IN ('stopped', 'resting') THEN 0 ELSE r.segments END`,
    minutes: 'minutes',
  },
  // Finds only a full address, because a partial match would reveal masked characters. Compares the typed and the
  // lower-case form, because with row-level security, computed values can't use the index.
  search: (search) =>
    isPhone(search)
      ? sql`r.receiver = ${toE164(search)}`
      : sql`r.receiver = ANY (${[search, search.toLowerCase()]}::text[])`,
  unindexed: {
    state: 'Notifications are selected by day. The portal reads all emails, texts and calls from those days.',
    about: 'The date range limits the rows.',
  },
  hidden: { code: sql`r.reason`, restsUntil: sql`f.rests_until`, sendAfter: sql`r.send_after` },
  row: ({ channel, state }, { session, company, context }, hidden) => {
    const now = context.clock.now()
    const { code, restsUntil, sendAfter } = hidden as { code: string; restsUntil: Date | null; sendAfter: Date }
    const rest = restsUntil && restsUntil > now ? restsUntil : null
    const mayChange = session !== null && may(session.privileges, 'alerts', 'update')
    const release = rest !== null && mayChange
    const noticeState = { channel, state, code, restsUntil: rest, sendAfter, now, timeZone: company.timeZone }
    return { reason: reasonOf(noticeState), can: { release, repeat: state === 'unclear' && mayChange } }
  },
})
