/**
 * Items collected for one payment. This is the signed-in person's cart on the server, or a guest's checkout that is
 * open in this tab. Features with items to pay get the cart to add to from this file.
 */
import { useSyncExternalStore } from 'react'
import { useQueryParam } from './routes.tsx'
import { currentSession } from './session.ts'

/** Name of the signed-in person's own cart in calls. */
export const OWN_CART = 'mine'
const STORED = 'cart'

export interface OpenCart {
  /** Number of items that can still be paid. */
  count: number
  /** Value that identifies this cart in calls that add an item to it. */
  into: string
}

const listeners = new Set<() => void>()
let own = 0
let cached: OpenCart | null | undefined

function notify(): void {
  cached = undefined
  for (const listener of listeners) listener()
}

/** Returns the checkout that a guest left open in this tab: its token and number of items. */
export function tabCart(): OpenCart | null {
  try {
    return JSON.parse(sessionStorage.getItem(STORED) ?? 'null') as OpenCart | null
  } catch {
    return null
  }
}

function load(): OpenCart | null {
  if (currentSession() !== null && own > 0) return { count: own, into: OWN_CART }
  return tabCart()
}

function currentCart(): OpenCart | null {
  if (cached === undefined) cached = load()
  return cached
}

/** Sets the number of items in the person's own cart, as the server reports it. */
export function setOwnCart(count: number): void {
  own = count
  notify()
}

export function rememberTabCart(cart: OpenCart): void {
  try {
    sessionStorage.setItem(STORED, JSON.stringify(cart))
  } catch {
    // The browser blocks storage. The payer can still open the checkout by its own link.
  }
  notify()
}

/**
 * Forgets the checkout that is open in this tab.
 * @param token of the paid checkout. Without it, any checkout is forgotten
 */
export function forgetTabCart(token?: string): void {
  if (token !== undefined && tabCart()?.into !== token) return
  try {
    sessionStorage.removeItem(STORED)
  } catch {
    // The browser blocks storage, so nothing was stored.
  }
  notify()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns the open cart. Null if no cart is open. */
export const useOpenCart = (): OpenCart | null => useSyncExternalStore(subscribe, currentCart, () => null)

/** Returns the cart that the URL names (`?cart=`). This page adds items to that cart. Null if the URL names none. */
export const useCartFromUrl = (): string | null => useQueryParam('cart')

export const cartPath = (cart: string): string => (cart === OWN_CART ? '/cart' : `/guest/payment/${cart}`)
