import type { Call } from '../../../../server/call.ts'
import { Refusal } from '../../../../server/errors.ts'
import type { AppContext } from '../../../../server/app-context.ts'
import {
  countIn,
  defineAddressLimit,
  defineLimit,
  type Limit,
  networkOf,
  onlyViewed,
} from '../../../../server/limits.ts'
import type { CompanyId, Tx } from '../../../../server/tenancy.ts'
import { putIntoCart } from './cart.ts'
import type { Payable } from './payable.ts'

/** Limits against guessing. Only searches without a match count. */
const failuresByAddress = defineAddressLimit('bill-by-address', { max: 20 })
const failuresByAccount = defineLimit('bill-by-account', { max: 8 })

const DAY = 24 * 60
/**
 * Limits against reading bills by trying one account number after another. Only searches with a match count. A repeated
 * match within a day does not count.
 */
const matchesByAddress = defineAddressLimit('bill-match-address', { max: 30, after: 'pause' })
const matchesByAddressPerDay = defineAddressLimit('bill-match-address-day', { max: 100, minutes: DAY, after: 'pause' })
/**
 * Limits for all guests of a municipality together. Each guest's first match of an item counts. The limits are far
 * above the traffic on a billing day: ten matches a second, or a quarter of the accounts in 15 minutes.
 */
const matchesInCompany = defineLimit('bill-match-company', { max: 9000, after: 'pause' })
const matchesInCompanyPerDay = defineLimit('bill-match-company-day', { max: 60_000, minutes: DAY, after: 'pause' })
/**
 * Limits shared by all guests who found more items than one household has. An attack from many IP addresses reaches
 * these limits first. Guests who look for their own bill are not affected.
 */
const scannedInCompany = defineLimit('bill-scan-company', { max: 60, after: 'pause' })
const scannedInCompanyPerDay = defineLimit('bill-scan-company-day', { max: 200, minutes: DAY, after: 'pause' })
/** Number of items that one household may look up in a day. */
const OF_A_HOUSEHOLD = 3

interface FindRequest<Named> {
  of: Payable<Named>
  named: Named
  /** Value that an attacker would guess, for example an account number. */
  number: string
  /** Error text if the search fails. Every cause has this text. */
  refusal: string
  /** Cart that the item is added to, as `putIntoCart` expects it. */
  cart?: string | undefined
  /**
   * Counts the municipality's items, because the limits grow with that number. The result is cached for some minutes.
   */
  count?: (tx: Tx, company: CompanyId) => Promise<number>
}

/**
 * Finds the item that a guest names. Opens a checkout for it or adds it to an open cart, and returns the checkout
 * token. Counts the attempt before it returns or saves any result, so that parallel attempts cannot exceed the limit.
 */
export async function findAndOpen<Named>(call: Call, request: FindRequest<Named>): Promise<string> {
  const { context, company, address } = call
  const { of, named, number, refusal, cart, count } = request
  const failureLimits = [failuresByAddress(address, company.id), failuresByAccount(`${company.id}/${number}`)]
  const own = [matchesByAddress(address, company.id), matchesByAddressPerDay(address, company.id)]
  const { id, size } = await call.reading(async (tx) => ({
    id: await of.find(tx, company.id, named),
    size: await sizeOf(context, company.id, () => count?.(tx, company.id) ?? Promise.resolve(0)),
  }))
  const now = context.clock.now()
  await context.outside(async (tx) => {
    // The limits for matches are checked too. A caller who is over such a limit cannot learn whether a search matched.
    if (id === null) return countIn(tx, now, [...failureLimits, ...own.map(onlyViewed)])
    const seen = `${company.id}/${networkOf(address)}/${of.kind}/${id}`
    const isNew = await recordMatch(tx, now, seen)
    const counts = await countIn(tx, now, [...failureLimits.map(onlyViewed), ...own.map(isNew ? counting : onlyViewed)])
    if (!isNew) return
    const inADay = counts.find(({ scope }) => scope === own[1]?.scope)?.failures ?? 0
    return countIn(tx, now, companyLimits(company.id, size, inADay > OF_A_HOUSEHOLD))
  })
  if (id === null) throw new Refusal(404, 'no_bill', refusal)
  return call.inCompany((tx) => putIntoCart(tx, call, [{ kind: of.kind, id }], cart))
}

const counting = (limit: Limit): Limit => limit

const companyLimits = (company: CompanyId, size: number, walks: boolean): Limit[] => {
  const withMinimum = (limit: Limit, part: number): Limit => ({
    ...limit,
    max: Math.max(limit.max, Math.ceil(size * part)),
  })
  const all = [withMinimum(matchesInCompany(company), 0.25), withMinimum(matchesInCompanyPerDay(company), 2)]
  return walks
    ? [...all, withMinimum(scannedInCompany(company), 0.005), withMinimum(scannedInCompanyPerDay(company), 0.02)]
    : all
}

/** Records that a guest found an item. @returns true if the guest has not found the item in the last day */
async function recordMatch(tx: Tx, now: Date, seen: string): Promise<boolean> {
  const [row] = await countIn(tx, now, [seenLimit(seen)])
  return row?.failures === 1
}
const seenLimit = (key: string): Limit => ({
  ...{ scope: 'bill-seen', key, max: 2 ** 31 - 1, minutes: DAY, after: 'pause', text: '' },
})

const SIZE_LASTS_MS = 10 * 60_000
const sizes = new WeakMap<AppContext, Map<CompanyId, { at: number; size: number }>>()

/** Returns the cached number of items. The query is slow, and the result changes little within minutes. */
async function sizeOf(context: AppContext, company: CompanyId, loadSize: () => Promise<number>): Promise<number> {
  const sizesByCompany = sizes.get(context) ?? new Map<CompanyId, { at: number; size: number }>()
  sizes.set(context, sizesByCompany)
  const now = context.clock.now().getTime()
  const cached = sizesByCompany.get(company)
  if (cached && now - cached.at < SIZE_LASTS_MS) return cached.size
  const size = await loadSize()
  sizesByCompany.set(company, { at: now, size })
  return size
}
