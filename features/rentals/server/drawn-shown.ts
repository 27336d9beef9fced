import type { Call } from '../../../server/call.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { LotteryInput, LotteryResult } from '../rules-lottery.ts'
import type { Offer } from './book-dates.ts'
import { applicationsInDraw, judgedWish, missedWords, ofApplication, offersOf } from './lottery.ts'
import { wishOf } from '../rules.ts'
import { titleOf } from './reserve.ts'
import { reservedOf } from './round-choices.ts'
import { type Application, drawOfRound, type Round, type ChoiceRow, wishesOf } from './rounds.ts'

interface AllocatedDate {
  day: string
  from: string
  until: string
  mistake: string
  totalCents: number
}

/**
 * What everybody drew, in the order of the draw, with each date and what it costs: as it stands by what is reserved and
 * closed now, or, once it was given, as it was reserved.
 */
export async function drawnShown(tx: Tx, call: Call, round: Round) {
  const { company } = call
  const draw = await drawOfRound(tx, company.id, round.id)
  if (!draw) return []
  const inputs = draw.inputs as unknown as LotteryInput
  const result = draw.result as unknown as LotteryResult
  const rows = new Map((await applicationsInDraw(tx, round)).map((row) => [row.number, row]))
  const ids = [...rows.values()].map(({ id }) => id)
  const wishes = await wishesOf(tx, company.id, ids)
  const reserved = await reservedOf(tx, company.id, wishes)
  const offer = offersOf(tx, company)
  const shown = []
  for (const number of result.order) {
    const row = rows.get(number)
    if (!row) continue
    const mine = wishes.filter(({ application_id }) => application_id === row.id)
    const of = ofApplication(result, number)
    const given = []
    for (const place of of.given)
      for (const wish of mine.filter((one) => one.place === place)) {
        const its = await offer(wish.resource_id)
        const dates = row.status === 'submitted' ? await toCome(row, wish, its) : taken(wish)
        given.push({ what: nameOf(wish, its), dates, totalCents: sumOf(dates) })
      }
    const missed = []
    for (const one of of.missed)
      for (const wish of mine.filter(({ place }) => place === one.place))
        missed.push({ what: nameOf(wish, await offer(wish.resource_id)), why: missedWords(one) })
    shown.push({
      ...{ applicationId: row.id, number, status: row.status, given, missed },
      name: row.club ? `${row.club} (${row.name})` : row.name,
      group: round.groups[row.group_no - 1] ?? '',
      totalCents: sumOf(given),
    })
  }
  return shown

  async function toCome(row: Application, wish: ChoiceRow, its: Offer): Promise<AllocatedDate[]> {
    const drawn = inputs.applications.find(({ number }) => number === row.number)
    const days = new Set(drawn?.wishes.find(({ place }) => place === wish.place)?.dates.map(({ day }) => day))
    const dates = await judgedWish(tx, call, its, wish, row)
    // A date that was closed before the draw is nobody's, even where it is open again by now.
    const priced = dates.map((date) => (days.has(date.day) ? date : { ...date, mistake: date.mistake || CLOSED }))
    return priced.map(({ day, from, until, mistake, totalCents }) => ({
      ...{ day, from, until, mistake },
      totalCents: mistake ? 0 : totalCents,
    }))
  }

  function taken(wish: ChoiceRow): AllocatedDate[] {
    return reserved
      .filter(({ series_id }) => series_id !== null && series_id === wish.series_id)
      .map((row) => ({
        ...wishOf(company.timeZone, row),
        ...{ mistake: '', totalCents: row.price_cents + row.deposit_cents },
      }))
  }
}

const CLOSED = 'It was closed or reserved when it was drawn.'
const nameOf = (wish: ChoiceRow, { resource, spaces }: Offer): string => {
  const space = spaces.find(({ id }) => id === wish.space_id)
  return space ? titleOf(resource, space) : resource.name
}
const sumOf = (some: readonly { totalCents: number }[]): number => some.reduce((sum, one) => sum + one.totalCents, 0)
