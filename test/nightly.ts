import { test } from 'vitest'

/**
 * A test that runs in the night alone: what takes seconds of processes starting or of large files, where a test of the day shows
 * the same rule in another place or at a smaller size.
 */
export const nightly = test.runIf(process.env['NIGHTLY'])
