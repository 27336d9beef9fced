import type { Random } from '../../database/random.ts'
import type { DemoCompany } from '../../database/towns/town.ts'
import type { Clock } from '../../server/clock.ts'
import type { CompanyId, Tx } from '../../server/tenancy.ts'
import { addDays, dateIn, midnightIn, weekday } from '../../shared/dates.ts'
import type { ItemType } from './rules.ts'
import type { ItemStatus } from './states.ts'

/** Range of the demo calendar, in days before and after today. */
const [BEFORE, AFTER] = [28, 49]
const HOUR = 3_600_000

type Template = readonly [title: string, description: string, from: readonly number[], hours: number]

/** Item types that no other feature adds. Work orders add their own calendar items. */
type OwnType = Exclude<ItemType, 'workorder'>
const eventTypeIds: Record<OwnType, number> = { billing: 1, rental: 2, inspection: 4 }

const templates: Record<OwnType, readonly Template[]> = {
  billing: [
    ['Meter reading, route {n}', 'Read and check all meters of the route.', [8], 6],
    ['Bill run, cycle {n}', 'Export the bills and load them into the portal.', [9, 10], 2],
    ['Past-due notices, cycle {n}', 'Print and mail the notices.', [13], 2],
    ['Autopay file to the bank', 'Check the totals before it is sent.', [11], 1],
  ],
  rental: [
    ['{location}: family reunion', 'About 60 guests. Deposit received.', [11, 12], 5],
    ['{location}: birthday party', 'Tables for 30. Power is needed.', [13, 14], 4],
    ['{location}: youth league practice', 'Lights on until 9 PM.', [17], 3],
    ['{location}: garden club', 'Projector and coffee.', [18], 2],
  ],
  inspection: [
    ['Final inspection of a deck, {location}', 'Building permit. Owner will be there.', [9, 10, 11], 1],
    ['Rental inspection, {location}', 'Smoke alarms, exits, heating.', [13, 14], 1],
    ['Hydrant flow test, {location}', 'Two hydrants. Tell the fire company.', [8, 9], 2],
    ['Playground check, {location}', 'Monthly. Photos of worn parts.', [15], 1],
  ],
}

/**
 * Returns the weights of the item types for a weekday. Staff work from Monday to Friday. Rentals are in the evening and
 * on weekends.
 */
const typesOf = (day: number): Record<OwnType, number> =>
  day === 0 || day === 6 ? { billing: 0, rental: 1, inspection: 0 } : { billing: 0.37, rental: 0.29, inspection: 0.34 }

/** Adds scheduled items around today, except work orders. Most past items are completed. */
export async function scheduleItems(
  tx: Tx,
  clock: Clock,
  random: Random,
  company: CompanyId,
  timeZone: string,
  demoCompany: DemoCompany,
): Promise<void> {
  if (demoCompany.locations.length === 0) return
  const now = clock.now()
  const today = dateIn(timeZone, now)
  const items = []
  for (let offset = -BEFORE; offset <= AFTER; offset += 1) {
    const date = addDays(today, offset)
    const midnight = midnightIn(timeZone, date).getTime()
    // Adds an item of each type tomorrow and in four days, regardless of the random numbers.
    const certain: OwnType[] = offset === 1 || offset === 4 ? ['billing', 'rental', 'inspection'] : []
    const some = Array.from({ length: random.int(1, 3) }, () => random.weighted(typesOf(weekday(date))))
    for (const type of new Set([...certain, ...some])) {
      const [title, description, from, hours] = random.pick(templates[type])
      const starts = new Date(midnight + random.pick(from) * HOUR)
      const ends = new Date(starts.getTime() + hours * HOUR)
      const item = {
        company_id: company,
        event_type_id: eventTypeIds[type],
        title: title
          .replace('{n}', String(random.int(1, 4)))
          .replace('{location}', random.pick(type === 'rental' ? demoCompany.venues : demoCompany.locations)),
        description,
        starts_at: starts,
        ends_at: ends,
        status: statusAt(random, now, starts, ends),
      }
      // Skips rentals, because features/rentals adds them. The loop still draws random numbers for rentals, so that the
      // later random numbers do not change.
      if (type !== 'rental') items.push(item)
    }
  }
  await tx.insertInto('scheduled_item').values(items).execute()
}

function statusAt(random: Random, now: Date, starts: Date, ends: Date): ItemStatus {
  if (ends < now) return random.weighted({ completed: 0.86, in_progress: 0.09, not_started: 0.05 })
  if (starts <= now) return 'in_progress'
  return random.chance(0.1) ? 'in_progress' : 'not_started'
}
