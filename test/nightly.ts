import { test } from 'vitest'

/**
 * A test that runs in the night alone: what takes seconds of processes starting or of large files, where a test of the day shows
 * the same rule in another place or at a smaller size.
 */
export const nightly = test.runIf(process.env['NIGHTLY'])

/** Of many questions that are alike: by day one half of them, the next day the other, and all in the night. */
export const ofToday = <One>(many: readonly One[]): readonly One[] =>
  process.env['NIGHTLY'] ? many : many.filter((_, nth) => (nth + new Date().getDate()) % 2 === 0)

/** Of the nth sort of a list: by day it goes one way, the next one the other, since that is the same few lines for all sorts. */
export const directionsOf = (nth: number): readonly ('asc' | 'desc')[] =>
  process.env['NIGHTLY'] ? ['asc', 'desc'] : [(half(nth) + half(new Date().getDate())) % 2 === 0 ? 'asc' : 'desc']

/** So that those which `ofToday` leaves go both ways, and each of them the other way the next time. */
const half = (count: number): number => Math.floor(count / 2)
