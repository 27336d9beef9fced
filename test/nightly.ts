import { test } from 'vitest'

/**
 * A test that runs only at night. It needs seconds for processes or large files, and a day test covers the same rule
 * elsewhere or at a smaller size.
 */
export const nightly = test.runIf(process.env['NIGHTLY'])
