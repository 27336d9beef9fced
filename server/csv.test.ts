import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/**
 * Source files in which the test searches for CSV exports that do not use the shared code. `test/lists.test.ts` checks
 * the byte order mark of each list.
 */
const sources = globSync('{features,server,portal}/**/*.ts', { cwd: new URL('..', import.meta.url) })
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => [file, readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')] as const)
const filesWith = (text: RegExp) => sources.filter(([, source]) => text.test(source)).map(([file]) => file)

test('makes every CSV for people with a byte order mark', () => {
  expect(filesWith(/['"]text\/csv/).toSorted()).toEqual([
    // Billing systems read these files, so the files have no byte order mark.
    'features/billing-files/server/by-call.ts',
    'features/billing-files/server/remittances.ts',
    'features/billing-files/server/upload.ts',
    'server/csv.ts',
  ])
})

test('omits the mark only from GL exports for accounting software', () => {
  expect(filesWith(/isForPrograms: true/)).toEqual(['features/reconciliation/server/gl.ts'])
})
