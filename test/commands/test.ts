import { execFileSync, spawn } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { installedBrowser } from '../../e2e/browser.ts'
import { CODE_FOLDERS } from '../code-folders.ts'
import { SERVER_REPORT, type ServerReport } from './server-report.ts'

/**
 * Runs one layer of tests: code checks, server tests and browser journeys. Continues after a failure. At the end,
 * prints the failures, the slowest files, the time of each part and the counts. With TEST_DATABASE_URL, runs only the
 * tests that need a database, on that server.
 *
 * - `npm test`: the main features, and a fixed sample of the other tests.
 * - `npm run test:all`: all tests of the day layer. With `--rest`, only those that `npm test` omits.
 * - `npm run test:nightly`: the day layer with longer random runs, more screen widths and more crashes.
 */
const LAYERS = { day: {}, rest: { WHOLE: '1' }, all: { WHOLE: '1' }, nightly: { NIGHTLY: '1' } }
type Layer = keyof typeof LAYERS

/** Target duration of a layer on two idle processor cores, in seconds. */
const BUDGET_S: Partial<Record<Layer, number>> = { day: 480, all: 3600 }

/** Maximum number of tests that may pass only on retry. If there are more, the run fails. */
const MAX_FLAKY = 3

const layer: Layer = (['nightly', 'rest', 'all'] as const).find((name) => process.argv.includes(`--${name}`)) ?? 'day'
const nightly = layer === 'nightly'
const env = LAYERS[layer]
const elsewhere = Boolean(process.env['TEST_DATABASE_URL'])

const root = fileURLToPath(new URL('../..', import.meta.url))
const tool = (path: string) => join(root, 'node_modules', path)
const results = join(root, 'test-results')

interface Outcome {
  passed: number
  failed: number
}

/** Failures, which the command prints again at the end of the run. */
const failures: string[] = []
const flaky: string[] = []

/** Duration of each test file, in milliseconds. */
const times = new Map<string, number>()
const took = (file: string, ms: number) => times.set(file, (times.get(file) ?? 0) + ms)

/** Check of the code that passes or fails as a whole. */
interface Check {
  name: string
  args: string[]
  /** Output that the check must print. Without this, a tool that found no files to check would pass. */
  text?: RegExp
}

const checks: Check[] = [
  // The linter also checks the types, so the compiler itself runs only in the nightly layer.
  {
    name: 'types and lint',
    args: [tool('oxlint/bin/oxlint'), '--type-aware', '--type-check', '--deny-warnings'],
    text: /on [1-9]\d\d+ files/,
  },
  { name: 'format', args: [tool('oxfmt/bin/oxfmt'), '--check', ...CODE_FOLDERS] },
  {
    name: 'who imports whom',
    args: [
      tool('dependency-cruiser/bin/dependency-cruiser.mjs'),
      '--config',
      '.dependency-cruiser.mjs',
      ...CODE_FOLDERS,
    ],
    text: /\([1-9]\d\d+ modules/,
  },
  { name: 'wording', args: [join(root, 'test/commands/prose.ts')], text: /findings in comments/ },
  { name: 'unused code', args: [tool('knip/bin/knip.js'), '--no-config-hints'] },
  // This check also builds the screens, which later tests use.
  { name: 'sizes', args: [join(root, 'bin/mainstreet.mjs'), 'size'] },
]

type Output = (text: string) => void
const aloud: Output = (text) => process.stdout.write(text)

/** Runs a program and passes its output to `output`. Resolves with the program's exit code. */
async function run(args: string[], env: NodeJS.ProcessEnv, output: Output): Promise<number> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stdout.on('data', (text: Buffer) => output(text.toString()))
  child.stderr.on('data', (text: Buffer) => output(text.toString()))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? 1))
  })
}

const title = (text: string) => console.log(`\n— ${text}`)

async function check({ name, args, text }: Check): Promise<Outcome> {
  let output = ''
  // The linter's type check uses gigabytes of memory. With this setting, Go collects garbage less often, which saves
  // 10% of the time and costs 10% more memory.
  const code = await run(args, { GOGC: '400' }, (text) => (output += text))
  const good = code === 0 && (text?.test(output) ?? true)
  console.log(`${good ? '✓' : '✗'} ${name}`)
  if (!good) {
    console.log(output)
    failures.push(name)
  }
  return { passed: Number(good), failed: Number(!good) }
}

/**
 * Reads the report of a test runner. If the runner fails although no test failed, it could not start, which counts as
 * one failure.
 */
function counted(code: number, report: () => Outcome): Outcome {
  try {
    const { passed, failed } = report()
    return { passed, failed: failed === 0 && code !== 0 ? 1 : failed }
  } catch {
    return { passed: 0, failed: 1 }
  }
}

const reported = <T>(path: string): T => JSON.parse(readFileSync(join(root, path), 'utf8')) as T

interface Spec {
  title: string
  line: number
  tests: { status: string; results: { duration: number; error?: { message?: string } }[] }[]
}

interface Suite {
  file: string
  suites?: Suite[]
  specs?: Spec[]
}

interface JourneyReport {
  stats: { expected: number; unexpected: number; flaky: number }
  suites: Suite[]
}

const specsOf = ({ suites = [], specs = [] }: Suite): Spec[] => [...specs, ...suites.flatMap(specsOf)]
const durationOf = (suite: Suite): number =>
  specsOf(suite)
    .flatMap(({ tests }) => tests.flatMap(({ results }) => results))
    .reduce((sum, { duration }) => sum + duration, 0)

/** Returns the first lines of a failed test's output, without colors. */
const excerptOf = (text = '') => stripVTControlCharacters(text).split('\n').slice(0, 12).join('\n    ')

function noteJourneys(suite: Suite): void {
  for (const { title: name, line, tests } of specsOf(suite))
    for (const { status, results: tries } of tests)
      if (status === 'unexpected' || status === 'flaky') {
        const error = excerptOf(tries.find((one) => one.error)?.error?.message)
        const list = status === 'flaky' ? flaky : failures
        list.push(`e2e/${suite.file}:${line} ${name}\n    ${error}`)
      }
}

/** Tests that are too slow for `npm test`. They start many processes, fill large tables or read many files. */
const SLOW = [
  'features/analytics/analytics.test.ts',
  'features/open311/two-portals.test.ts',
  'features/reconciliation/month.test.ts',
  'portal/main.test.ts',
  'server/backup/backup.test.ts',
  'server/watchdog.test.ts',
  'test/contributing.test.ts',
  'test/crash.test.ts',
  'test/fuzz.test.ts',
  'test/lists-plans.test.ts',
  'test/plans.test.ts',
  'test/platform-plans.test.ts',
  'test/several-portals.test.ts',
]

/** Returns the files that `npm test` samples (`test/layers.ts`). */
const sampledFiles = (): string[] =>
  globSync('{server,features,bankfile,portal,test}/**/*.test.ts', { cwd: root }).filter((file) =>
    readFileSync(join(root, file), 'utf8').includes("/layers.ts'"),
  )

async function serverTests(): Promise<Outcome> {
  title('on the server')
  const reporters = ['--reporter=default', '--reporter=test/commands/server-report.ts']
  const files = layer === 'rest' ? [...SLOW, ...sampledFiles()] : []
  const args = [tool('vitest/vitest.mjs'), 'run', ...reporters, ...files]
  const leftOut = layer === 'day' && !elsewhere ? SLOW : []
  const code = await run(args, { ...env, DEMO_AHEAD: '1', LEFT_OUT: leftOut.join(' ') }, aloud)
  return counted(code, () => {
    const { passed, failed, flaky: again, files } = reported<ServerReport>(SERVER_REPORT)
    for (const { file, ms } of files) took(file, ms)
    for (const { name, error } of failed) failures.push(`${name}\n    ${excerptOf(error)}`)
    for (const { name, error } of again) flaky.push(`${name}\n    ${excerptOf(error)}`)
    return { passed, failed: failed.length }
  })
}

/**
 * Journeys that `npm test` runs: accounts, payments, the services that residents use most, and a sample of all screens.
 */
const MAIN = [
  ...[
    'accounts',
    'alerts',
    'cart',
    'citizen',
    'counter',
    'edits',
    'field',
    'forms',
    'guest-payment',
    'keyboard',
    'lists',
  ],
  ...[
    'office',
    'parking-tickets',
    'plain',
    'registration',
    'rentals',
    'requests',
    'screens',
    'staff',
    'starter-packs',
    'utility-portal',
    'work-orders',
  ],
]
/** Browser journeys with only a sample in `npm test`. */
const SAMPLED = ['screens']

/**
 * Returns the Playwright arguments for the layer. `npm test` runs the main files. For full layers, the arguments name
 * no files, so Playwright runs all of them. The `rest` layer skips journeys that `npm test` runs.
 */
function journeyArgs(): string[] {
  if (layer === 'day') return MAIN.map((name) => `e2e/${name}.e2e.ts`)
  if (layer !== 'rest') return []
  const done = MAIN.filter((name) => !SAMPLED.includes(name))
  return ['--grep-invert', String.raw`\b(?:${done.join('|')})\.e2e\.ts (?!.*@whole)`]
}

async function journeys(): Promise<Outcome> {
  title('in a browser')
  if (!findOrInstallBrowser()) {
    console.log('There is no browser to test with. Install Chromium or Chrome, or name one in CHROMIUM_PATH.')
    return { passed: 0, failed: 1 }
  }
  const code = await run([tool('@playwright/test/cli.js'), 'test', ...journeyArgs()], env, aloud)
  return counted(code, () => {
    const { stats, suites } = reported<JourneyReport>('test-results/report.json')
    for (const suite of suites) {
      took(`e2e/${suite.file}`, durationOf(suite))
      noteJourneys(suite)
    }
    return { passed: stats.expected + stats.flaky, failed: stats.unexpected }
  })
}

/**
 * Returns true if a browser is installed. If none is installed, first tries to install Debian's browser if run as root,
 * then to download Playwright's.
 */
function findOrInstallBrowser(): boolean {
  if (installedBrowser()) return true
  const attempts: [string, ...string[]][] = [
    ...(process.platform === 'linux' && process.getuid?.() === 0
      ? ([
          ['apt-get', 'update', '-qq'],
          ['apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'chromium-headless-shell'],
          ['apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'chromium'],
        ] as [string, ...string[]][])
      : []),
    [process.execPath, tool('@playwright/test/cli.js'), 'install', 'chromium'],
  ]
  for (const [command, ...args] of attempts) {
    if (installedBrowser()) return true
    console.log(
      `Looking for a browser: ${[command === process.execPath ? 'playwright' : command, ...args.slice(-2)].join(' ')}`,
    )
    try {
      execFileSync(command, args, { stdio: ['ignore', 'ignore', 'ignore'], timeout: 300_000 })
      if (command === process.execPath) return true
    } catch {
      // This attempt failed, so the loop tries the next one.
    }
  }
  return installedBrowser() !== undefined
}

const started = Date.now()
rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })

const outcomes: Outcome[] = []
const parts: [name: string, seconds: number][] = []
async function part(name: string, work: () => Promise<Outcome | Outcome[]>): Promise<void> {
  const from = Date.now()
  outcomes.push(...[await work()].flat())
  parts.push([name, (Date.now() - from) / 1000])
}

const nightlyChecks: Check[] = [
  { name: 'types', args: [tool('typescript7/bin/tsc'), '--noEmit'] },
  { name: 'spelling', args: [join(root, 'test/commands/spelling.ts')], text: /^[1-9]\d\d+ files, 0 unknown words/m },
]
if (!elsewhere && layer !== 'rest')
  await part('checks of the code', () => {
    title('what the code says of itself')
    return Promise.all([...checks, ...(nightly ? nightlyChecks : [])].map(check))
  })
await part('server', serverTests)
if (!elsewhere) await part('browser', journeys)

title('the slowest files')
const row = (name: string, seconds: number) => console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`)
for (const [file, ms] of [...times].toSorted((a, b) => b[1] - a[1]).slice(0, 10)) row(file, ms / 1000)
title('the parts')
for (const [name, seconds] of parts) row(name, seconds)

if (flaky.length > 0) {
  title(`passed only at the second try (more than ${MAX_FLAKY} fail the run)`)
  for (const name of flaky) console.log(`- ${name}`)
  if (flaky.length > MAX_FLAKY) {
    failures.push(`${flaky.length} tests passed only at their second try`)
    outcomes.push({ passed: 0, failed: 1 })
  }
}
if (failures.length > 0) {
  title('what failed')
  for (const failure of failures) console.log(`✗ ${failure}`)
}

const total = outcomes.reduce((sum, { passed, failed }) => ({
  passed: sum.passed + passed,
  failed: sum.failed + failed,
}))
const seconds = Math.round((Date.now() - started) / 1000)
const budget = elsewhere ? undefined : BUDGET_S[layer]
console.log(`\n${seconds} s${budget ? ` of a budget of ${budget} s on two cores` : ''}`)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed === 0 ? 0 : 1
