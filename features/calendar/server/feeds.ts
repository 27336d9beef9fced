import type { FastifyInstance } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { originOf } from '../../../server/config.ts'
import { notFound } from '../../../server/errors.ts'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { countAttempt, defineAddressLimit } from '../../../server/limits.ts'
import { hashSecret, newSecret } from '../../../server/sessions.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { staffPrivileges } from '../../../shared/areas.ts'
import { isMunicipalityRole, type Privileges } from '../../../shared/privileges.ts'
import { say } from '../../../shared/messages.ts'
import { calendarFeeds, endCalendarFeed, makeCalendarFeed } from '../contract.ts'
import { type IcsEvent, icsOf, companyOrganizer } from './ics.ts'
import { itemSourceOf } from './item-source.ts'
import { isOf } from './owner.ts'

const PATH = '/calendar-feed'
const DAY_MS = 86_400_000
/** Range of a feed in days before and after today, and its maximum number of items. */
const [PAST_DAYS, AHEAD_DAYS, MAX_ITEMS] = [60, 400, 2000]

/**
 * Rate limit for requests with an unknown feed URL, for each IP address. Valid requests do not count, because calendar
 * programs poll every few minutes.
 */
const perAddress = defineAddressLimit('calendar-feed', { max: 30 })

interface Feed {
  departmentId: number | null
  name: string
  since: Date | null
}

/** Lists the caller's own feed and those of the company's departments. */
export const calendarFeedsCall = implement(calendarFeeds, (call) =>
  call.reading(async (tx) => {
    const { rows } = await sql<Feed>`
      SELECT NULL::bigint AS "departmentId", ${say`My calendar`} AS name,
        (SELECT created_at FROM calendar_feed WHERE company_id = ${call.company.id} AND person_id = ${signedIn(call).personId} AND kind = ${CALENDAR}) AS since
      UNION ALL (
        SELECT d.id, d.name, f.created_at FROM department d
        LEFT JOIN calendar_feed f ON f.company_id = d.company_id AND f.department_id = d.id
        WHERE d.company_id = ${call.company.id} AND d.is_active = 1 ORDER BY lower(d.name), d.id)`.execute(tx)
    return { feeds: rows.map(({ since, ...feed }) => ({ ...feed, since: since?.toISOString() ?? null })) }
  }),
)

/** Additional personal calendar with a secret URL for subscriptions. */
export interface FeedKind {
  /** Kind as stored in the database. */
  kind: string
  /** Reads the current calendar. Null if the person may no longer read it. */
  read(tx: Tx, asking: { context: AppContext; company: Company; person: FeedPerson }): Promise<CalendarFeed | null>
}
interface FeedPerson {
  id: number
  name: string
  roleId: number
  privileges: Privileges
}
interface CalendarFeed {
  name: string
  events: IcsEvent[]
}

/** Public calendar, available to everyone who has its number. */
export interface OpenFeed {
  kind: string
  read(tx: Tx, asking: { context: AppContext; company: Company; id: number }): Promise<CalendarFeed | null>
}

const kinds = new Map<string, FeedKind>()
const openFeeds = new Map<string, OpenFeed>()
/** Registers another calendar: a personal one with a secret URL, or a public one. Call once for each kind. */
export function defineFeed(feed: FeedKind): FeedKind {
  kinds.set(feed.kind, feed)
  return feed
}
export function defineOpenFeed(feed: OpenFeed): OpenFeed {
  openFeeds.set(feed.kind, feed)
  return feed
}

export const openFeedPath = ({ kind }: OpenFeed, id: number): string => `${PATH}/${kind}-${id}.ics`

const CALENDAR = 'calendar'
type FeedOwner = { departmentId: number } | { personId: number; kind: string }

const feedsOf = (company: CompanyId, owner: FeedOwner) =>
  'departmentId' in owner
    ? sql<boolean>`company_id = ${company} AND department_id = ${owner.departmentId}`
    : sql<boolean>`company_id = ${company} AND person_id = ${owner.personId} AND kind = ${owner.kind}`

/** Returns the time at which a calendar got its secret URL. Null if the calendar has no URL. */
export async function feedSince(tx: Tx, call: Call, { kind }: FeedKind): Promise<string | null> {
  const feed = await tx
    .selectFrom('calendar_feed')
    .select('created_at')
    .where(feedsOf(call.company.id, { personId: signedIn(call).personId, kind }))
    .executeTakeFirst()
  return feed?.created_at.toISOString() ?? null
}

/**
 * Creates the secret URL of a calendar and ends the previous one.
 * @returns the URL, which can't be read again later
 */
export async function makeFeed(tx: Tx, call: Call, owner: FeedOwner, name: string): Promise<string> {
  const { company, context } = call
  const secret = newSecret()
  await tx.deleteFrom('calendar_feed').where(feedsOf(company.id, owner)).execute()
  await tx
    .insertInto('calendar_feed')
    .values({
      ...{ company_id: company.id, secret_hash: hashSecret(secret) },
      ...('departmentId' in owner
        ? { department_id: owner.departmentId }
        : { person_id: owner.personId, kind: owner.kind }),
      ...{ created_at: context.clock.now(), created_by: signedIn(call).personId },
    })
    .execute()
  await call.audit(tx, { action: 'calendar.feed_made', detail: { calendar: name } })
  return `${originOf(context.config, company.subdomain)}${PATH}/${secret}.ics`
}

export async function endFeed(tx: Tx, call: Call, owner: FeedOwner, name: string): Promise<void> {
  await tx.deleteFrom('calendar_feed').where(feedsOf(call.company.id, owner)).execute()
  await call.audit(tx, { action: 'calendar.feed_ended', detail: { calendar: name } })
}

/**
 * Returns the requested calendar's owner and name.
 * @throws 404 if the department does not exist
 */
async function named(tx: Tx, call: Call<{ departmentId: number | null }>): Promise<[FeedOwner, string]> {
  const { departmentId } = call.body
  if (departmentId === null) return [{ personId: signedIn(call).personId, kind: CALENDAR }, say`My calendar`]
  const department = await tx
    .selectFrom('department')
    .select('name')
    .where('company_id', '=', call.company.id)
    .where('id', '=', departmentId)
    .where('is_active', '=', 1)
    .executeTakeFirstOrThrow(() => notFound('This department was not found.'))
  return [{ departmentId }, department.name]
}

export const makeCalendarFeedCall = implement(makeCalendarFeed, (call) =>
  call.inCompany(async (tx) => {
    const [owner, name] = await named(tx, call)
    const url = await makeFeed(tx, call, owner, name)
    return { success: true as const, message: say`Calendar address for “${name}” created.`, url }
  }),
)

export const endCalendarFeedCall = implement(endCalendarFeed, (call) =>
  call.inCompany(async (tx) => {
    const [owner, name] = await named(tx, call)
    await endFeed(tx, call, owner, name)
    return { success: true as const, message: say`The calendar address for “${name}” no longer works.` }
  }),
)

/**
 * Serves calendars to programs without a session. The secret URL works as long as the person it belongs to has access.
 */
export function mountCalendarFeeds(app: FastifyInstance, context: AppContext): void {
  app.get<{ Params: { file: string } }>(`${PATH}/:file`, async ({ params, headers, ip }, reply) => {
    const counted = await countAttempt(context, [perAddress(ip)])
    const host = await context.hosts.resolve(headers.host)
    const company = host.kind === 'company' ? host.company : null
    const feed = company && (await find(context, company, params.file))
    if (!feed)
      return reply
        .status(404)
        .type('text/plain; charset=utf-8')
        .send(say`We could not find this calendar.`)
    await counted.release()
    return reply
      .type('text/calendar; charset=utf-8')
      .header('cache-control', 'private, no-store')
      .header('x-robots-tag', 'noindex')
      .send(icsOf(feed.name, companyOrganizer(context.config, company), feed.events, context.clock.now()))
  })
}

function find(context: AppContext, company: Company, file: string): Promise<CalendarFeed | null> {
  const secret = /^([\w-]{43})\.ics$/.exec(file)?.[1]
  if (secret) return context.readingCompany(company.id, (tx) => readSecret(tx, context, company, secret))
  const [, kind = '', id] = /^([a-z]{1,20})-(\d{1,15})\.ics$/.exec(file) ?? []
  const open = openFeeds.get(kind)
  if (!open) return Promise.resolve(null)
  return context.readingCompany(company.id, (tx) => open.read(tx, { context, company, id: Number(id) }))
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

interface FeedSecret {
  kind: string
  department: string | null
  departmentId: number | null
  personId: number | null
  name: string
  roleId: number
  privileges: Privileges
}

async function readSecret(tx: Tx, context: AppContext, company: Company, secret: string): Promise<CalendarFeed | null> {
  const { rows } = await sql<FeedSecret>`
    SELECT f.kind, d.name AS department, f.department_id AS "departmentId", f.person_id AS "personId",
      trim(p.first_name || ' ' || p.last_name) AS name, p.role_id AS "roleId", p.privileges
    FROM calendar_feed f
    LEFT JOIN person p ON p.company_id = f.company_id AND p.id = f.person_id
    LEFT JOIN department d ON d.company_id = f.company_id AND d.id = f.department_id
    WHERE f.company_id = ${company.id} AND f.secret_hash = ${hashSecret(secret)}
      AND (d.is_active = 1 OR p.is_active = 1 AND p.locked_at IS NULL)`.execute(tx)
  const [feed] = rows
  if (!feed) return null
  const { kind, department, departmentId, personId, name, roleId, privileges } = feed
  if (personId === null)
    return {
      name: `${department}, ${company.name}`,
      events: await items(tx, context, company, sql`i.department_id = ${departmentId}`),
    }
  if (kind === CALENDAR) {
    if (!isMunicipalityRole(roleId)) return null
    return { name: `${name}, ${company.name}`, events: await items(tx, context, company, isOf(personId)) }
  }
  const person = { id: personId, name, roleId, privileges: staffPrivileges(roleId, privileges) }
  return (await kinds.get(kind)?.read(tx, { context, company, person })) ?? null
}

/** Reads the matching items of the company calendar, from recent weeks and the future. */
async function items(
  tx: Tx,
  context: AppContext,
  company: Company,
  condition: RawBuilder<unknown>,
): Promise<IcsEvent[]> {
  const now = context.clock.now()
  const { rows } = await sql<Item>`
    SELECT i.id, i.title, i.description, i.starts_at, i.ends_at, i.source_kind, i.source_id FROM scheduled_item i
    WHERE i.company_id = ${company.id} AND ${condition} AND i.starts_at > ${new Date(now.getTime() - PAST_DAYS * DAY_MS)}
      AND i.starts_at < ${new Date(now.getTime() + AHEAD_DAYS * DAY_MS)}
    ORDER BY i.starts_at, i.id LIMIT ${MAX_ITEMS}`.execute(tx)
  const origin = originOf(context.config, company.subdomain)
  return rows.map((item) => {
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
}
