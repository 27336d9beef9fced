import { implement } from '../../../server/call.ts'
import { notFound, notSignedIn } from '../../../server/errors.ts'
import { companyPersonOf } from '../../../server/sessions.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { dateIn } from '../../../shared/dates.ts'
import { addToCart, cartChoices, saveCart, myCart, openCart, removeFromCart } from '../contract.ts'
import { OWN_CART } from '../../payments/contract.ts'
import {
  addToCheckout,
  cartOf,
  payableIn,
  putIntoCart,
  removeFrom,
  findCheckout,
  linkTo,
  loadOwed,
  allPayables,
  payableOf,
} from '../../payments/api.ts'

/** Counts the payable items in a person's own cart. */
async function countOf(tx: Tx, company: CompanyId, person: number | null): Promise<number> {
  const cart = person === null ? null : await cartOf(tx, company, person)
  return cart === null ? 0 : (await payableIn(tx, company, cart)).length
}

const myCartCall = implement(myCart, (call) => {
  const person = companyPersonOf(call.session)
  return call.reading(async (tx) => ({ count: await countOf(tx, call.company.id, person) }))
})

const openCartCall = implement(openCart, (call) => {
  const { context, company, session } = call
  const person = companyPersonOf(session)
  return call.inCompany(async (tx) => {
    const cart = person === null ? null : await cartOf(tx, company.id, person)
    return {
      token: cart === null || cart.payables.length === 0 ? null : await linkTo(tx, context, company.id, cart.id),
    }
  })
})

/** Moves the items that a person found before sign-in into their own cart. */
const saveCartCall = implement(saveCart, (call) => {
  const { context, company, session, body } = call
  const person = companyPersonOf(session)
  return call.inCompany(async (tx) => {
    const checkout = await findCheckout(tx, context, company.id, body.token)
    // Skips a checkout that is already a resident's cart. Items without an amount due, such as paid ones, are not
    // moved.
    if (person !== null && checkout.cart_of === null) {
      const open = await payableIn(tx, company.id, checkout)
      if (open.length > 0) await putIntoCart(tx, call, open, OWN_CART)
    }
    return { count: await countOf(tx, company.id, person) }
  })
})

const cartChoicesCall = implement(cartChoices, (call) => {
  const { context, company, session, body } = call
  const person = companyPersonOf(session)
  const query = { isResident: session?.kind === 'citizen', today: dateIn(company.timeZone, context.clock.now()) }
  return call.reading(async (tx) => {
    const { payables } = await findCheckout(tx, context, company.id, body.token)
    const paths = []
    const own = []
    for (const { kind, paths: pathsOf, listOwn } of allPayables()) {
      paths.push(...((await pathsOf?.(tx, company.id, query)) ?? []))
      const ids = person === null ? [] : ((await listOwn?.(tx, company.id, person)) ?? [])
      const others = ids.filter((id) => !payables.some((one) => one.kind === kind && one.id === id))
      own.push(
        ...(await loadOwed(
          tx,
          company.id,
          others.map((id) => ({ kind, id })),
        )),
      )
    }
    return {
      paths,
      own: own
        .filter(({ owedCents }) => owedCents > 0)
        .map(({ kind, id, owedCents, description: { publicView } }) => ({
          kind,
          id,
          title: publicView.title,
          details: publicView.details,
          dueDate: publicView.dueDate,
          owedCents,
        })),
    }
  })
})

const addToCartCall = implement(addToCart, (call) => {
  const { context, company, session, body } = call
  const { token, kind, id } = body
  const person = companyPersonOf(session)
  if (person === null) throw notSignedIn()
  return call.inCompany(async (tx) => {
    const isPayableKind = allPayables().some((one) => one.kind === kind)
    const ownIds = isPayableKind ? ((await payableOf(kind).listOwn?.(tx, company.id, person)) ?? []) : []
    if (!ownIds.includes(id))
      throw notFound('This bill is no longer in your list of bills. To pay the bill, search for it.')
    return { token: await addToCheckout(tx, context, company.id, token, [{ kind, id }]) }
  })
})

const removeFromCartCall = implement(removeFromCart, async (call) => {
  const { context, company, body } = call
  await call.inCompany((tx) => removeFrom(tx, context, company.id, body.token, body.no))
  return { success: true as const }
})

export const cartCalls = [myCartCall, openCartCall, saveCartCall, cartChoicesCall, addToCartCall, removeFromCartCall]
