import { readFileSync } from 'node:fs'
import { screens } from '../shared/screens.ts'
import { expect, test } from './fixtures.ts'

// When all other journeys have ended: the walk leaves to them what they look at themselves.
test('each screen that is built was looked at by every rule of accessibility', () => {
  const looked = new Set(readFileSync(process.env['E2E_LOOKS'] ?? '', 'utf8').split('\n'))
  const missed = screens.filter(({ built, path }) => built && !looked.has(path)).map(({ path }) => path)
  expect(missed, 'add them to `alone` in screens.e2e.ts, or look at them in a journey').toEqual([])
})
