import { earlyPart } from '../../../web/early-part.tsx'
import { type Checkout, isOpen } from './checkout.ts'

/** Components that only some payments need: for held items, signed-in payers and outages. */
export const HoldTimer = earlyPart(async () => (await import('./HoldTimer.tsx')).default)
export const StoredMethodChoice = earlyPart(async () => (await import('./StoredMethodChoice.tsx')).default)
export const StoreMethodField = earlyPart(async () => (await import('./StoreMethodField.tsx')).default)
export const OutageChoice = earlyPart(async () => (await import('../../outages/web/parts/OutageChoice.tsx')).default)
export const PendingDeferredPayment = earlyPart(
  async () => (await import('../../outages/web/parts/DeferredPayment.tsx')).PendingDeferredPayment,
)
export const EndedDeferredPayment = earlyPart(
  async () => (await import('../../outages/web/parts/DeferredPayment.tsx')).EndedDeferredPayment,
)

/** Returns the remaining seconds of each hold on an item of this checkout. */
export const holdSecondsOf = ({ payables }: Checkout): number[] =>
  payables.flatMap(({ heldSeconds, closed }) => (heldSeconds === null || closed ? [] : heldSeconds))

/** True if a guest's page of this checkout shows only the bill and the payment form. */
export const isSimple = (checkout: Checkout): boolean =>
  checkout.payment.state === 'none' && !checkout.gateway.script && partsOf(checkout, false).length === 0

/** Loads the optional parts that this checkout needs. */
export async function loadParts(checkout: Checkout, isSignedIn: boolean): Promise<void> {
  await Promise.all(partsOf(checkout, isSignedIn).map(({ load }) => load()))
}

function partsOf(checkout: Checkout, isSignedIn: boolean) {
  const { storedMethods, outage, payment } = checkout
  if (!isOpen(payment.state)) return []
  return [
    ...(holdSecondsOf(checkout).length > 0 ? [HoldTimer] : []),
    ...(storedMethods.length > 0 ? [StoredMethodChoice] : []),
    ...(isSignedIn ? [StoreMethodField] : []),
    ...(outage.since === null ? [] : [OutageChoice]),
    ...(outage.deferred === null ? [] : [PendingDeferredPayment, EndedDeferredPayment]),
  ]
}
