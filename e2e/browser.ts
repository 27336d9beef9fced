import { existsSync } from 'node:fs'
import type { LaunchOptions } from '@playwright/test'

/**
 * Headless build of Chromium, which is a third faster than the full browser. Nightly runs prefer the full browser if it
 * is installed.
 */
const SHELL = '/usr/bin/chromium-headless-shell'

/**
 * Flags that disable the optimization of JavaScript. For pages that run for two seconds, optimization wastes a tenth of
 * a run's processor time.
 */
const NO_OPTIMIZING = '--js-flags=--no-opt --no-maglev'

const CHROMIUM_PATHS = [
  ...(process.env['NIGHTLY'] ? [] : [SHELL]),
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  String.raw`C:\Program Files\Google\Chrome\Application\chrome.exe`,
  SHELL,
]

/**
 * Returns the path of the installed browser for the tests: CHROMIUM_PATH, or else an installed Chromium or Chrome.
 * Normal runs prefer Chromium's headless shell. Undefined if none is installed.
 */
export const installedBrowser = (): string | undefined =>
  process.env['CHROMIUM_PATH'] || CHROMIUM_PATHS.find((path) => existsSync(path))

/** Returns the path of an installed full browser, or undefined. The headless shell has no back-forward cache. */
export const fullBrowser = (): string | undefined => CHROMIUM_PATHS.find((path) => path !== SHELL && existsSync(path))

/** Returns the launch options of Playwright. Without an installed browser, Playwright uses its own download. */
export function findBrowser(): LaunchOptions {
  const executablePath = installedBrowser()
  // Chromium refuses to run sandboxed as root.
  return {
    ...(executablePath && { executablePath }),
    args: ['--disable-gpu', NO_OPTIMIZING, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  }
}
