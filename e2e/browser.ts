import { existsSync } from 'node:fs'
import type { LaunchOptions } from '@playwright/test'

/** The same engine without a window: a third quicker. By night, tests prefer the whole browser if the system has one. */
const SHELL = '/usr/bin/chromium-headless-shell'

/** Optimizing code that runs for two seconds costs more than it saves: a tenth of a run's processor time. */
const NO_OPTIMIZING = '--js-flags=--no-opt --no-maglev'

const PLACES = [
  ...(process.env['NIGHTLY'] ? [] : [SHELL]),
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  String.raw`C:\Program Files\Google\Chrome\Application\chrome.exe`,
  SHELL,
]

/** The installed browser that the tests drive: CHROMIUM_PATH, a Chromium (by day its headless shell first) or Chrome of the machine, else undefined. */
export const installedBrowser = (): string | undefined =>
  process.env['CHROMIUM_PATH'] || PLACES.find((path) => existsSync(path))

/** How Playwright starts it; without an installed one it takes its own download. */
export function findBrowser(): LaunchOptions {
  const executablePath = installedBrowser()
  // Chromium refuses to run sandboxed as root.
  return {
    ...(executablePath && { executablePath }),
    args: ['--disable-gpu', NO_OPTIMIZING, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  }
}
