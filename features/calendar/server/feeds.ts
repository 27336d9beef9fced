import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { originOf } from '../../../server/config.ts'
import { notFound } from '../../../server/errors.ts'
import type { Company } from '../../../server/hosts.ts'
import type { House } from '../../../server/house.ts'
import { countTry, defineAddressLimit } from '../../../server/limits.ts'
import { hashSecret, newSecret } from '../../../server/sessions.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { say } from '../../../shared/words.ts'
import { calendarFeeds, endCalendarFeed, makeCalendarFeed } from '../contract.ts'
import { icsOf } from './ics.ts'
import { itemSourceOf } from './item-source.ts'
import { isOf } from './whose.ts'

const PATH = '/calendar-feed'
const DAY_MS = 86_400_000
/** What a feed tells: some weeks back, and what is planned. */
const [BACK_DAYS, AHEAD_DAYS, MOST_ITEMS] = [60, 400, 2000]

/** Addresses that nobody was given. Those that we know are not counted: programs ask every few minutes. */
const perAddress = defineAddressLimit('calendar-feed', { most: 30 })

interface Feed {
  departmentId: number | null
  name: string
  since: Date | null
}

/** The caller's own, and those of the town's departments. */
export const calendarFeedsCall = implement(calendarFeeds, (call) =>
  call.reading(async (tx) => {
    const { rows } = await sql<Feed>`
      SELECT NULL::bigint AS "departmentId", ${say`My own`} AS name,
        (SELECT created_at FROM calendar_feed WHERE company_id = ${call.company.id} AND person_id = ${signedIn(call).personId}) AS since
      UNION ALL (
        SELECT d.id, d.name, f.created_at FROM department d
        LEFT JOIN calendar_feed f ON f.company_id = d.company_id AND f.department_id = d.id
        WHERE d.company_id = ${call.company.id} AND d.is_active = 1 ORDER BY lower(d.name), d.id)`.execute(tx)
    return { feeds: rows.map(({ since, ...feed }) => ({ ...feed, since: since?.toISOString() ?? null })) }
  }),
)

/** Takes away the address that there is. @returns what the calendar is called @throws 404 */
async function endFeed(tx: Tx, call: Call<{ departmentId: number | null }>): Promise<string> {
  const { departmentId } = call.body
  const department =
    departmentId === null
      ? null
      : await tx
          .selectFrom('department')
          .select('name')
          .where('company_id', '=', call.company.id)
          .where('id', '=', departmentId)
          .where('is_active', '=', 1)
          .executeTakeFirstOrThrow(() => notFound('This department was not found.'))
  const feeds = tx.deleteFrom('calendar_feed').where('company_id', '=', call.company.id)
  await (
    departmentId === null
      ? feeds.where('person_id', '=', signedIn(call).personId)
      : feeds.where('department_id', '=', departmentId)
  ).execute()
  return department?.name ?? say`My own`
}

export const makeCalendarFeedCall = implement(makeCalendarFeed, (call) => {
  const { company, house, body } = call
  return call.inCompany(async (tx) => {
    const { personId } = signedIn(call)
    const name = await endFeed(tx, call)
    const secret = newSecret()
    await tx
      .insertInto('calendar_feed')
      .values({
        company_id: company.id,
        secret_hash: hashSecret(secret),
        person_id: body.departmentId === null ? personId : null,
        department_id: body.departmentId,
        created_at: house.clock.now(),
        created_by: personId,
      })
      .execute()
    await call.audit(tx, { action: 'calendar.feed_made', detail: { calendar: name } })
    const url = `${originOf(house.config, company.subdomain)}${PATH}/${secret}.ics`
    return { success: true as const, message: say`The address of the calendar ${name} is made.`, url }
  })
})

export const endCalendarFeedCall = implement(endCalendarFeed, (call) =>
  call.inCompany(async (tx) => {
    const name = await endFeed(tx, call)
    await call.audit(tx, { action: 'calendar.feed_ended', detail: { calendar: name } })
    return { success: true as const, message: say`The address of the calendar ${name} no longer works.` }
  }),
)

/** Answers programs, which have no session: who has the secret address may read, as long as its person works here. */
export function mountCalendarFeeds(app: FastifyInstance, house: House): void {
  app.get<{ Params: { file: string } }>(`${PATH}/:file`, async ({ params, headers, ip }, reply) => {
    const counted = await countTry(house, [perAddress(ip)])
    const host = await house.hosts.resolve(headers.host)
    const secret = /^([\w-]{43})\.ics$/.exec(params.file)?.[1]
    const ics = host.kind === 'town' && host.company && secret ? await read(house, host.company, secret) : null
    if (ics === null)
      return reply
        .status(404)
        .type('text/plain; charset=utf-8')
        .send(say`This calendar is not here.`)
    await counted.giveBack()
    return reply
      .type('text/calendar; charset=utf-8')
      .header('cache-control', 'private, no-store')
      .header('x-robots-tag', 'noindex')
      .send(ics)
  })
}

interface Item {
  id: number
  title: string
  description: string
  starts_at: Date
  ends_at: Date
  source_kind: string | null
  source_id: number | null
}

const read = (house: House, company: Company, secret: string): Promise<string | null> =>
  house.readingCompany(company.id, async (tx) => {
    const { rows } = await sql<{ name: string; person_id: number | null; department_id: number | null }>`
      SELECT coalesce(d.name, trim(p.first_name || ' ' || p.last_name)) AS name, f.person_id, f.department_id
      FROM calendar_feed f
      LEFT JOIN person p ON p.company_id = f.company_id AND p.id = f.person_id
      LEFT JOIN department d ON d.company_id = f.company_id AND d.id = f.department_id
      WHERE f.company_id = ${company.id} AND f.secret_hash = ${hashSecret(secret)}
        AND (d.is_active = 1 OR p.is_active = 1 AND p.locked_at IS NULL AND p.role_id >= 3)`.execute(tx)
    const [feed] = rows
    if (!feed) return null
    const now = house.clock.now()
    const whose = feed.person_id === null ? sql`i.department_id = ${feed.department_id}` : isOf(feed.person_id)
    const { rows: items } = await sql<Item>`
      SELECT i.id, i.title, i.description, i.starts_at, i.ends_at, i.source_kind, i.source_id FROM scheduled_item i
      WHERE i.company_id = ${company.id} AND ${whose} AND i.starts_at > ${new Date(now.getTime() - BACK_DAYS * DAY_MS)}
        AND i.starts_at < ${new Date(now.getTime() + AHEAD_DAYS * DAY_MS)}
      ORDER BY i.starts_at LIMIT ${MOST_ITEMS}`.execute(tx)
    const origin = originOf(house.config, company.subdomain)
    const events = items.map((item) => {
      const path = item.source_id === null ? undefined : itemSourceOf(item.source_kind)?.path(item.source_id)
      return {
        uid: `${company.id}-${item.id}@${company.subdomain}`,
        title: item.title,
        description: item.description,
        url: `${origin}${path ?? '/municipality/schedule'}`,
        startsAt: item.starts_at,
        endsAt: item.ends_at,
      }
    })
    return icsOf(`${feed.name}, ${company.name}`, events, now)
  })
