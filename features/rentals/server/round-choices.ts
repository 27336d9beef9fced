import type { Call } from '../../../server/call.ts'
import { daysOfRule } from '../../../server/days-of-rule.ts'
import { rejected } from '../../../server/errors.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { dateIn } from '../../../shared/dates.ts'
import { repeatsOf, ruleOf } from '../../../shared/repeats.ts'
import { plural, say } from '../../../shared/words.ts'
import type { ChoiceForm } from '../contract-seasons.ts'
import { type LotteryResult, minutesByWeek } from '../rules-lottery.ts'
import { MAX_DATES, timesOf } from '../rules.ts'
import { judgeDates, type Offer } from './book-dates.ts'
import { missedWords, ofApplication, offersOf } from './lottery.ts'
import { titleOf } from './reserve.ts'
import { type Application, drawOfRound, type Round, type ChoiceRow, wishesOf } from './rounds.ts'

const MINUTE = 60_000

/**
 * The dates of a wish, each with what keeps it from being had by what is open and reserved now.
 * @throws 422 where none of them can ever be had, or it is not within the terms of its round
 */
export async function checkedWish(
  tx: Tx,
  { company, context }: Pick<Call, 'company' | 'context'>,
  { round, offer, guests }: { round: Round; offer: Offer; guests: number },
  wish: ChoiceForm,
) {
  const { startsOn, repeats, from, until } = wish
  if (repeats.until === '') throw refused('repeats.until', say`Choose a last day.`)
  if (startsOn < round.season_from || repeats.until > round.season_until)
    throw refused('startsOn', say`Choose days within the season.`)
  const days = daysOfRule(ruleOf(repeats, startsOn), startsOn, startsOn, MAX_DATES + 1)
  if (days.length === 0) throw refused('startsOn', say`No day is meant by this.`)
  if (days.length > MAX_DATES)
    throw refused('repeats.until', say`One wish has ${MAX_DATES} dates at most. Choose an earlier last day.`)
  const dates = await judgeDates(
    tx,
    { company, context },
    offer,
    { spaceId: wish.spaceId, pieces: 1, guests, isResident: true },
    days.map((day) => ({ day, from, until, leftOut: false })),
  )
  const [first] = dates
  if (first && dates.every(({ mistake }) => mistake !== ''))
    throw refused('from', say`None of its dates can be had: ${first.mistake}`)
  const timed = dates.flatMap((date) => {
    const times = timesOf(company.timeZone, date)
    return times ? [{ day: date.day, minutes: (times.endsAt.getTime() - times.startsAt.getTime()) / MINUTE }] : []
  })
  const minutesAWeek = Math.max(0, ...minutesByWeek(timed).values())
  if (minutesAWeek > round.most_hours * 60)
    throw refused('until', say`Nobody is given more than ${plural(round.most_hours, 'one hour', '# hours')} a week.`)
  return { dates: dates.map(({ day, mistake }) => ({ day, mistake })), minutesAWeek }
}

const refused = (field: string, sentence: string) => rejected(sentence, { [field]: sentence })

/** Replaces the wishes of an application. @throws 422 that names the wish which can't be */
export async function keepWishes(
  tx: Tx,
  call: Pick<Call, 'company' | 'context'>,
  {
    round,
    application,
    guests,
    resourceIds,
  }: { round: Round; application: number; guests: number; resourceIds: readonly number[] },
  wishes: readonly ChoiceForm[],
): Promise<void> {
  const company = call.company.id
  if (wishes.length > round.most_wishes)
    throw rejected(say`You can have ${plural(round.most_wishes, 'one wish', '# wishes')} at most.`)
  const offer = offersOf(tx, call.company)
  for (const [n, wish] of wishes.entries()) {
    if (!resourceIds.includes(wish.resourceId)) throw rejected(say`Choose what can be applied for in this round.`)
    await checkedWish(tx, call, { round, offer: await offer(wish.resourceId), guests }, wish).catch(
      (error: unknown) => {
        if (error instanceof Error) error.message = say`Wish ${n + 1}: ${error.message}`
        throw error
      },
    )
  }
  await tx
    .deleteFrom('rental_wish')
    .where('company_id', '=', company)
    .where('application_id', '=', application)
    .execute()
  await tx
    .insertInto('rental_wish')
    .values(
      wishes.map((wish, n) => ({
        ...{ company_id: company, application_id: application, place: n + 1 },
        ...{ resource_id: wish.resourceId, space_id: wish.spaceId },
        ...{ rule: ruleOf(wish.repeats, wish.startsOn), starts_on: wish.startsOn },
        ...{ from_time: wish.from, until_time: wish.until },
      })),
    )
    .execute()
}

/** An application's wishes, the dearest first, and what became of each. */
export async function wishesShown(
  tx: Tx,
  { company }: Pick<Call, 'company'>,
  row: Application,
  round: Pick<Round, 'id' | 'status'>,
) {
  const wishes = await wishesOf(tx, company.id, [row.id])
  const draw = await drawOfRound(tx, company.id, round.id)
  const result = draw && ofApplication(draw.result as unknown as LotteryResult, row.number)
  const reserved = await reservedOf(tx, company.id, wishes)
  const offer = offersOf(tx, company)
  const shown = []
  for (const wish of wishes) {
    const { resource, spaces } = await offer(wish.resource_id)
    const space = spaces.find(({ id }) => id === wish.space_id)
    const missed = result?.missed.find(({ place }) => place === wish.place)
    const isGiven = result?.given.includes(wish.place) ?? false
    const mine = reserved.filter(({ series_id }) => series_id !== null && series_id === wish.series_id)
    const isLost = isGiven && row.status === 'given' && wish.series_id === null
    shown.push({
      ...{ resourceId: wish.resource_id, spaceId: wish.space_id, startsOn: wish.starts_on },
      ...{ repeats: repeatsOf(wish.rule), from: wish.from_time, until: wish.until_time },
      what: space ? titleOf(resource, space) : resource.name,
      is: missed || isLost ? ('missed' as const) : isGiven ? ('given' as const) : ('waits' as const),
      why: missed
        ? missedWords(missed)
        : isLost
          ? say`None of its dates could be had any more when the draw was confirmed.`
          : '',
      days: mine.map(({ id, number, starts_at }) => ({
        ...{ reservationId: id, number },
        day: dateIn(company.timeZone, starts_at),
      })),
    })
  }
  return shown
}

/** The reservations that came of wishes. */
export const reservedOf = (tx: Tx, company: CompanyId, wishes: readonly ChoiceRow[]) =>
  tx
    .selectFrom('rental_reservation')
    .select(['id', 'number', 'series_id', 'starts_at', 'ends_at', 'price_cents', 'deposit_cents'])
    .where('company_id', '=', company)
    .where(
      'series_id',
      'in',
      // One that nobody has keeps the list from being empty.
      [0, ...wishes.flatMap(({ series_id }) => series_id ?? [])],
    )
    .orderBy('starts_at')
    .execute()
