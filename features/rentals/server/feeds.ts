import { type RawBuilder, sql } from 'kysely'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { originOf } from '../../../server/config.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { may } from '../../../shared/privileges.ts'
import { plural, say } from '../../../shared/messages.ts'
import {
  defineFeed,
  defineOpenFeed,
  endFeed,
  type FeedKind,
  feedSince,
  makeFeed,
  openFeedPath,
} from '../../calendar/api.ts'
import {
  staffRentalFeed,
  endStaffRentalFeed,
  endRentalFeed,
  makeStaffRentalFeed,
  makeRentalFeed,
  rentalFeed,
} from '../contract.ts'
import { staffPath } from '../rules.ts'
import { eventOf, ownEvent } from './ics.ts'
import type { Reservation } from './reservation-rows.ts'

const DAY_MS = 86_400_000
/**
 * Maximum number of past days and of items in a feed. The feed includes past days, so that calendar programs remove
 * recently cancelled reservations.
 */
const [PAST_DAYS, MAX_ITEMS] = [60, 5000]

type ReservationEventRow = Pick<
  Reservation,
  'id' | 'number' | 'title' | 'status' | 'changes' | 'starts_at' | 'ends_at' | 'name' | 'purpose' | 'guests'
>

async function reservations(
  tx: Tx,
  company: CompanyId,
  now: Date,
  condition: RawBuilder<unknown>,
): Promise<ReservationEventRow[]> {
  const { rows } = await sql<ReservationEventRow>`
    SELECT v.id, v.number, v.title, v.status, v.changes, v.starts_at, v.ends_at, v.name, v.purpose, v.guests
    FROM rental_reservation v
    WHERE v.company_id = ${company} AND ${condition} AND v.status <> 'waitlisted' AND v.starts_at > ${new Date(now.getTime() - PAST_DAYS * DAY_MS)}
    ORDER BY v.starts_at, v.id LIMIT ${MAX_ITEMS}`.execute(tx)
  return rows
}

const own = defineFeed({
  kind: 'rentals',
  async read(tx, { context, company, person }) {
    const rows = await reservations(tx, company.id, context.clock.now(), sql`v.person_id = ${person.id}`)
    return { name: say`My reservations, ${company.name}`, events: rows.map((row) => ownEvent(context, company, row)) }
  },
})

const staffFeed = defineFeed({
  kind: 'rental_desk',
  async read(tx, { context, company, person }) {
    if (!may(person.privileges, 'rentals', 'view')) return null
    const rows = await reservations(tx, company.id, context.clock.now(), sql`true`)
    const origin = originOf(context.config, company.subdomain)
    return {
      name: say`Reservations, ${company.name}`,
      events: rows.map((row) =>
        eventOf(company, row, {
          title: `${row.title}: ${row.name}`,
          description: [
            row.number,
            row.purpose,
            row.guests > 0 ? say`${plural(row.guests, 'one person', '# people')}` : '',
          ]
            .filter(Boolean)
            .join(', '),
          url: `${origin}${staffPath(row.id)}`,
        }),
      ),
    }
  },
})

/** Public calendar of reserved times, without the names of renters or their purposes. */
const occupancyFeed = defineOpenFeed({
  kind: 'taken',
  async read(tx, { context, company, id }) {
    const resource = await tx
      .selectFrom('rental_resource')
      .select('name')
      .where('company_id', '=', company.id)
      .where('id', '=', id)
      .where('status', '=', 'open')
      .executeTakeFirst()
    if (!resource) return null
    const rows = await reservations(tx, company.id, context.clock.now(), sql`v.resource_id = ${id}`)
    return {
      name: `${resource.name}, ${company.name}`,
      events: rows.map((row) =>
        eventOf(company, row, { title: say`${row.title}: reserved`, description: '', url: '' }),
      ),
    }
  },
})
export const occupancyFeedPath = (id: number): string => openFeedPath(occupancyFeed, id)

const sinceOf = (kind: FeedKind) => (call: Call) =>
  call.reading(async (tx) => ({ since: await feedSince(tx, call, kind) }))
const ownerOf = (call: Call, { kind }: FeedKind) => ({ personId: signedIn(call).personId, kind })
const makes = (feed: FeedKind) => (call: Call) =>
  call.inCompany(async (tx) => {
    const url = await makeFeed(tx, call, ownerOf(call, feed), say`Reservations`)
    return { success: true as const, message: say`The calendar address is ready.`, url }
  })
const ends = (feed: FeedKind) => (call: Call) =>
  call.inCompany(async (tx) => {
    await endFeed(tx, call, ownerOf(call, feed), say`Reservations`)
    return { success: true as const, message: say`The calendar address no longer works.` }
  })

export const feedCalls = [
  implement(rentalFeed, sinceOf(own)),
  implement(makeRentalFeed, makes(own)),
  implement(endRentalFeed, ends(own)),
  implement(staffRentalFeed, sinceOf(staffFeed)),
  implement(makeStaffRentalFeed, makes(staffFeed)),
  implement(endStaffRentalFeed, ends(staffFeed)),
]
