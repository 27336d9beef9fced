import { sql } from 'kysely'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { transition } from '../../../server/states.ts'
import { companyIdFrom, type Tx } from '../../../server/tenancy.ts'
import { whereOn } from '../../../server/modules.ts'
import { clockText, formatDate, formatInstant } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { plural, say } from '../../../shared/messages.ts'
import type { LotteryInput, LotteryResult } from '../rules.ts'
import { roundStates } from '../states.ts'
import { bookDates, checkDates, bySystem, titleOf, lockResourceTimes, canSign } from '../../rentals/api.ts'
import { applicationStateStore } from './application-states.ts'
import { datesOfChoice, missedText, ofApplication, offersOf } from './lottery.ts'
import {
  type Application,
  lotteryOfRound,
  findRound,
  lockedApplication,
  lockedRound,
  roundStateStore,
  lockApplication,
  lockRound,
  type Round,
  type ChoiceRow,
  choicesOf,
} from './rounds.ts'

const DAY = 86_400_000
const MAX_CHOICES = 500

/** Closes rounds after their last day and allocates the results of confirmed rounds. */
export async function reviewRounds(context: AppContext): Promise<void> {
  await closeRounds(context)
  await allocate(context)
}

async function closeRounds(context: AppContext): Promise<void> {
  const now = context.clock.now()
  const closing = await context.acrossCompanies((tx) =>
    tx
      .selectFrom('rental_round')
      .select(['company_id', 'id'])
      .where('status', '=', 'open')
      .where('closes_at', '<=', now)
      .where(whereOn('rentals'))
      .limit(MAX_CHOICES)
      .execute(),
  )
  for (const { company_id, id } of closing) {
    const company = companyIdFrom('job', company_id)
    await context.inCompany(company, async (tx) => {
      const row = await lockRound(tx, company, id)
      if (row.status !== 'open') return
      await transition(tx, roundStateStore, {
        ...{ scope: company, id, locked: lockedRound(row), event: 'close', actor: bySystem(context.clock) },
        reason: say`The application period has ended.`,
      })
    })
  }
}

/** Allocates the results with one transaction for each applicant, so that an interrupted run can resume. */
export async function allocate(context: AppContext): Promise<number> {
  const undecided = await context.acrossCompanies((tx) =>
    sql<{ company_id: number; id: number }>`
      SELECT a.company_id, a.id FROM rental_application a
      JOIN rental_round r ON r.company_id = a.company_id AND r.id = a.round_id
      WHERE a.status = 'submitted' AND r.status IN ('confirmed', 'cancelled')
      ORDER BY a.company_id, a.round_id, a.id LIMIT ${MAX_CHOICES}`
      .execute(tx)
      .then(({ rows }) => rows),
  )
  for (const { company_id, id } of undecided) {
    const companyRecord = await context.hosts.byId(companyIdFrom('job', company_id))
    if (!companyRecord) continue
    // A failed allocation does not delay the others. The next run retries it.
    await context
      .inCompany(companyRecord.id, (tx) => decide(tx, context, companyRecord, id))
      .catch((error: unknown) => {
        context.log.error({ err: error, application: id }, 'what was drawn could not be given')
      })
  }
  return undecided.length
}

async function decide(tx: Tx, context: AppContext, company: Company, id: number): Promise<void> {
  const row = await lockApplication(tx, company.id, id)
  if (row.status !== 'submitted') return
  const round = await findRound(tx, company.id, row.round_id)
  const outcome =
    round.status === 'confirmed'
      ? await reserveAllocatedTimes(tx, context, company, row, round)
      : await cancelled(tx, round)
  await transition(tx, applicationStateStore, {
    scope: company.id,
    id,
    locked: lockedApplication(row),
    event: 'decide',
    actor: bySystem(context.clock),
    to: outcome.series.length > 0 ? 'allocated' : 'not_allocated',
    deps: { company, context, row, round, decision: outcome },
  })
}

async function cancelled(tx: Tx, round: Round) {
  const { rows } = await sql<{ reason: string }>`
    SELECT reason FROM status_history WHERE company_id = ${round.company_id} AND machine = ${roundStates.name}
      AND subject_id = ${round.id} ORDER BY seq DESC LIMIT 1`.execute(tx)
  return {
    subject: say`${round.name} was cancelled`,
    text: [say`The application round was cancelled, and no times were allocated. Reason: ${rows[0]?.reason ?? ''}`],
    series: [],
  }
}

/**
 * Creates the reservations of an applicant. Returns the text of the email, which lists the allocated choices and the
 * missed ones with reasons.
 */
async function reserveAllocatedTimes(tx: Tx, context: AppContext, company: Company, row: Application, round: Round) {
  const lottery = await lotteryOfRound(tx, company.id, round.id)
  if (!lottery) throw new Error(`round ${round.id} is confirmed and was not drawn`)
  const inputs = lottery.inputs as unknown as LotteryInput
  const lotteryInput = inputs.applications.find(({ number }) => number === row.number)
  const { allocations, missed } = ofApplication(lottery.result as unknown as LotteryResult, row.number)
  const choices = await choicesOf(tx, company.id, [row.id])
  const allocatedChoices = allocations.flatMap((rank) => choices.filter((choice) => choice.rank === rank))
  // Locks the resources in the order of their ids. All code uses this order, to prevent deadlocks.
  for (const resource of [...new Set(allocatedChoices.map(({ resource_id }) => resource_id))].toSorted((a, b) => a - b))
    await lockResourceTimes(tx, company.id, resource)
  const holdExpiresAt = new Date(context.clock.now().getTime() + round.pay_days * DAY)
  const offer = offersOf(tx, company)
  const lines: string[] = []
  const series: number[] = []
  let total = 0
  for (const choice of allocatedChoices) {
    const days = new Set(
      lotteryInput?.rankedChoices.find(({ rank }) => rank === choice.rank)?.dates.map(({ day }) => day),
    )
    await book(choice, days)
  }
  for (const one of missed) {
    const { rank } = one
    const choice = choices.find((other) => other.rank === rank)
    if (choice) lines.push(say`Choice ${rank} (${await nameOf(choice)}) was not allocated: ${missedText(one)}`)
  }
  if (total > 0)
    lines.push(
      say`The total is ${formatCents(total)}. We will hold these times for you until ${formatInstant(holdExpiresAt, company.timeZone)}. We will release all times that are unpaid by then.`,
    )
  const subject =
    series.length > 0 ? say`${round.name}: your allocated times` : say`${round.name}: no times allocated to you`
  return { subject, text: lines, series }

  async function nameOf(choice: ChoiceRow): Promise<string> {
    const { resource, spaces } = await offer(choice.resource_id)
    const space = spaces.find(({ id }) => id === choice.space_id)
    return space ? titleOf(resource, space) : resource.name
  }

  async function book(choice: ChoiceRow, days: ReadonlySet<string>): Promise<void> {
    const { resource_id: resourceId, space_id: spaceId, rank } = choice
    const of = await offer(resourceId)
    const judging = { spaceId, pieces: 1, guests: row.guests, isResident: row.is_resident }
    const at = { company, context }
    const all = datesOfChoice(choice)
    const allocatedDates = all.filter(({ day }) => days.has(day))
    const checked = of.resource.status === 'open' ? await checkDates(tx, at, of, judging, allocatedDates) : []
    const free = checked.filter(({ mistake }) => mistake === '')
    const name = await nameOf(choice)
    if (free.length === 0) {
      lines.push(say`Choice ${rank} (${name}) was not allocated: none of its dates are still available.`)
      return
    }
    // Recalculates the prices of the remaining dates, because the first remaining date carries the deposit.
    const dates = await checkDates(tx, at, of, judging, free)
    const { id, first } = await bookDates(tx, { context, company, actor: bySystem(context.clock) }, dates, {
      ...{ rule: choice.rule, startsOn: choice.starts_on },
      input: {
        ...{ resourceId, spaceId, pieces: 1, addons: [], purpose: row.purpose, guests: row.guests },
        ...{ name: row.club ? `${row.club} (${row.name})` : row.name, email: row.email, phone: row.phone },
        ...{
          personId: row.person_id,
          isResident: row.is_resident,
          byStaff: true,
          agreed: true,
          fromLottery: { heldUntil: holdExpiresAt },
        },
        // No agreement yet. Applicants do not know their resource in advance, so they answer its questions and sign
        // its agreement after the allocation.
        agreementId: null,
      },
    })
    series.push(id)
    total += dates.reduce((sum, { totalCents }) => sum + totalCents, 0)
    await sql`
      UPDATE rental_choice SET series_id = ${id}
      WHERE company_id = ${company.id} AND application_id = ${row.id} AND rank = ${rank}`.execute(tx)
    const count = plural(dates.length, 'one date', '# dates')
    lines.push(
      say`Choice ${rank} (${name}) was allocated: ${count}, ${clockText(choice.from_time)} – ${clockText(choice.until_time)}.`,
    )
    if (canSign(first))
      lines.push(
        say`Please open the reservation for one of these dates to answer the questions and sign the agreement. You can't check in without a signed agreement.`,
      )
    const gone = all.filter(({ day }) => !dates.some((date) => date.day === day)).map(({ day }) => formatDate(day))
    if (gone.length > 0)
      lines.push(
        say`${plural(gone.length, 'This date is', 'These dates are')} not included because the facility is closed or already reserved: ${gone.join(', ')}.`,
      )
  }
}

/** Defines the job that runs each minute. The job also runs immediately after staff confirm or cancel a round. */
export function defineRoundJobs(context: AppContext): void {
  context.jobs.define('rentals.allocate', async () => {
    await allocate(context)
  })
  context.jobs.define('rentals.rounds', () => reviewRounds(context), { cron: '* * * * *', retryLimit: 0 })
}
