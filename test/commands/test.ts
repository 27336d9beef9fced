import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { installedBrowser } from '../../e2e/browser.ts'
import { ofToday, today } from '../days.ts'
import { SERVER_REPORT, type ServerReport } from './server-report.ts'

/**
 * `npm test`: the checks that read the code, then the tests on the server, then the journeys in a browser. It goes on
 * after a failure, so that one run tells everything, and ends with its slowest files, its time beside its budget, and
 * one line that counts. On a server of TEST_DATABASE_URL it runs what asks a database, and nothing else.
 */

/** How long all of it may take on two cores with nothing else running, in seconds. */
const BUDGET = 480

const nightly = process.argv.includes('--nightly')
const env = nightly ? { NIGHTLY: '1' } : {}
const elsewhere = Boolean(process.env['TEST_DATABASE_URL'])

const root = fileURLToPath(new URL('../..', import.meta.url))
const tool = (path: string) => join(root, 'node_modules', path)
const results = join(root, 'test-results')

interface Outcome {
  passed: number
  failed: number
}

/** What failed, and what passed the second time alone: told again at the end, where it is found. */
const failures: string[] = []
const SECOND_TIME = '(passed only the second time)'

/** How long each file of tests took, in milliseconds. */
const times = new Map<string, number>()
const took = (file: string, ms: number) => times.set(file, (times.get(file) ?? 0) + ms)

/** A check that reads the code passes or fails as a whole. */
interface Check {
  name: string
  args: string[]
  /** What its output must say besides, so that a tool that looked at nothing does not pass. */
  says?: RegExp
}

const CODE = [
  'bin',
  'shared',
  'server',
  'web',
  'features',
  'portal',
  'gateway',
  'bankfile',
  'provider-kit',
  'database',
  'test',
  'e2e',
  'bench',
]

const checks: Check[] = [
  // Its rules ask for types, so that it has them all anyway; the compiler itself says the same once more in the night.
  {
    name: 'types and lint',
    args: [tool('oxlint/bin/oxlint'), '--type-aware', '--type-check', '--deny-warnings'],
    says: /on [1-9]\d\d+ files/,
  },
  { name: 'format', args: [tool('oxfmt/bin/oxfmt'), '--check', ...CODE] },
  {
    name: 'who imports whom',
    args: [tool('dependency-cruiser/bin/dependency-cruiser.mjs'), '--config', '.dependency-cruiser.mjs', ...CODE],
    says: /\([1-9]\d\d+ modules/,
  },
  { name: 'unused code', args: [tool('knip/bin/knip.js'), '--no-config-hints'] },
  // It builds the screens, which the tests after it look at.
  { name: 'sizes', args: [join(root, 'bin/mainstreet.mjs'), 'size'] },
]

type Output = (text: string) => void
const aloud: Output = (text) => process.stdout.write(text)

/** Runs a step, which tells what it says to `output`; resolves with its exit code. */
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

async function check({ name, args, says }: Check): Promise<Outcome> {
  let output = ''
  // The linter's types fill gigabytes, which Go tidies away less often so: a tenth of its time, for a tenth more memory.
  const code = await run(args, { GOGC: '400' }, (text) => (output += text))
  const good = code === 0 && (says?.test(output) ?? true)
  console.log(`${good ? '✓' : '✗'} ${name}`)
  if (!good) {
    console.log(output)
    failures.push(name)
  }
  return { passed: Number(good), failed: Number(!good) }
}

/** What stands in a runner's report. A runner that failed with no failed test (it could not even start) counts as one. */
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

/** The beginning of what a test said when it failed, without colours. */
const said = (text = '') => stripVTControlCharacters(text).split('\n').slice(0, 12).join('\n    ')

function noteJourneys(suite: Suite): void {
  for (const { title: name, line, tests } of specsOf(suite))
    for (const { status, results: tries } of tests)
      if (status === 'unexpected' || status === 'flaky')
        failures.push(
          `${status === 'flaky' ? `${SECOND_TIME} ` : ''}e2e/${suite.file}:${line} ${name}\n    ${said(tries.find(({ error }) => error)?.error?.message)}`,
        )
}

/** What starts many processes, fills large tables, or reads many files and papers, and so takes longest: a third of it a day. */
const TURNS = [
  [
    ...['server/backup/backup.test.ts', 'test/crash.test.ts', 'features/forms/pdf.test.ts', 'server/sms/sms.test.ts'],
    'features/reconciliation/month.test.ts',
  ],
  [
    ...['portal/main.test.ts', 'test/lists-plans.test.ts', 'test/platform-plans.test.ts'],
    'features/open311/two-portals.test.ts',
  ],
  [
    ...[
      'test/plans.test.ts',
      'test/several-portals.test.ts',
      'features/rentals/waiting-list.test.ts',
      'server/files.test.ts',
    ],
    ...['features/billing-files/billing-files.test.ts', 'features/form-library/server/form-library.test.ts'],
    ...['features/analytics/analytics.test.ts', 'features/rentals/demo.test.ts'],
  ],
]
const ofOtherDays = nightly ? [] : TURNS.filter((_, nth) => nth !== today % TURNS.length).flat()

async function serverTests(): Promise<Outcome> {
  title('on the server')
  const reporters = ['--reporter=default', '--reporter=test/commands/server-report.ts']
  const args = [tool('vitest/vitest.mjs'), 'run', ...reporters]
  const code = await run(args, { ...env, DEMO_AHEAD: '1', LEFT_OUT: ofOtherDays.join(' ') }, aloud)
  return counted(code, () => {
    const { passed, failed, flaky, files } = reported<ServerReport>(SERVER_REPORT)
    for (const { file, ms } of files) took(file, ms)
    for (const { name, error } of failed) failures.push(`${name}\n    ${said(error)}`)
    for (const { name, error } of flaky) failures.push(`${SECOND_TIME} ${name}\n    ${said(error)}`)
    return { passed, failed: failed.length }
  })
}

/** What residents see first, sign in by and pay by, and the walk through all screens: every day. Of the other journeys a quarter. */
const EVERY_DAY = ['accounts', 'cart', 'citizen', 'guest-payment', 'screens'].map((name) => `${name}.e2e.ts`)

function journeysOfToday(): string[] {
  const all = readdirSync(join(root, 'e2e')).filter((file) => file.endsWith('.e2e.ts'))
  const others = all.filter((file) => !EVERY_DAY.includes(file)).toSorted()
  return [...EVERY_DAY, ...ofToday(others)].map((file) => `e2e/${file}`)
}

async function journeys(): Promise<Outcome> {
  title('in a browser')
  if (!findOrInstallBrowser()) {
    console.log('There is no browser to test with. Install Chromium or Chrome, or name one in CHROMIUM_PATH.')
    return { passed: 0, failed: 1 }
  }
  const code = await run([tool('@playwright/test/cli.js'), 'test', ...(nightly ? [] : journeysOfToday())], env, aloud)
  return counted(code, () => {
    const { stats, suites } = reported<JourneyReport>('test-results/report.json')
    for (const suite of suites) {
      took(`e2e/${suite.file}`, durationOf(suite))
      noteJourneys(suite)
    }
    return { passed: stats.expected + stats.flaky, failed: stats.unexpected }
  })
}

/** An installed browser, else Debian's where we may install it, else Playwright's own download. */
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
      // The next way may do.
    }
  }
  return installedBrowser() !== undefined
}

const started = Date.now()
rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })

const outcomes: Outcome[] = []
if (!elsewhere) {
  title('what the code says of itself')
  const compiler: Check = { name: 'types', args: [tool('typescript7/bin/tsc'), '--noEmit'] }
  outcomes.push(...(await Promise.all([...checks, ...(nightly ? [compiler] : [])].map(check))))
}
outcomes.push(await serverTests())
if (!elsewhere) outcomes.push(await journeys())

title('the slowest files')
for (const [file, ms] of [...times].toSorted((a, b) => b[1] - a[1]).slice(0, 10))
  console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${file}`)

if (failures.length > 0) {
  title('what failed')
  for (const failure of failures) console.log(`✗ ${failure}`)
}

const total = outcomes.reduce((sum, { passed, failed }) => ({
  passed: sum.passed + passed,
  failed: sum.failed + failed,
}))
const seconds = Math.round((Date.now() - started) / 1000)
console.log(`\n${seconds} s${nightly || elsewhere ? '' : ` of the ${BUDGET} s that a whole run may take on two cores`}`)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed === 0 ? 0 : 1
