import { sql } from 'kysely'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { notify } from '../../../server/notices/notify.ts'
import { transition } from '../../../server/states.ts'
import { companyIdFrom, type Tx } from '../../../server/tenancy.ts'
import { formatDate, formatInstant } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { plural, say } from '../../../shared/words.ts'
import type { LotteryInput, LotteryResult } from '../rules-lottery.ts'
import { roundStates } from '../states-seasons.ts'
import { canSign } from './agreements.ts'
import { bookDates, judgeDates } from './book-dates.ts'
import { datesOfWish, missedWords, ofApplication, offersOf } from './lottery.ts'
import { bySystem } from './reservations.ts'
import { titleOf } from './reserve.ts'
import { holdTimes } from './resources.ts'
import {
  type Application,
  drawOfRound,
  findRound,
  heldApplication,
  heldRound,
  keptApplications,
  keptRounds,
  lockApplication,
  lockRound,
  type Round,
  type ChoiceRow,
  wishesOf,
} from './rounds.ts'
import { seasonNotice } from './tell-season.ts'

const DAY = 86_400_000
const MAX_CHOICES = 500

/** Closes rounds whose time is over, and gives what was confirmed to those who have not been given it. */
export async function lookAfterRounds(context: AppContext): Promise<void> {
  await closeRounds(context)
  await giveOut(context)
}

async function closeRounds(context: AppContext): Promise<void> {
  const now = context.clock.now()
  const over = await context.acrossCompanies((tx) =>
    tx
      .selectFrom('rental_round')
      .select(['company_id', 'id'])
      .where('status', '=', 'open')
      .where('closes_at', '<=', now)
      .limit(MAX_CHOICES)
      .execute(),
  )
  for (const { company_id, id } of over) {
    const company = companyIdFrom('job', company_id)
    await context.inCompany(company, async (tx) => {
      const row = await lockRound(tx, company, id)
      if (row.status !== 'open') return
      await transition(tx, keptRounds, {
        ...{ place: company, id, held: heldRound(row), event: 'close', who: bySystem(context.clock) },
        reason: say`The time to apply is over.`,
      })
    })
  }
}

/** Each applicant in a transaction of their own, so that what is interrupted goes on where it was. */
export async function giveOut(context: AppContext): Promise<number> {
  const waiting = await context.acrossCompanies((tx) =>
    sql<{ company_id: number; id: number }>`
      SELECT a.company_id, a.id FROM rental_application a
      JOIN rental_round r ON r.company_id = a.company_id AND r.id = a.round_id
      WHERE a.status = 'submitted' AND r.status IN ('confirmed', 'cancelled')
      ORDER BY a.company_id, a.round_id, a.id LIMIT ${MAX_CHOICES}`
      .execute(tx)
      .then(({ rows }) => rows),
  )
  for (const { company_id, id } of waiting) {
    const town = await context.hosts.byId(companyIdFrom('job', company_id))
    if (!town) continue
    // One that can't be given keeps nobody else waiting, and is tried again with the next run.
    await context
      .inCompany(town.id, (tx) => decide(tx, context, town, id))
      .catch((error: unknown) => {
        context.log.error({ err: error, application: id }, 'what was drawn could not be given')
      })
  }
  return waiting.length
}

async function decide(tx: Tx, context: AppContext, company: Company, id: number): Promise<void> {
  const row = await lockApplication(tx, company.id, id)
  if (row.status !== 'submitted') return
  const round = await findRound(tx, company.id, row.round_id)
  const outcome =
    round.status === 'confirmed' ? await give(tx, context, company, row, round) : await cancelled(tx, round)
  await transition(tx, keptApplications, {
    ...{ place: company.id, id, held: heldApplication(row), event: 'decide', who: bySystem(context.clock) },
    to: outcome.series.length > 0 ? 'given' : 'not_given',
  })
  if (row.email !== '')
    await notify(tx, context, {
      ...{ at: company, to: row.email, person: row.person_id, notice: seasonNotice },
      facts: { row, round, ...outcome },
    })
}

async function cancelled(tx: Tx, round: Round) {
  const { rows } = await sql<{ reason: string }>`
    SELECT reason FROM status_history WHERE company_id = ${round.company_id} AND machine = ${roundStates.name}
      AND subject_id = ${round.id} ORDER BY seq DESC LIMIT 1`.execute(tx)
  return {
    subject: say`${round.name} is cancelled`,
    says: [say`The round was cancelled, and nothing is given out: ${rows[0]?.reason ?? ''}`],
    series: [],
  }
}

/** Books what an applicant drew, and says in sentences what they have, what not, and why. */
async function give(tx: Tx, context: AppContext, company: Company, row: Application, round: Round) {
  const draw = await drawOfRound(tx, company.id, round.id)
  if (!draw) throw new Error(`round ${round.id} is confirmed and was not drawn`)
  const inputs = draw.inputs as unknown as LotteryInput
  const drawn = inputs.applications.find(({ number }) => number === row.number)
  const { given, missed } = ofApplication(draw.result as unknown as LotteryResult, row.number)
  const wishes = await wishesOf(tx, company.id, [row.id])
  const mine = given.flatMap((place) => wishes.filter((wish) => wish.place === place))
  // In the order of their numbers, as everybody takes several of them, so that no two wait for each other in a ring.
  for (const resource of [...new Set(mine.map(({ resource_id }) => resource_id))].toSorted((a, b) => a - b))
    await holdTimes(tx, company.id, resource)
  const heldUntil = new Date(context.clock.now().getTime() + round.pay_days * DAY)
  const offer = offersOf(tx, company)
  const says: string[] = []
  const series: number[] = []
  let total = 0
  for (const wish of mine) {
    const days = new Set(drawn?.wishes.find(({ place }) => place === wish.place)?.dates.map(({ day }) => day))
    await book(wish, days)
  }
  for (const one of missed) {
    const { place } = one
    const wish = wishes.find((other) => other.place === place)
    if (wish) says.push(say`Not given, your wish ${place} (${await nameOf(wish)}): ${missedWords(one)}`)
  }
  if (total > 0)
    says.push(
      say`It costs ${formatCents(total)} and is held for you until ${formatInstant(heldUntil, company.timeZone)}. What is not paid by then goes back.`,
    )
  const subject =
    series.length > 0 ? say`${round.name}: what you were given` : say`${round.name}: nothing could be given to you`
  return { subject, says, series }

  async function nameOf(wish: ChoiceRow): Promise<string> {
    const { resource, spaces } = await offer(wish.resource_id)
    const space = spaces.find(({ id }) => id === wish.space_id)
    return space ? titleOf(resource, space) : resource.name
  }

  async function book(wish: ChoiceRow, days: ReadonlySet<string>): Promise<void> {
    const { resource_id: resourceId, space_id: spaceId, place } = wish
    const of = await offer(resourceId)
    const judging = { spaceId, pieces: 1, guests: row.guests, isResident: row.is_resident }
    const at = { company, context }
    const all = datesOfWish(wish)
    const drawnDates = all.filter(({ day }) => days.has(day))
    const judged = of.resource.status === 'open' ? await judgeDates(tx, at, of, judging, drawnDates) : []
    const free = judged.filter(({ mistake }) => mistake === '')
    const name = await nameOf(wish)
    if (free.length === 0) {
      says.push(say`Not given, your wish ${place} (${name}): none of its dates can be had any more.`)
      return
    }
    // What they cost is asked once more of those that are left, since the first of them carries the deposit.
    const dates = await judgeDates(tx, at, of, judging, free)
    const { id, first } = await bookDates(tx, { context, company, who: bySystem(context.clock) }, dates, {
      ...{ rule: wish.rule, startsOn: wish.starts_on },
      asked: {
        ...{ resourceId, spaceId, pieces: 1, addons: [], purpose: row.purpose, guests: row.guests },
        ...{ name: row.club ? `${row.club} (${row.name})` : row.name, email: row.email, phone: row.phone },
        ...{ personId: row.person_id, isResident: row.is_resident, byStaff: true, agreed: true, drawn: { heldUntil } },
        // Nobody knows when they apply what they will be given, so its questions are asked once they have it.
        agreementId: null,
      },
    })
    series.push(id)
    total += dates.reduce((sum, { totalCents }) => sum + totalCents, 0)
    await sql`
      UPDATE rental_wish SET series_id = ${id}
      WHERE company_id = ${company.id} AND application_id = ${row.id} AND place = ${place}`.execute(tx)
    const count = plural(dates.length, 'one date', '# dates')
    says.push(say`Given, your wish ${place} (${name}): ${count}, ${wish.from_time} – ${wish.until_time}.`)
    if (canSign(first))
      says.push(
        say`Please answer the questions about it and sign its agreement, on the page of one of its dates: nobody is let in without it.`,
      )
    const gone = all.filter(({ day }) => !dates.some((date) => date.day === day)).map(({ day }) => formatDate(day))
    if (gone.length > 0) says.push(say`Without ${gone.join(', ')}: it is closed or reserved then.`)
  }
}

/** Each minute, and at once where a round was confirmed or cancelled. */
export function defineRoundJobs(context: AppContext): void {
  context.jobs.define('rentals.give_out', async () => {
    await giveOut(context)
  })
  context.jobs.define('rentals.rounds', () => lookAfterRounds(context), { cron: '* * * * *', retryLimit: 0 })
}
