import type { RentalDay } from '../contract.ts'
import { isFree, type StepAvailability } from '../rules.ts'

export interface ChosenTime {
  day: string
  from: string
  until: string
}
export interface TimesProps {
  resourceId: number
  spaceId: number
  pieces: number
  today: string
  lastDay: string
  chosen: ChosenTime | null
  /** Day in the first visible week. Defaults to today. */
  opensOn?: string
  /**
   * Called with the chosen time. `isTaken` is true if any part of the time is reserved, so that only the waitlist is
   * possible.
   */
  onChoose: (chosen: ChosenTime | null, isTaken: boolean) => void
  /** True if residents can choose reserved times to join the waitlist. */
  mayWait?: boolean
  /** True if the chosen time is reserved and the resident joins the waitlist. */
  waits?: boolean
  /** Reservation that the user is moving. Its own time counts as free. */
  except?: number
  /** Called after the week has rendered, when the content below no longer moves. */
  onVisible?: () => void
}

/** Returns true if the user can choose a time step. Reserved steps can be chosen only for the waitlist. */
export const isSelectable = ({ is }: { is: StepAvailability }, mayWait: boolean): boolean =>
  is === 'free' || (mayWait && is === 'taken')

const stepsIn = (day: RentalDay, { from, until }: ChosenTime) =>
  day.steps.filter((step) => from <= step.time && step.until <= until)
/** Returns true if any part of the time is reserved. */
export const hasBusy = (day: RentalDay, chosen: ChosenTime): boolean =>
  stepsIn(day, chosen).some(({ is }) => is === 'taken')

/**
 * Returns the selection after the user presses a time step. Extends the selection if all steps between are available,
 * otherwise starts a new selection. Includes reserved steps only if the pressed step or the selection is already
 * reserved. This prevents people from joining the waitlist by accident.
 */
export function choose(day: RentalDay, at: number, chosen: ChosenTime | null, mayWait = false): ChosenTime | null {
  const step = day.steps[at]
  if (!step || !isSelectable(step, mayWait)) return chosen
  const alone = { day: day.day, from: step.time, until: step.until }
  if (chosen?.day !== day.day) return alone
  if (chosen.from === step.time && chosen.until === step.until) return null
  const first = day.steps.findIndex(({ time }) => time === chosen.from)
  if (first < 0 || at < first) return alone
  const waits = mayWait && (!isFree(step) || hasBusy(day, chosen))
  // If the pressed step is inside the selection, it becomes the new end.
  const between = day.steps.slice(first, at + 1)
  return between.every((one) => isSelectable(one, waits)) ? { ...chosen, until: step.until } : alone
}
