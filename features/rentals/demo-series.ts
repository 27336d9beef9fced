import type { Tx } from '../../server/tenancy.ts'
import { addDays, dateIn, instantAt } from '../../shared/dates.ts'
import type { RentalDemo } from './demo-steps.ts'

/** Maximum dates of a resident's series, and whether staff approve it. */
const seriesByResource: Readonly<Record<string, { dates: number; approval: boolean }>> = {
  'Community Room': { dates: 10, approval: true },
  'Ball Field 2': { dates: 12, approval: false },
  'Harbor Turf': { dates: 20, approval: true },
  'Lighthouse Park shelter': { dates: 6, approval: false },
}

/** Lets residents request series of some resources. */
export async function allowSeries(tx: Tx, { company, resources }: RentalDemo): Promise<void> {
  for (const [name, { dates, approval }] of Object.entries(seriesByResource)) {
    const id = resources.get(name)
    if (id === undefined) continue
    await tx
      .updateTable('rental_resource')
      .set({ series_dates: dates, series_approval: approval })
      .where('company_id', '=', company)
      .where('id', '=', id)
      .execute()
  }
}

interface DemoSeries {
  resource: string
  purpose: string
  /** Days from today to the first date. The other dates follow weekly. */
  from: number
  dates: number
  status: 'requested' | 'confirmed'
}
const ofResident: Readonly<Record<string, readonly DemoSeries[]>> = {
  maplegrove: [
    { resource: 'Community Room', purpose: 'Italian for beginners', from: 15, dates: 4, status: 'requested' },
    { resource: 'Ball Field 2', purpose: 'Softball practice', from: 17, dates: 5, status: 'confirmed' },
  ],
  harborcity: [
    { resource: 'Harbor Turf', purpose: 'Walking soccer', from: 12, dates: 6, status: 'requested' },
    { resource: 'Lighthouse Park shelter', purpose: 'Painting outdoors', from: 16, dates: 3, status: 'confirmed' },
  ],
}

/**
 * Adds series for the resident account that the README lists. Must run before the other reservations are added, so that
 * they avoid these times.
 */
export async function addSeries(tx: Tx, { demo, company, subdomain, timeZone: zone }: RentalDemo): Promise<void> {
  const now = demo.clock.now()
  const person = await tx
    .selectFrom('person')
    .select(['id', 'first_name', 'last_name', 'email'])
    .where('company_id', '=', company)
    .where('email', 'like', 'resident@%')
    .executeTakeFirst()
  if (!person) return
  const today = dateIn(zone, now)
  const at = new Date(now.getTime() - 3 * 86_400_000)
  for (const { resource: name, purpose, from, dates, status } of ofResident[subdomain] ?? []) {
    const resource = await tx
      .selectFrom('rental_resource')
      .selectAll()
      .where('company_id', '=', company)
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
    const space = await tx
      .selectFrom('rental_space')
      .select(['id', 'name'])
      .where('company_id', '=', company)
      .where('resource_id', '=', resource.id)
      .where('parent_id', 'is', null)
      .executeTakeFirstOrThrow()
    const first = addDays(today, from)
    const { id } = await tx
      .insertInto('rental_series')
      .values({
        ...{ company_id: company, resource_id: resource.id, rule: 'FREQ=WEEKLY;INTERVAL=1', starts_on: first },
        ...{ person_id: person.id, created_at: at },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const rental = { text: 'Rental, 2 hours', note: 'Rate for residents', amountCents: 2 * resource.resident_cents }
    for (let n = 0; n < dates; n += 1) {
      const day = addDays(first, 7 * n)
      const deposit = n === 0 ? resource.security_deposit_cents : 0
      const carried = { text: 'Security deposit', note: 'Refundable after the inspection', amountCents: deposit }
      await tx
        .insertInto('rental_reservation')
        .values({
          ...{ company_id: company, resource_id: resource.id, space_id: space.id, series_id: id, status },
          title: space.name === '' ? name : `${name}, ${space.name}`,
          ...{ starts_at: instantAt(zone, day, '18:00'), ends_at: instantAt(zone, day, '20:00') },
          ...{ person_id: person.id, name: `${person.first_name} ${person.last_name}`, email: person.email, purpose },
          ...{ guests: resource.capacity > 0 ? 14 : 0, is_resident: true, price_cents: rental.amountCents },
          items: JSON.stringify(deposit > 0 ? [rental, carried] : [rental]),
          ...{ security_deposit_cents: deposit, agreed_at: at, created_at: at, updated_at: at },
        })
        .execute()
    }
  }
}
