import { test } from 'vitest'

/**
 * Test that runs only at night, because it needs several seconds for processes or large files. In every run, another
 * test covers the same rule elsewhere or at a smaller scale.
 */
export const nightly = test.runIf(process.env['NIGHTLY'])
