import type { AppContext } from '../../../server/app-context.ts'
import type { Company } from '../../../server/hosts.ts'
import { daysOfRule } from '../../../server/days-of-rule.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { say } from '../../../shared/messages.ts'
import type { LotteryInput, LotteryResult } from '../rules.ts'
import { bufferOf, MAX_DATES, timesOf, type TimeSlot } from '../../rentals/rules.ts'
import { checkDates, type Offer, offerOf, leavesOf } from '../../rentals/api.ts'
import { type Application, IN_LOTTERY, type Round, type ChoiceRow, choicesOf } from './rounds.ts'

const MINUTE = 60_000

/** Reads each resource once, for any number of applications. */
export function offersOf(tx: Tx, company: Company): (resource: number) => Promise<Offer> {
  const cachedOffers = new Map<number, Promise<Offer>>()
  return (resource) => {
    const offer = cachedOffers.get(resource) ?? offerOf(tx, company, resource)
    cachedOffers.set(resource, offer)
    return offer
  }
}

/** Lists the dates of a choice. */
export const datesOfChoice = (
  choice: Pick<ChoiceRow, 'rule' | 'starts_on' | 'from_time' | 'until_time'>,
): (TimeSlot & { leftOut: boolean })[] =>
  daysOfRule(choice.rule, choice.starts_on, choice.starts_on, MAX_DATES + 1).map((day) => ({
    ...{ day, from: choice.from_time, until: choice.until_time, leftOut: false },
  }))

/** Checks the dates of a choice against current reservations and closed days. */
export async function checkedDatesOfChoice(
  tx: Tx,
  at: { company: Company; context: Pick<AppContext, 'clock'> },
  offer: Offer,
  choice: Pick<ChoiceRow, 'rule' | 'starts_on' | 'from_time' | 'until_time' | 'space_id'>,
  { guests, is_resident }: Pick<Application, 'guests' | 'is_resident'>,
) {
  const judging = { spaceId: choice.space_id, pieces: 1, guests, isResident: is_resident }
  return checkDates(tx, at, offer, judging, datesOfChoice(choice))
}

export const applicationsInLottery = (tx: Tx, round: Round): Promise<Application[]> =>
  tx
    .selectFrom('rental_application')
    .selectAll()
    .where('company_id', '=', round.company_id)
    .where('round_id', '=', round.id)
    .where('status', 'in', IN_LOTTERY)
    .orderBy('id')
    .execute()

/** Builds the input of a lottery: the choices of each application, without dates that are closed or reserved. */
export async function inputsOf(
  tx: Tx,
  at: { company: Company; context: Pick<AppContext, 'clock'> },
  round: Round,
): Promise<LotteryInput> {
  const { company } = at
  const rows = await applicationsInLottery(tx, round)
  const choices = await choicesOf(
    tx,
    company.id,
    rows.map(({ id }) => id),
  )
  const offer = offersOf(tx, company)
  const applications: LotteryInput['applications'][number][] = []
  for (const row of rows) {
    const choiceInputs = []
    for (const choice of choices.filter(({ application_id }) => application_id === row.id)) {
      const of = await offer(choice.resource_id)
      const dates = (await checkedDatesOfChoice(tx, at, of, choice, row)).filter(({ mistake }) => mistake === '')
      choiceInputs.push({
        rank: choice.rank,
        leaves: leavesOf(of.spaces, choice.space_id),
        dates: dates.flatMap((date) => {
          const times = timesOf(company.timeZone, date)
          if (!times) return []
          const { bufferFrom, bufferUntil } = bufferOf(of.rules, times)
          const minutes = (times.endsAt.getTime() - times.startsAt.getTime()) / MINUTE
          return [{ day: date.day, minutes, from: bufferFrom.getTime(), until: bufferUntil.getTime() }]
        }),
      })
    }
    applications.push({
      number: row.number,
      group: row.group_no || round.groups.length + 1,
      rankedChoices: choiceInputs,
    })
  }
  return { maxMinutesAWeek: round.max_hours * 60, applications }
}

/** Explains why a choice was not allocated. */
export const missedText = ({ why, by, number }: LotteryResult['missed'][number]): string =>
  why === 'no_dates'
    ? say`All dates in this choice were closed or reserved before the lottery.`
    : why === 'hours'
      ? say`This choice would exceed the maximum number of hours per week.`
      : by === number
        ? say`A higher-ranked choice in the same application overlaps with this time, or with its setup or cleanup time.`
        : say`Application ${by} came earlier in the lottery order and was allocated part of this time.`

/** Returns the results of one application. */
export function ofApplication({ allocations, missed }: LotteryResult, number: string) {
  return {
    allocations: allocations.filter((one) => one.number === number).map(({ rank }) => rank),
    missed: missed.filter((one) => one.number === number),
  }
}
