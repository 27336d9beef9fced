import { test } from 'vitest'

/**
 * A test that runs in the night alone: what takes seconds of processes starting or of large files, where a test of the day shows
 * the same rule in another place or at a smaller size.
 */
export const nightly = test.runIf(process.env['NIGHTLY'])

/** So many days it takes until all of many questions that are alike were asked, where nothing else is said. */
const DAYS = 4
export const day = new Date().getDate()

/**
 * Of many questions that are alike: by day a part of them, at least one, and on the next `turn`, which is the next day, another;
 * all in the night.
 */
export function ofToday<One>(many: readonly One[], days = DAYS, turn = day): readonly One[] {
  if (process.env['NIGHTLY']) return many
  const some = many.filter((_, nth) => (nth + turn) % days === 0)
  return some.length > 0 ? some : many.slice(turn % Math.max(1, many.length)).slice(0, 1)
}

/**
 * Of the nth sort of a list: by day it goes one way, since that is the same few lines for all sorts; those which `ofToday` leaves go
 * both ways, and each of them the other way the next time.
 */
export const directionsOf = (nth: number): readonly ('asc' | 'desc')[] =>
  process.env['NIGHTLY']
    ? ['asc', 'desc']
    : [(Math.floor(nth / DAYS) + Math.floor(day / DAYS)) % 2 === 0 ? 'asc' : 'desc']
