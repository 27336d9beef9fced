import type { RentalDay } from '../contract.ts'
import { isFree, type SlotStep } from '../rules.ts'

const UNAVAILABLE = 'border-transparent bg-[#e3e3e3] text-[#4d4d4d]'

/** Colors of the times in every theme: gray for unavailable times and white for free times. */
const variants = {
  chosen: 'border-brand bg-brand text-on-brand',
  free: 'border-edge bg-white hover:border-brand',
  waitable: `${UNAVAILABLE} hover:border-brand`,
  unavailable: `${UNAVAILABLE} cursor-default`,
}

export const timeVariant = (stands: keyof typeof variants): string => variants[stands]

/** Returns the first day with a free time, or today if no such day exists. */
export const firstUseful = (days: readonly RentalDay[], today: string): string =>
  days.find(({ steps }) => steps.some(isFree))?.day ?? today

interface Times {
  day: string
  from: string
  until: string
}

/**
 * Returns true if a time step is displayed as chosen. A reserved time from a link is displayed as chosen only for the
 * waitlist.
 */
export const isChosenStep = (step: SlotStep, day: string, chosen: Times | null, waits = false): boolean =>
  chosen?.day === day &&
  chosen.from <= step.time &&
  step.until <= chosen.until &&
  (isFree(step) || (waits && step.is === 'taken'))
