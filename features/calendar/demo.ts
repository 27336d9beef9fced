import type { Random } from '../../database/random.ts'
import type { DemoTown } from '../../database/towns/town.ts'
import type { Clock } from '../../server/clock.ts'
import type { CompanyId, Tx } from '../../server/tenancy.ts'
import { addDays, dateIn, midnightIn, weekday } from '../../shared/dates.ts'
import type { ItemType } from './rules.ts'
import type { ItemStatus } from './states.ts'

/** How far the demo's calendar reaches, in days before and after today. */
const [BEFORE, AFTER] = [28, 49]
const HOUR = 3_600_000

interface Template {
  title: string
  description: string
  /** Begins at one of these hours and lasts this long, in hours. */
  from: readonly number[]
  hours: number
}

const eventTypeIds: Record<ItemType, number> = { billing: 1, rental: 2, workorder: 3, inspection: 4 }

const templates: Record<ItemType, readonly Template[]> = {
  billing: [
    { title: 'Meter reading, route {n}', description: 'Read and check all meters of the route.', from: [8], hours: 6 },
    {
      title: 'Bill run, cycle {n}',
      description: 'Export the bills and load them into the portal.',
      from: [9, 10],
      hours: 2,
    },
    { title: 'Past-due notices, cycle {n}', description: 'Print and mail the notices.', from: [13], hours: 2 },
    { title: 'Autopay file to the bank', description: 'Check the totals before it is sent.', from: [11], hours: 1 },
  ],
  rental: [
    { title: '{place}: family reunion', description: 'About 60 guests. Deposit received.', from: [11, 12], hours: 5 },
    { title: '{place}: birthday party', description: 'Tables for 30. Power is needed.', from: [13, 14], hours: 4 },
    { title: '{place}: youth league practice', description: 'Lights on until 9 PM.', from: [17], hours: 3 },
    { title: '{place}: garden club', description: 'Projector and coffee.', from: [18], hours: 2 },
  ],
  workorder: [
    {
      title: 'Repair a street light at {place}',
      description: 'Reported by a resident. Bucket truck needed.',
      from: [9, 13],
      hours: 2,
    },
    { title: 'Fill potholes near {place}', description: 'Cold patch. One lane closed.', from: [8, 9], hours: 4 },
    {
      title: 'Replace a water meter, {place}',
      description: 'The meter has not moved for two readings.',
      from: [10, 14],
      hours: 1,
    },
    { title: 'Clear a storm drain at {place}', description: 'Leaves after the last rain.', from: [8], hours: 3 },
  ],
  inspection: [
    {
      title: 'Final inspection of a deck, {place}',
      description: 'Building permit. Owner will be there.',
      from: [9, 10, 11],
      hours: 1,
    },
    { title: 'Rental inspection, {place}', description: 'Smoke alarms, exits, heating.', from: [13, 14], hours: 1 },
    {
      title: 'Hydrant flow test, {place}',
      description: 'Two hydrants. Tell the fire company.',
      from: [8, 9],
      hours: 2,
    },
    { title: 'Playground check, {place}', description: 'Monthly. Photos of worn parts.', from: [15], hours: 1 },
  ],
}

/** Work goes on from Monday to Friday; rentals are for evenings and weekends. */
const typesOf = (day: number): Record<ItemType, number> =>
  day === 0 || day === 6
    ? { billing: 0, rental: 1, workorder: 0.1, inspection: 0 }
    : { billing: 0.25, rental: 0.2, workorder: 0.32, inspection: 0.23 }

/** Scheduled items of all four types around today: what is past is mostly done, some of it is not. */
export async function scheduleItems(
  tx: Tx,
  clock: Clock,
  random: Random,
  company: CompanyId,
  timeZone: string,
  town: DemoTown,
): Promise<void> {
  if (town.places.length === 0) return
  const now = clock.now()
  const today = dateIn(timeZone, now)
  const items = []
  for (let offset = -BEFORE; offset <= AFTER; offset += 1) {
    const date = addDays(today, offset)
    const midnight = midnightIn(timeZone, date).getTime()
    // Each type has something in the next days, whatever the dice say.
    const certain: ItemType[] = offset === 1 || offset === 4 ? ['billing', 'rental', 'workorder', 'inspection'] : []
    const some = Array.from({ length: random.int(1, 3) }, () => random.weighted(typesOf(weekday(date))))
    for (const type of new Set([...certain, ...some])) {
      const template = random.pick(templates[type])
      const starts = new Date(midnight + random.pick(template.from) * HOUR)
      const ends = new Date(starts.getTime() + template.hours * HOUR)
      items.push({
        company_id: company,
        event_type_id: eventTypeIds[type],
        title: template.title
          .replace('{n}', String(random.int(1, 4)))
          .replace('{place}', random.pick(type === 'rental' ? town.venues : town.places)),
        description: template.description,
        starts_at: starts,
        ends_at: ends,
        status: statusAt(random, now, starts, ends),
      })
    }
  }
  await tx.insertInto('scheduled_item').values(items).execute()
}

function statusAt(random: Random, now: Date, starts: Date, ends: Date): ItemStatus {
  if (ends < now) return random.weighted({ completed: 0.86, in_progress: 0.09, not_started: 0.05 })
  if (starts <= now) return 'in_progress'
  return random.chance(0.1) ? 'in_progress' : 'not_started'
}
