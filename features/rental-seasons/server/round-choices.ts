import type { Call } from '../../../server/call.ts'
import { daysOfRule } from '../../../server/days-of-rule.ts'
import { rejected } from '../../../server/errors.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { dateIn } from '../../../shared/dates.ts'
import { repeatsOf, ruleOf } from '../../../shared/repeats.ts'
import { plural, say } from '../../../shared/messages.ts'
import type { ChoiceForm } from '../contract.ts'
import { type LotteryResult, minutesByWeek } from '../rules.ts'
import { MAX_DATES, timesOf } from '../../rentals/rules.ts'
import { checkDates, type Offer, titleOf } from '../../rentals/api.ts'
import { missedText, ofApplication, offersOf } from './lottery.ts'
import { type Application, lotteryOfRound, type Round, type ChoiceRow, choicesOf } from './rounds.ts'

const MINUTE = 60_000

/**
 * Checks the dates of a choice against opening hours and reservations.
 * @throws 422 if no date is available or the terms of the round forbid the choice
 */
export async function validateChoice(
  tx: Tx,
  { company, context }: Pick<Call, 'company' | 'context'>,
  { round, offer, guests }: { round: Round; offer: Offer; guests: number },
  choice: ChoiceForm,
) {
  const { startsOn, repeats, from, until } = choice
  if (repeats.until === '') throw refused('repeats.until', say`Choose a last day.`)
  if (startsOn < round.season_from || repeats.until > round.season_until)
    throw refused('startsOn', say`Choose days within the season.`)
  const days = daysOfRule(ruleOf(repeats, startsOn), startsOn, startsOn, MAX_DATES + 1)
  if (days.length === 0) throw refused('startsOn', say`No dates match this schedule. Choose other days.`)
  if (days.length > MAX_DATES)
    throw refused('repeats.until', say`One choice can have up to ${MAX_DATES} dates. Choose an earlier last day.`)
  const dates = await checkDates(
    tx,
    { company, context },
    offer,
    { spaceId: choice.spaceId, pieces: 1, guests, isResident: true },
    days.map((day) => ({ day, from, until, leftOut: false })),
  )
  const [first] = dates
  if (first && dates.every(({ mistake }) => mistake !== ''))
    throw refused('from', say`None of these dates are available. Problem with the first date: ${first.mistake}`)
  const timed = dates.flatMap((date) => {
    const times = timesOf(company.timeZone, date)
    return times ? [{ day: date.day, minutes: (times.endsAt.getTime() - times.startsAt.getTime()) / MINUTE }] : []
  })
  const minutesAWeek = Math.max(0, ...minutesByWeek(timed).values())
  if (minutesAWeek > round.max_hours * 60)
    throw refused('until', say`You can request up to ${plural(round.max_hours, 'one hour', '# hours')} a week.`)
  return { dates: dates.map(({ day, mistake }) => ({ day, mistake })), minutesAWeek }
}

const refused = (field: string, message: string) => rejected(message, { [field]: message })

/**
 * Replaces the choices of an application.
 * @throws 422 with the name of the invalid choice
 */
export async function saveChoices(
  tx: Tx,
  call: Pick<Call, 'company' | 'context'>,
  {
    round,
    application,
    guests,
    resourceIds,
  }: { round: Round; application: number; guests: number; resourceIds: readonly number[] },
  choices: readonly ChoiceForm[],
): Promise<void> {
  const company = call.company.id
  if (choices.length > round.max_choices)
    throw rejected(say`You can have up to ${plural(round.max_choices, 'one choice', '# choices')}.`)
  const offer = offersOf(tx, call.company)
  for (const [n, choice] of choices.entries()) {
    if (!resourceIds.includes(choice.resourceId))
      throw rejected(say`Choose a resource that is included in this application round.`)
    await validateChoice(tx, call, { round, offer: await offer(choice.resourceId), guests }, choice).catch(
      (error: unknown) => {
        if (error instanceof Error) error.message = say`Choice ${n + 1}: ${error.message}`
        throw error
      },
    )
  }
  await tx
    .deleteFrom('rental_choice')
    .where('company_id', '=', company)
    .where('application_id', '=', application)
    .execute()
  await tx
    .insertInto('rental_choice')
    .values(
      choices.map((choice, n) => ({
        ...{ company_id: company, application_id: application, rank: n + 1 },
        ...{ resource_id: choice.resourceId, space_id: choice.spaceId },
        ...{ rule: ruleOf(choice.repeats, choice.startsOn), starts_on: choice.startsOn },
        ...{ from_time: choice.from, until_time: choice.until },
      })),
    )
    .execute()
}

/** Lists the choices of an application by rank, with their results. */
export async function choiceViews(
  tx: Tx,
  { company }: Pick<Call, 'company'>,
  row: Application,
  round: Pick<Round, 'id' | 'status'>,
) {
  const choices = await choicesOf(tx, company.id, [row.id])
  const lottery = await lotteryOfRound(tx, company.id, round.id)
  const result = lottery && ofApplication(lottery.result as unknown as LotteryResult, row.number)
  const reserved = await reservedOf(tx, company.id, choices)
  const offer = offersOf(tx, company)
  const views = []
  for (const choice of choices) {
    const { resource, spaces } = await offer(choice.resource_id)
    const space = spaces.find(({ id }) => id === choice.space_id)
    const missed = result?.missed.find(({ rank }) => rank === choice.rank)
    const isAllocated = result?.allocations.includes(choice.rank) ?? false
    const ownReservations = reserved.filter(({ series_id }) => series_id !== null && series_id === choice.series_id)
    const isLost = isAllocated && row.status === 'allocated' && choice.series_id === null
    views.push({
      ...{ resourceId: choice.resource_id, spaceId: choice.space_id, startsOn: choice.starts_on },
      ...{ repeats: repeatsOf(choice.rule), from: choice.from_time, until: choice.until_time },
      what: space ? titleOf(resource, space) : resource.name,
      is: missed || isLost ? ('missed' as const) : isAllocated ? ('allocated' as const) : ('waits' as const),
      why: missed
        ? missedText(missed)
        : isLost
          ? say`None of the dates were still available when the results were confirmed.`
          : '',
      days: ownReservations.map(({ id, number, starts_at }) => ({
        ...{ reservationId: id, number },
        day: dateIn(company.timeZone, starts_at),
      })),
    })
  }
  return views
}

/** Builds a query for the reservations that resulted from choices. */
export const reservedOf = (tx: Tx, company: CompanyId, choices: readonly ChoiceRow[]) =>
  tx
    .selectFrom('rental_reservation')
    .select(['id', 'number', 'series_id', 'starts_at', 'ends_at', 'price_cents', 'security_deposit_cents'])
    .where('company_id', '=', company)
    .where(
      'series_id',
      'in',
      // Adds an id that no series has, because an empty list would be invalid SQL.
      [0, ...choices.flatMap(({ series_id }) => series_id ?? [])],
    )
    .orderBy('starts_at')
    .execute()
