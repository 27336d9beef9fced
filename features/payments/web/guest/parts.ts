import { earlyPart } from '../../../../web/early-part.tsx'
import { type Checkout, isOpen } from './checkout.ts'

/** What only some payments need: those for something that is held, of who is signed in, and in an outage. */
export const Held = earlyPart(async () => (await import('./Held.tsx')).default)
export const KeptChoice = earlyPart(async () => (await import('./KeptChoice.tsx')).default)
export const KeepIt = earlyPart(async () => (await import('./KeepIt.tsx')).default)
export const OutageChoice = earlyPart(async () => (await import('../outage/OutageChoice.tsx')).default)
export const Promised = earlyPart(async () => (await import('../outage/Promised.tsx')).Promised)
export const WasPromised = earlyPart(async () => (await import('../outage/Promised.tsx')).WasPromised)

/** For how long each thing is still held for whoever pays. */
export const heldFor = ({ payables }: Checkout): number[] =>
  payables.flatMap(({ heldSeconds, closed }) => (heldSeconds === null || closed ? [] : heldSeconds))

/** Loads what the page of this checkout needs besides. */
export async function loadParts(checkout: Checkout, isSignedIn: boolean): Promise<void> {
  const { kept, outage, payment } = checkout
  if (!isOpen(payment.state)) return
  const needed = [
    ...(heldFor(checkout).length > 0 ? [Held] : []),
    ...(kept.length > 0 ? [KeptChoice] : []),
    ...(isSignedIn ? [KeepIt] : []),
    ...(outage.since === null ? [] : [OutageChoice]),
    ...(outage.promise === null ? [] : [Promised, WasPromised]),
  ]
  await Promise.all(needed.map(({ load }) => load()))
}
