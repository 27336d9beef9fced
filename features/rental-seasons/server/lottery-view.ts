import type { Call } from '../../../server/call.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { LotteryInput, LotteryResult } from '../rules.ts'
import { type Offer, titleOf } from '../../rentals/api.ts'
import { applicationsInLottery, checkedDatesOfChoice, missedText, ofApplication, offersOf } from './lottery.ts'
import { slotOf } from '../../rentals/rules.ts'
import { reservedOf } from './round-choices.ts'
import { type Application, lotteryOfRound, type Round, type ChoiceRow, choicesOf } from './rounds.ts'

interface AllocatedDate {
  day: string
  from: string
  until: string
  mistake: string
  totalCents: number
}

/**
 * Lists the lottery results in order, with each date and its price. Before the allocation, the dates reflect current
 * reservations and closed days. Afterwards, they show the reservations that were made.
 */
export async function allocationViews(tx: Tx, call: Call, round: Round) {
  const { company } = call
  const lottery = await lotteryOfRound(tx, company.id, round.id)
  if (!lottery) return []
  const inputs = lottery.inputs as unknown as LotteryInput
  const result = lottery.result as unknown as LotteryResult
  const rows = new Map((await applicationsInLottery(tx, round)).map((row) => [row.number, row]))
  const ids = [...rows.values()].map(({ id }) => id)
  const choices = await choicesOf(tx, company.id, ids)
  const reserved = await reservedOf(tx, company.id, choices)
  const offer = offersOf(tx, company)
  const views = []
  for (const number of result.order) {
    const row = rows.get(number)
    if (!row) continue
    const ownChoices = choices.filter(({ application_id }) => application_id === row.id)
    const of = ofApplication(result, number)
    const allocated = []
    for (const rank of of.allocations)
      for (const choice of ownChoices.filter((one) => one.rank === rank)) {
        const its = await offer(choice.resource_id)
        const dates = row.status === 'submitted' ? await toCome(row, choice, its) : bookedDatesOf(choice)
        allocated.push({ what: nameOf(choice, its), dates, totalCents: sumOf(dates) })
      }
    const missed = []
    for (const one of of.missed)
      for (const choice of ownChoices.filter(({ rank }) => rank === one.rank))
        missed.push({ what: nameOf(choice, await offer(choice.resource_id)), why: missedText(one) })
    views.push({
      ...{ applicationId: row.id, number, status: row.status, allocations: allocated, missed },
      name: row.club ? `${row.club} (${row.name})` : row.name,
      group: round.groups[row.group_no - 1] ?? '',
      totalCents: sumOf(allocated),
    })
  }
  return views

  async function toCome(row: Application, choice: ChoiceRow, its: Offer): Promise<AllocatedDate[]> {
    const lotteryInput = inputs.applications.find(({ number }) => number === row.number)
    const days = new Set(
      lotteryInput?.rankedChoices.find(({ rank }) => rank === choice.rank)?.dates.map(({ day }) => day),
    )
    const dates = await checkedDatesOfChoice(tx, call, its, choice, row)
    // A date that was closed before the lottery is not allocated, even if it has reopened since.
    const priced = dates.map((date) => (days.has(date.day) ? date : { ...date, mistake: date.mistake || CLOSED }))
    return priced.map(({ day, from, until, mistake, totalCents }) => ({
      ...{ day, from, until, mistake },
      totalCents: mistake ? 0 : totalCents,
    }))
  }

  function bookedDatesOf(choice: ChoiceRow): AllocatedDate[] {
    return reserved
      .filter(({ series_id }) => series_id !== null && series_id === choice.series_id)
      .map((row) => ({
        ...slotOf(company.timeZone, row),
        ...{ mistake: '', totalCents: row.price_cents + row.security_deposit_cents },
      }))
  }
}

const CLOSED = 'Closed or reserved when the lottery ran.'
const nameOf = (choice: ChoiceRow, { resource, spaces }: Offer): string => {
  const space = spaces.find(({ id }) => id === choice.space_id)
  return space ? titleOf(resource, space) : resource.name
}
const sumOf = (some: readonly { totalCents: number }[]): number => some.reduce((sum, one) => sum + one.totalCents, 0)
