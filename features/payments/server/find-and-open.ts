import type { Call } from '../../../server/call.ts'
import { Refusal } from '../../../server/errors.ts'
import { countTry, defineAddressLimit, defineLimit } from '../../../server/limits.ts'
import { putIntoCart } from './cart.ts'
import type { Payable } from './payable.ts'

/** Of these only what matches nothing counts: who guesses. */
const wrongByAddress = defineAddressLimit('bill-by-address', { most: 20 })
const wrongByAccount = defineLimit('bill-by-account', { most: 8 })

const DAY = 24 * 60
/**
 * Of these only what matches counts: who walks through the account numbers of a town to read its bills. A household looks
 * up a handful, and a town of thousands of accounts not all of them in a quarter of an hour.
 */
const foundByAddress = defineAddressLimit('bill-found-address', { most: 30, after: 'pause' })
const foundByAddressInADay = defineAddressLimit('bill-found-address-day', { most: 100, minutes: DAY, after: 'pause' })
const foundInTown = defineLimit('bill-found-town', { most: 600, after: 'pause' })
const foundInTownInADay = defineLimit('bill-found-town-day', { most: 6000, minutes: DAY, after: 'pause' })

interface Wanted<Named> {
  of: Payable<Named>
  named: Named
  /** What a guesser would try again and again: an account's number, say. */
  number: string
  /** Why nothing came of it. It says the same whatever is wrong. */
  refusal: string
  /** An open cart, as `putIntoCart` takes it: what is found is added to it. */
  cart?: string | undefined
}

/** Finds what a guest names, and opens a checkout for it or adds it to one. Answers the checkout's token. */
export async function findAndOpen<Named>(
  call: Call,
  { of, named, number, refusal, cart }: Wanted<Named>,
): Promise<string> {
  const { house, company, address } = call
  const wrong = [wrongByAddress(address, company.id), wrongByAccount(`${company.id}/${number}`)]
  const found = lookUps(call)
  const counted = await countTry(house, [...wrong, ...found])
  const match = { id: null as number | null }
  const open = () =>
    call.inCompany(async (tx) => {
      match.id = await of.find(tx, company.id, named)
      if (match.id === null) throw new Refusal(404, 'no_bill', refusal)
      const refs = [{ kind: of.kind, id: match.id }]
      return putIntoCart(tx, call, refs, cart)
    })
  // A cart that can't be changed now is nobody's wrong guess.
  return open().finally(() => counted.giveBack(match.id === null ? found : wrong))
}

const lookUps = ({ company, address }: Call) => [
  foundByAddress(address, company.id),
  foundByAddressInADay(address, company.id),
  foundInTown(company.id),
  foundInTownInADay(company.id),
]
