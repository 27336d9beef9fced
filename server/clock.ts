/** Source of the current time. Tests pass a different clock. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
