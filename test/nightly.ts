import { test } from 'vitest'

/**
 * A test that runs only in nightly runs, because it needs seconds for processes or large files. A test in every run
 * covers the same rule elsewhere or at a smaller size.
 */
export const nightly = test.runIf(process.env['NIGHTLY'])
