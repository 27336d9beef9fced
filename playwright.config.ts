import { defineConfig } from '@playwright/test'
import { findBrowser } from './e2e/browser.ts'
import type { Options } from './e2e/fixtures.ts'
import { isWhole } from './test/layers.ts'

/** What residents do, beside what `screens.e2e.ts` loads. */
const RESIDENTS =
  /(?:accounts|arrangements|autopay|cart|citizen|general-payments|guest-payment|guest-payment-trouble|parking-tickets|requests|second-factor|sso|support|texts|utility-portal|ways-to-pay|words)\.e2e\.ts$/

/** Journeys that `npm test` leaves out. */
const WHOLE = /@whole/

/** What the platform sets up and whoever signs in by it, and what has tabs in the background, which draw nothing. */
const NOT_LATE = /@whole|two tabs|the platform sets it up|with it where they/

/** The journeys that a page translated by the browser passes each day, too. */
const TRANSLATED = /(?:accounts|cart|guest-payment|guest-payment-trouble)\.e2e\.ts$/

/** Projects of `npm run test:nightly` only. */
const nightly = [
  // What moves the gateway's clock disturbs every payment under way: when the others have ended.
  { name: 'clock', testMatch: '*.clock.ts', dependencies: ['portal'] },
  // And so does a provider that takes no payments.
  { name: 'outage', testMatch: '*.outage.ts', dependencies: ['clock'] },
  // A resident's pages move nothing by themselves, in each of their states, even where every answer is late.
  { name: 'late at a desk', testMatch: RESIDENTS, grepInvert: NOT_LATE, use: { late: true } },
  {
    name: 'late on a phone',
    testMatch: RESIDENTS,
    grepInvert: new RegExp(`${NOT_LATE.source}|at a desk|another language|a card reader`),
    use: { late: true, viewport: { width: 390, height: 844 } },
  },
  { name: 'translated', testMatch: [RESIDENTS, 'screens.e2e.ts'], use: { translated: true } },
  { name: 'forced colours', testMatch: 'screens.e2e.ts', use: { forcedColors: 'active' as const } },
  { name: 'themes', testMatch: '*.nightly.ts', timeout: 1_800_000 },
]

const translatedByDay = { name: 'translated', testMatch: TRANSLATED, grepInvert: WHOLE, use: { translated: true } }

/** Journeys through a running portal in a real browser. `e2e/portal.ts` starts the portal as anybody would. */
export default defineConfig<Options>({
  testDir: 'e2e',
  projects: [{ name: 'portal', testMatch: '*.e2e.ts' }, ...(process.env['NIGHTLY'] ? nightly : [translatedByDay])],
  globalSetup: './e2e/portal.ts',
  outputDir: 'test-results',
  fullyParallel: true,
  // `npm test` runs the main path of each screen and the rules that only a browser shows. See the rules in `docs/tests.md`.
  ...(!isWhole && { grepInvert: WHOLE }),
  workers: 3,
  // In the night each state is looked at in one more width.
  timeout: process.env['NIGHTLY'] ? 180_000 : 90_000,
  expect: { timeout: 15_000 },
  // A journey that passes the second time is told as flaky: `npm test` says so at its end.
  retries: 1,
  forbidOnly: Boolean(process.env['CI']),
  reporter: [['list'], ['json', { outputFile: 'test-results/report.json' }]],
  use: {
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    timezoneId: 'America/New_York',
    locale: 'en-US',
    actionTimeout: 15_000,
    screenshot: 'only-on-failure',
    trace: 'off',
    launchOptions: findBrowser(),
  },
})
