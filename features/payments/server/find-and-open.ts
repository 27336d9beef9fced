import type { Call } from '../../../server/call.ts'
import { Refusal } from '../../../server/errors.ts'
import type { AppContext } from '../../../server/app-context.ts'
import {
  countIn,
  defineAddressLimit,
  defineLimit,
  type Limit,
  networkOf,
  onlyLookedAt,
} from '../../../server/limits.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { putIntoCart } from './cart.ts'
import type { Payable } from './payable.ts'

/** Of these only what matches nothing counts: who guesses. */
const wrongByAddress = defineAddressLimit('bill-by-address', { most: 20 })
const wrongByAccount = defineLimit('bill-by-account', { most: 8 })

const DAY = 24 * 60
/**
 * Of these only what matches counts: who walks through the account numbers of a municipality to read its bills. The same
 * thing that a guest finds again that day does not count.
 */
const foundByAddress = defineAddressLimit('bill-found-address', { most: 30, after: 'pause' })
const foundByAddressInADay = defineAddressLimit('bill-found-address-day', { most: 100, minutes: DAY, after: 'pause' })
/**
 * All guests of a municipality together, each with the first things that they find. It is far above what a municipality
 * of the size sees on the day of its bills: ten in a second, or a quarter of its accounts in a quarter of an hour.
 */
const foundInTown = defineLimit('bill-found-town', { most: 9000, after: 'pause' })
const foundInTownInADay = defineLimit('bill-found-town-day', { most: 60_000, minutes: DAY, after: 'pause' })
/**
 * All guests who have found more than a household has. Where many addresses walk together this is used up first, and
 * refuses them alone: whoever looks for their own bill is not asked for it.
 */
const walkedInTown = defineLimit('bill-walked-town', { most: 60, after: 'pause' })
const walkedInTownInADay = defineLimit('bill-walked-town-day', { most: 200, minutes: DAY, after: 'pause' })
/** What a household looks up in a day. */
const OF_A_HOUSEHOLD = 3

interface FindRequest<Named> {
  of: Payable<Named>
  named: Named
  /** What a guesser would try again and again: an account's number, say. */
  number: string
  /** Why nothing came of it. It says the same whatever is wrong. */
  refusal: string
  /** An open cart, as `putIntoCart` takes it: what is found is added to it. */
  cart?: string | undefined
  /** How many of them the municipality has, which its limits follow; asked once in a while. */
  count?: (tx: Tx, company: CompanyId) => Promise<number>
}

/**
 * Finds what a guest names, and opens a checkout for it or adds it to one. Nothing of it is told or written before the
 * try is counted, so that tries at the same moment never pass together. Answers the checkout's token.
 */
export async function findAndOpen<Named>(call: Call, wanted: FindRequest<Named>): Promise<string> {
  const { context, company, address } = call
  const { of, named, number, refusal, cart, count } = wanted
  const wrong = [wrongByAddress(address, company.id), wrongByAccount(`${company.id}/${number}`)]
  const own = [foundByAddress(address, company.id), foundByAddressInADay(address, company.id)]
  const { id, size } = await call.reading(async (tx) => ({
    id: await of.find(tx, company.id, named),
    size: await sizeOf(context, company.id, () => count?.(tx, company.id) ?? Promise.resolve(0)),
  }))
  const now = context.clock.now()
  await context.outside(async (tx) => {
    // Who has to wait learns nothing meanwhile, neither of what matches nor of what does not.
    if (id === null) return countIn(tx, now, [...wrong, ...own.map(onlyLookedAt)])
    const seen = `${company.id}/${networkOf(address)}/${of.kind}/${id}`
    const isNew = await isFirst(tx, now, seen)
    const found = await countIn(tx, now, [...wrong.map(onlyLookedAt), ...own.map(isNew ? counting : onlyLookedAt)])
    if (!isNew) return
    const inADay = found.find(({ scope }) => scope === own[1]?.scope)?.failures ?? 0
    return countIn(tx, now, inTown(company.id, size, inADay > OF_A_HOUSEHOLD))
  })
  if (id === null) throw new Refusal(404, 'no_bill', refusal)
  return call.inCompany((tx) => putIntoCart(tx, call, [{ kind: of.kind, id }], cart))
}

const counting = (limit: Limit): Limit => limit

const inTown = (company: CompanyId, size: number, walks: boolean): Limit[] => {
  const atLeast = (limit: Limit, part: number): Limit => ({
    ...limit,
    most: Math.max(limit.most, Math.ceil(size * part)),
  })
  const all = [atLeast(foundInTown(company), 0.25), atLeast(foundInTownInADay(company), 2)]
  return walks ? [...all, atLeast(walkedInTown(company), 0.005), atLeast(walkedInTownInADay(company), 0.02)] : all
}

/** Notes that a guest found a thing. @returns true if they have not found it in the last day */
async function isFirst(tx: Tx, now: Date, seen: string): Promise<boolean> {
  const [row] = await countIn(tx, now, [seenLimit(seen)])
  return row?.failures === 1
}
const seenLimit = (key: string): Limit => ({
  ...{ scope: 'bill-seen', key, most: 2 ** 31 - 1, minutes: DAY, after: 'pause', says: '' },
})

const SIZE_LASTS_MS = 10 * 60_000
const sizes = new WeakMap<AppContext, Map<CompanyId, { at: number; size: number }>>()

/** A count of all accounts takes a while, and changes little within minutes. */
async function sizeOf(context: AppContext, company: CompanyId, ask: () => Promise<number>): Promise<number> {
  const mine = sizes.get(context) ?? new Map<CompanyId, { at: number; size: number }>()
  sizes.set(context, mine)
  const now = context.clock.now().getTime()
  const kept = mine.get(company)
  if (kept && now - kept.at < SIZE_LASTS_MS) return kept.size
  const size = await ask()
  mine.set(company, { at: now, size })
  return size
}
