/**
 * What is collected to be paid in one payment: the own cart of whoever is signed in, which the server keeps, or the one
 * checkout that a guest has open in this tab. Features that find something to pay ask here where it may go.
 */
import { useSyncExternalStore } from 'react'
import { useQueryParam } from './routes.tsx'
import { currentSession } from './session.ts'

/** The own cart of whoever is signed in, where a call names a cart. */
export const MINE = 'mine'
const STORED = 'cart'

export interface OpenCart {
  /** What can be paid of it still. */
  count: number
  /** As calls that put something into a cart name it. */
  into: string
}

const listeners = new Set<() => void>()
let own = 0
let known: OpenCart | null | undefined

function tell(): void {
  known = undefined
  for (const listener of listeners) listener()
}

/** The checkout that a guest left open in this tab: its token, and how many things are in it. */
export function tabCart(): OpenCart | null {
  try {
    return JSON.parse(sessionStorage.getItem(STORED) ?? 'null') as OpenCart | null
  } catch {
    return null
  }
}

function load(): OpenCart | null {
  if (currentSession() !== null && own > 0) return { count: own, into: MINE }
  return tabCart()
}

function currentCart(): OpenCart | null {
  if (known === undefined) known = load()
  return known
}

/** How much is in the own cart, as the server says. */
export function setOwnCart(count: number): void {
  own = count
  tell()
}

export function rememberTabCart(cart: OpenCart): void {
  try {
    sessionStorage.setItem(STORED, JSON.stringify(cart))
  } catch {
    // refused storage: the link of its page still opens it
  }
  tell()
}

/** @param token of the checkout that is paid; left out, whichever it is */
export function forgetTabCart(token?: string): void {
  if (token !== undefined && tabCart()?.into !== token) return
  try {
    sessionStorage.removeItem(STORED)
  } catch {
    // as above
  }
  tell()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The open cart; null where nothing is in it. */
export const useOpenCart = (): OpenCart | null => useSyncExternalStore(subscribe, currentCart, () => null)

/** The cart that somebody is adding to, who came from its page: `?cart=`. */
export const useCartInAddress = (): string | null => useQueryParam('cart')

/** Where the page of a cart is. */
export const cartPath = (cart: string): string => (cart === MINE ? '/cart' : `/guest/payment/${cart}`)
