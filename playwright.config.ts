import { defineConfig } from '@playwright/test'
import { findBrowser } from './e2e/browser.ts'
import type { Options } from './e2e/fixtures.ts'
import { isWhole } from './test/layers.ts'

/** Resident journeys, in addition to the screens that `screens.e2e.ts` loads. */
const RESIDENTS =
  /(?:accounts|arrangements|autopay|cart|citizen|general-payments|guest-payment|guest-payment-trouble|parking-tickets|requests|second-factor|sso|support|texts|utility-portal|ways-to-pay|words)\.e2e\.ts$/

/** Journeys that run only in the layers above `npm test`. */
const WHOLE = /@whole/

/** Excludes platform setup with its sign-ins, and background tabs, which do not render. */
const NOT_LATE = /@nightly|two tabs|sets up single sign-on|returns to the requested page/

/** Journeys that also run every day on a page translated by the browser. */
const TRANSLATED = /(?:accounts|cart|guest-payment|guest-payment-trouble)\.e2e\.ts$/

/** Projects of `npm run test:nightly` only. */
const nightly = [
  // Runs after all others, because changing the gateway's clock affects every pending payment.
  { name: 'clock', testMatch: '*.clock.ts', dependencies: ['portal'] },
  // Runs separately too, because an outage refuses all payments.
  { name: 'outage', testMatch: '*.outage.ts', dependencies: ['clock'] },
  // Resident pages must not shift in any state, even if every response is late.
  { name: 'late at a desk', testMatch: RESIDENTS, grepInvert: NOT_LATE, use: { late: true } },
  {
    name: 'late on a phone',
    testMatch: RESIDENTS,
    grepInvert: new RegExp(`${NOT_LATE.source}|on desktop|another language|paired reader`),
    use: { late: true, viewport: { width: 390, height: 844 } },
  },
  { name: 'translated', testMatch: [RESIDENTS, 'screens.e2e.ts'], use: { translated: true } },
  { name: 'forced colours', testMatch: 'screens.e2e.ts', use: { forcedColors: 'active' as const } },
  { name: 'themes', testMatch: '*.nightly.ts', timeout: 1_800_000 },
]

const translatedByDay = { name: 'translated', testMatch: TRANSLATED, grepInvert: WHOLE, use: { translated: true } }

/**
 * Journeys through a running portal in a real browser. `e2e/portal.ts` starts the portal like a normal installation.
 */
export default defineConfig<Options>({
  testDir: 'e2e',
  projects: [{ name: 'portal', testMatch: '*.e2e.ts' }, ...(process.env['NIGHTLY'] ? nightly : [translatedByDay])],
  globalSetup: './e2e/portal.ts',
  outputDir: 'test-results',
  fullyParallel: true,
  // `npm test` runs the main path of each screen and the rules that only a browser shows. See the rules in `docs/tests.md`.
  ...(!isWhole && { grepInvert: WHOLE }),
  workers: 3,
  // Nightly runs check each state in an additional width.
  timeout: process.env['NIGHTLY'] ? 180_000 : 90_000,
  expect: { timeout: 15_000 },
  // A journey that passes on the second try is flaky. `npm test` reports it at the end.
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
