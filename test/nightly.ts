import { test } from 'vitest'

/**
 * A test that runs in the night alone: what takes seconds of processes starting or of large files, where a test of the day shows
 * the same rule in another place or at a smaller size.
 */
export const nightly = test.runIf(process.env['NIGHTLY'])

/** Of the nth sort of a list: by day it goes one way, the next one the other, since that is the same few lines for all sorts. */
export const directionsOf = (nth: number): readonly ('asc' | 'desc')[] =>
  process.env['NIGHTLY'] ? ['asc', 'desc'] : [(nth + new Date().getDate()) % 2 === 0 ? 'asc' : 'desc']
