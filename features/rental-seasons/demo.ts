import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { DemoPart } from '../../server/demo.ts'
import { daysOfRule } from '../../server/days-of-rule.ts'
import type { CompanyId, Tx } from '../../server/tenancy.ts'
import { addDays, dateIn, midnightIn } from '../../shared/dates.ts'
import { type RepeatRule, ruleOf } from '../../shared/repeats.ts'
import { demoSteps, type RentalDemo } from '../rentals/demo-steps.ts'
import { bufferOf, MAX_DATES, timesOf } from '../rentals/rules.ts'
import { leavesOf } from '../rentals/api.ts'
import { type DemoChoice, type DemoRound, demoRounds } from './demo-rounds.ts'
import { type allot, lotteryOf, hashOfSeed } from './rules.ts'
import { applicationStates, roundStates } from './states.ts'

const MINUTE = 60_000
const DAY = 86_400_000

interface Person {
  id: number
  email: string
  name: string
}
interface DemoResourceRow {
  id: number
  spaces: { id: number; name: string; parent_id: number | null; price_percent: number }[]
  resident_cents: number
  before_minutes: number
  after_minutes: number
}

/**
 * Adds the allocation rounds. Numbers the applications from 1 in each company, so that the lottery result does not
 * depend on the load order.
 */
async function addRounds(tx: Tx, { demo, company, subdomain, timeZone: zone }: RentalDemo): Promise<void> {
  const today = dateIn(zone, demo.clock.now())
  const { rows: people } = await sql<Person>`
    SELECT id, email, first_name || ' ' || last_name AS name FROM person WHERE company_id = ${company} AND role_id = 1
    ORDER BY email NOT LIKE 'resident@%', email LIMIT 10`.execute(tx)
  let number = 0
  for (const round of demoRounds[subdomain] ?? []) {
    const resources = await resourcesOf(tx, company, round.resources)
    const seed = createHash('sha256').update(`demo ${round.name}`).digest('hex')
    const [seasonFrom, seasonUntil] = round.season.map((days) => addDays(today, days)) as [string, string]
    const [opens, closes] = round.applies.map((days) => midnightIn(zone, addDays(today, days))) as [Date, Date]
    const { id } = await tx
      .insertInto('rental_round')
      .values({
        ...{ company_id: company, name: round.name, description: round.text, status: round.status },
        ...{ season_from: seasonFrom, season_until: seasonUntil, opens_at: opens, closes_at: closes },
        ...{ max_choices: round.maxChoices, max_hours: round.maxHours, audience: round.audience, pay_days: 14 },
        groups: JSON.stringify(round.groups),
        ...{ seed_sealed: demo.secrets.seal(seed), seed_hash: await hashOfSeed(seed) },
        created_at: new Date(opens.getTime() - 5 * DAY),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('rental_round_resource')
      .values(
        [...resources.values()].map((resource) => ({ company_id: company, round_id: id, resource_id: resource.id })),
      )
      .execute()
    const applicants = round.applications.flatMap(({ club, group, people: guests, rankedChoices }, n) => {
      // Assigns at most one application of a round to each person. A trial company may have fewer residents than
      // applications.
      const person = people[n]
      if (!person) return []
      const applicant = number + n + 1
      const choices = rankedChoices.map((choice) => choiceRow(choice, resources, zone, [seasonFrom, seasonUntil]))
      return [{ id: applicant, number: `A-${100_000 + applicant}`, club, group, guests, person, choices }]
    })
    number += applicants.length
    await addApplications(tx, company, { id, opens }, applicants)
    const steps = { draft: opens, open: opens, closed: closes, lottery_run: closes, confirmed: closes }
    await history(tx, company, roundStates.name, [id], roundSteps[round.status], steps[round.status])
    if (round.status === 'confirmed') await runLottery(tx, company, { id, seed, closes, round }, applicants)
  }
  // Advances the sequence, so that later applications continue after these numbers.
  await sql`SELECT nextval('rental_application_id_seq') FROM generate_series(1, ${number}::int)`.execute(tx)
}

async function addApplications(
  tx: Tx,
  company: CompanyId,
  { id: round, opens }: { id: number; opens: Date },
  applicants: readonly Applicant[],
): Promise<void> {
  for (const [n, { id, person, club, group, guests, choices }] of applicants.entries()) {
    await tx
      .insertInto('rental_application')
      .values({
        ...{ company_id: company, id, round_id: round, person_id: person.id, name: person.name, club },
        ...{ email: person.email, purpose: 'Practice', guests, is_resident: true, group_no: group },
        ...{ status: 'submitted', agreed_at: opens, updated_at: opens },
        created_at: new Date(opens.getTime() + n * DAY),
      })
      .execute()
    await tx
      .insertInto('rental_choice')
      .values(choices.map(({ row }, w) => ({ company_id: company, application_id: id, rank: w + 1, ...row })))
      .execute()
  }
  const ids = applicants.map(({ id }) => id)
  await history(tx, company, applicationStates.name, ids, ['apply'], opens)
}

interface ClosedRound {
  id: number
  seed: string
  closes: Date
  round: DemoRound
}

/** Runs the lottery of a round and creates the resulting reservations. */
async function runLottery(
  tx: Tx,
  company: CompanyId,
  { id, seed, closes, round }: ClosedRound,
  applicants: readonly Applicant[],
): Promise<void> {
  const applications = applicants.map(({ number, group, choices }) => ({
    ...{ number, group: group || round.groups.length + 1 },
    rankedChoices: choices.map(({ leaves, dates }, w) => ({ rank: w + 1, leaves, dates })),
  }))
  const lotteryInput = { maxMinutesAWeek: round.maxHours * 60, applications }
  const result = await lotteryOf(seed, lotteryInput)
  await tx
    .insertInto('rental_lottery')
    .values({
      ...{ company_id: company, round_id: id, seed },
      ...{ inputs: JSON.stringify(lotteryInput), result: JSON.stringify(result) },
      ...{ run_at: new Date(closes.getTime() + DAY), run_by: 'Mainstreet' },
    })
    .execute()
  await bookAllocations(tx, company, applicants, result, new Date(closes.getTime() + 2 * DAY))
}

interface AppliedChoice {
  row: ReturnType<typeof choiceRow>['row']
  leaves: number[]
  dates: ReturnType<typeof choiceRow>['dates']
  times: { startsAt: Date; endsAt: Date }[]
  title: string
  cents: number
}
interface Applicant {
  id: number
  number: string
  club: string
  group: number
  guests: number
  person: Person
  choices: AppliedChoice[]
}

async function resourcesOf(
  tx: Tx,
  company: CompanyId,
  names: readonly string[],
): Promise<Map<string, DemoResourceRow>> {
  const { rows } = await sql<DemoResourceRow & { name: string }>`
    SELECT s.id, s.name, s.resident_cents, s.before_minutes, s.after_minutes,
      (SELECT jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name, 'parent_id', p.parent_id, 'price_percent', p.price_percent) ORDER BY p.id)
       FROM rental_space p WHERE p.company_id = s.company_id AND p.resource_id = s.id) AS spaces
    FROM rental_resource s WHERE s.company_id = ${company} AND s.name = ANY (${[...names]}::text[])`.execute(tx)
  return new Map(rows.map((row) => [row.name, row]))
}

function choiceRow(
  { resource, part, weekdays, from, until }: DemoChoice,
  resources: ReadonlyMap<string, DemoResourceRow>,
  zone: string,
  [first, last]: [string, string],
) {
  const resourceEntry = resources.get(resource)
  const space = resourceEntry?.spaces.find(({ name, parent_id }) =>
    part === undefined ? parent_id === null : name === part,
  )
  if (!resourceEntry || !space) throw new Error(`${resource} has no ${part}`)
  const repeats: RepeatRule = { unit: 'week', every: 1, weekdays, by: 'day', until: last }
  const rule = ruleOf(repeats, first)
  const days = daysOfRule(rule, first, first, MAX_DATES)
  const times = days.flatMap((day) => timesOf(zone, { day, from, until }) ?? [])
  const buffers = { beforeMinutes: resourceEntry.before_minutes, afterMinutes: resourceEntry.after_minutes }
  return {
    row: {
      ...{
        resource_id: resourceEntry.id,
        space_id: space.id,
        rule,
        starts_on: first,
        from_time: from,
        until_time: until,
      },
    },
    leaves: leavesOf(resourceEntry.spaces, space.id),
    times,
    dates: times.map(({ startsAt, endsAt }, n) => {
      const { bufferFrom, bufferUntil } = bufferOf(buffers, { startsAt, endsAt })
      const minutes = (endsAt.getTime() - startsAt.getTime()) / MINUTE
      return { day: days[n] ?? '', minutes, from: bufferFrom.getTime(), until: bufferUntil.getTime() }
    }),
    title: `${resource}, ${space.name}`,
    cents: Math.round((resourceEntry.resident_cents * 2 * space.price_percent) / 100),
  }
}

const roundSteps: Record<DemoRound['status'], string[]> = {
  open: ['plan', 'open'],
  closed: ['plan', 'open', 'close'],
  confirmed: ['plan', 'open', 'close', 'run_lottery', 'confirm'],
}

/** Adds the transitions of records to their histories, in order. */
async function history(
  tx: Tx,
  company: CompanyId,
  machine: string,
  ids: readonly number[],
  events: readonly string[],
  at: Date,
): Promise<void> {
  await sql`
    INSERT INTO status_history (company_id, machine, subject_id, seq, from_state, to_state, event, at, actor_kind, actor_name, reason)
    SELECT ${company}, ${machine}, id, seq, e.from_state, e.to_state, e.event, ${at}::timestamptz, 'system', 'Mainstreet',
      CASE e.event WHEN 'close' THEN 'The application period has ended.' ELSE '' END
    FROM unnest(${[...ids]}::bigint[]) AS id, unnest(${[...events]}::text[]) WITH ORDINALITY AS x(event, seq)
    JOIN status_edge e ON e.machine = ${machine} AND e.event = x.event`.execute(tx)
}

/**
 * Creates reservations from the lottery results. The reservations are already used and paid. Records the result of each
 * applicant.
 */
async function bookAllocations(
  tx: Tx,
  company: CompanyId,
  applicants: readonly Applicant[],
  { allocations }: ReturnType<typeof allot>,
  at: Date,
): Promise<void> {
  for (const { id, number, club, guests, person, choices } of applicants) {
    const ownAllocations = allocations.filter((one) => one.number === number)
    for (const { rank } of ownAllocations) {
      const choice = choices[rank - 1]
      if (!choice) continue
      const { row, times, title, cents } = choice
      const series = await tx
        .insertInto('rental_series')
        .values({
          ...{ company_id: company, resource_id: row.resource_id, rule: row.rule, starts_on: row.starts_on },
          created_at: at,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await sql`
        INSERT INTO rental_reservation (company_id, resource_id, space_id, title, starts_at, ends_at, status, person_id, name, email,
          purpose, guests, is_resident, by_staff, items, price_cents, series_id, agreed_at, created_at, updated_at)
        SELECT ${company}, ${row.resource_id}, ${row.space_id}, ${title}, x."startsAt", x."endsAt", 'completed', ${person.id},
          ${`${club} (${person.name})`}, ${person.email}, 'Practice', ${guests}, true, true,
          ${JSON.stringify([{ text: 'Rental, 2 hours', note: 'Rate for residents', amountCents: cents }])}::jsonb, ${cents},
          ${series.id}, ${at}::timestamptz, ${at}::timestamptz, x."endsAt"
        FROM jsonb_to_recordset(${JSON.stringify(times)}::jsonb) AS x("startsAt" timestamptz, "endsAt" timestamptz)`.execute(
        tx,
      )
      await sql`
        UPDATE rental_choice SET series_id = ${series.id}
        WHERE company_id = ${company} AND application_id = ${id} AND rank = ${rank}`.execute(tx)
    }
    const status = ownAllocations.length > 0 ? 'allocated' : 'not_allocated'
    await sql`
      UPDATE rental_application SET status = ${status}, updated_at = ${at} WHERE company_id = ${company} AND id = ${id}`.execute(
      tx,
    )
    await sql`
      INSERT INTO status_history (company_id, machine, subject_id, seq, from_state, to_state, event, at, actor_kind, actor_name)
      VALUES (${company}, ${applicationStates.name}, ${id}, 2, 'submitted', ${status}, 'decide', ${at}, 'system', 'Mainstreet')`.execute(
      tx,
    )
  }
}

demoSteps.push({ beforeReservations: addRounds })

/** Empty, because this feature adds its data through `demoSteps` of the rentals demo. */
export const demo: DemoPart = {}
