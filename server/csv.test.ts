import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** `test/lists.test.ts` reads the mark in the file of each list. Every other export is made by the same code. */
const sources = globSync('{features,server,portal}/**/*.ts', { cwd: new URL('..', import.meta.url) })
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => [file, readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')] as const)
const filesWith = (text: RegExp) => sources.filter(([, source]) => text.test(source)).map(([file]) => file)

test('every CSV for people is made where the byte order mark is', () => {
  expect(filesWith(/['"]text\/csv/).toSorted()).toEqual([
    // What a billing system sends and gets is for programs.
    'features/billing-files/server/by-call.ts',
    'features/billing-files/server/remittances.ts',
    'features/billing-files/server/upload.ts',
    'server/csv.ts',
  ])
})

test('only the entries for accounting software go without it', () => {
  expect(filesWith(/isForPrograms: true/)).toEqual(['features/reconciliation/server/gl.ts'])
})
