import { defineConfig } from '@playwright/test'
import { findBrowser } from './e2e/browser.ts'
import { startClock } from './e2e/clock.ts'
import type { Options } from './e2e/fixtures.ts'
import { isWhole } from './test/layers.ts'

startClock()

/** Test files with the browser journeys of residents. `screens.e2e.ts` tests the screens themselves. */
const RESIDENTS =
  /(?:accounts|arrangements|autopay|cart|citizen|general-payments|guest-payment|guest-payment-trouble|parking-tickets|requests|second-factor|sso|support|texts|utility-portal|ways-to-pay|words)\.e2e\.ts$/

/** Tag of journeys that do not run in `npm test`, only in the longer test runs. */
const WHOLE = /@whole/

/**
 * Journeys that the projects with late responses exclude. Platform setup, its sign-ins, background tabs and fonts do not
 * work with late responses. Some staff journeys need a desktop screen or an excluded journey.
 */
const NOT_LATE =
  /@nightly|two tabs|own font|sets up single sign-on|unknown sign-in|tests the issuer|returns to the requested page|staff account|slide-out on Escape|during typing|secures an administrator/

/** Journeys that daily runs repeat on pages that the browser translates. */
const TRANSLATED = /(?:accounts|cart|guest-payment|guest-payment-trouble)\.e2e\.ts$/

/** Projects that run only in `npm run test:nightly`. */
const nightly = [
  // Runs after all other projects, because changing the gateway's clock affects every pending payment.
  { name: 'clock', testMatch: '*.clock.ts', dependencies: ['portal'] },
  // Runs last, because an outage refuses all payments.
  { name: 'outage', testMatch: '*.outage.ts', dependencies: ['clock'] },
  // These two projects check that the layout of resident pages never shifts, even if every response is late.
  { name: 'late at a desk', testMatch: RESIDENTS, grepInvert: NOT_LATE, use: { late: true } },
  {
    name: 'late on a phone',
    testMatch: RESIDENTS,
    grepInvert: new RegExp(`${NOT_LATE.source}|on desktop|another language|paired reader`),
    use: { late: true, viewport: { width: 390, height: 844 } },
  },
  { name: 'translated', testMatch: [RESIDENTS, 'screens.e2e.ts'], use: { translated: true } },
  { name: 'forced colors', testMatch: 'screens.e2e.ts', use: { forcedColors: 'active' as const } },
  { name: 'themes', testMatch: '*.nightly.ts', timeout: 1_800_000 },
]

const translatedByDay = { name: 'translated', testMatch: TRANSLATED, grepInvert: WHOLE, use: { translated: true } }

/**
 * Runs journeys in a real browser against a running portal. `e2e/portal.ts` starts the portal like a normal
 * installation.
 */
export default defineConfig<Options>({
  testDir: 'e2e',
  projects: [{ name: 'portal', testMatch: '*.e2e.ts' }, ...(process.env['NIGHTLY'] ? nightly : [translatedByDay])],
  globalSetup: './e2e/portal.ts',
  outputDir: 'test-results',
  fullyParallel: true,
  // `npm test` runs the main path of each screen, and the rules that only a browser can check. See the rules in
  // `docs/tests.md`.
  ...(!isWhole && { grepInvert: WHOLE }),
  workers: 3,
  // Nightly runs need more time, because they check each state at additional widths.
  timeout: process.env['NIGHTLY'] ? 180_000 : 90_000,
  expect: { timeout: 15_000 },
  // A journey that passes only on the second attempt is flaky. `npm test` lists it at the end.
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
