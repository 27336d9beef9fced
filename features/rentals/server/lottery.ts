import type { AppContext } from '../../../server/app-context.ts'
import type { Company } from '../../../server/hosts.ts'
import { daysOfRule } from '../../../server/days-of-rule.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { say } from '../../../shared/words.ts'
import type { LotteryInput, LotteryResult } from '../rules-lottery.ts'
import { guardOf, MAX_DATES, timesOf, type TimeSlot } from '../rules.ts'
import { judgeDates, type Offer, offerOf } from './book-dates.ts'
import { leavesOf } from './resources.ts'
import { type Application, IN_DRAW, type Round, type ChoiceRow, wishesOf } from './rounds.ts'

const MINUTE = 60_000

/** Reads each resource once, however many wish for it. */
export function offersOf(tx: Tx, company: Company): (resource: number) => Promise<Offer> {
  const known = new Map<number, Promise<Offer>>()
  return (resource) => {
    const offer = known.get(resource) ?? offerOf(tx, company, resource)
    known.set(resource, offer)
    return offer
  }
}

/** The dates that a wish names. */
export const datesOfWish = (
  wish: Pick<ChoiceRow, 'rule' | 'starts_on' | 'from_time' | 'until_time'>,
): (TimeSlot & { leftOut: boolean })[] =>
  daysOfRule(wish.rule, wish.starts_on, wish.starts_on, MAX_DATES + 1).map((day) => ({
    ...{ day, from: wish.from_time, until: wish.until_time, leftOut: false },
  }))

/** A wish's dates, each with what keeps it from being had by whatever is reserved or closed now. */
export async function judgedWish(
  tx: Tx,
  at: { company: Company; context: Pick<AppContext, 'clock'> },
  offer: Offer,
  wish: Pick<ChoiceRow, 'rule' | 'starts_on' | 'from_time' | 'until_time' | 'space_id'>,
  { guests, is_resident }: Pick<Application, 'guests' | 'is_resident'>,
) {
  const judging = { spaceId: wish.space_id, pieces: 1, guests, isResident: is_resident }
  return judgeDates(tx, at, offer, judging, datesOfWish(wish))
}

export const applicationsInDraw = (tx: Tx, round: Round): Promise<Application[]> =>
  tx
    .selectFrom('rental_application')
    .selectAll()
    .where('company_id', '=', round.company_id)
    .where('round_id', '=', round.id)
    .where('status', 'in', IN_DRAW)
    .orderBy('id')
    .execute()

/** All that a draw is made of: each application's wishes, without the dates that are closed or reserved before it. */
export async function inputsOf(
  tx: Tx,
  at: { company: Company; context: Pick<AppContext, 'clock'> },
  round: Round,
): Promise<LotteryInput> {
  const { company } = at
  const rows = await applicationsInDraw(tx, round)
  const wishes = await wishesOf(
    tx,
    company.id,
    rows.map(({ id }) => id),
  )
  const offer = offersOf(tx, company)
  const applications: LotteryInput['applications'][number][] = []
  for (const row of rows) {
    const shown = []
    for (const wish of wishes.filter(({ application_id }) => application_id === row.id)) {
      const of = await offer(wish.resource_id)
      const dates = (await judgedWish(tx, at, of, wish, row)).filter(({ mistake }) => mistake === '')
      shown.push({
        place: wish.place,
        leaves: leavesOf(of.spaces, wish.space_id),
        dates: dates.flatMap((date) => {
          const times = timesOf(company.timeZone, date)
          if (!times) return []
          const { guardFrom, guardUntil } = guardOf(of.rules, times)
          const minutes = (times.endsAt.getTime() - times.startsAt.getTime()) / MINUTE
          return [{ day: date.day, minutes, from: guardFrom.getTime(), until: guardUntil.getTime() }]
        }),
      })
    }
    applications.push({ number: row.number, group: row.group_no || round.groups.length + 1, wishes: shown })
  }
  return { mostMinutesAWeek: round.most_hours * 60, applications }
}

/** Why somebody was not given a wish. */
export const missedWords = ({ why, by, number }: LotteryResult['missed'][number]): string =>
  why === 'no_dates'
    ? say`All of its dates were closed or reserved before the draw.`
    : why === 'hours'
      ? say`It would have been more hours a week than anybody is given.`
      : by === number
        ? say`An earlier wish of the same application has some of this time, or the time that is kept free before or after it.`
        : say`${by} came before in the draw and has some of this time.`

/** What of a draw is an application's own. */
export function ofApplication({ given, missed }: LotteryResult, number: string) {
  return {
    given: given.filter((one) => one.number === number).map(({ place }) => place),
    missed: missed.filter((one) => one.number === number),
  }
}
