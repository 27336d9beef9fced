import type { RentalDay } from '../contract.ts'
import { isFree, type SlotStep } from '../rules.ts'

const UNAVAILABLE = 'border-transparent bg-[#e3e3e3] text-[#4d4d4d]'

/** Gray for times that nobody can choose, and white for free ones, in every theme. */
const looks = {
  chosen: 'border-brand bg-brand text-on-brand',
  free: 'border-edge bg-white hover:border-brand',
  waitable: `${UNAVAILABLE} hover:border-brand`,
  unavailable: `${UNAVAILABLE} cursor-default`,
}

export const timeLook = (stands: keyof typeof looks): string => looks[stands]

/** The first day with a free time. Today if all times of the next weeks are taken. */
export const firstUseful = (days: readonly RentalDay[], today: string): string =>
  days.find(({ steps }) => steps.some(isFree))?.day ?? today

interface Times {
  day: string
  from: string
  until: string
}

/** True if a time appears as chosen. A taken time from a link does not. */
export const isChosenStep = (step: SlotStep, day: string, chosen: Times | null, waits = false): boolean =>
  chosen?.day === day &&
  chosen.from <= step.time &&
  step.until <= chosen.until &&
  (isFree(step) || (waits && step.is === 'taken'))
