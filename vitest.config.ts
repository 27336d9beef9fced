import babel from '@rolldown/plugin-babel'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer } from 'vitest/node'
import { textPreset } from './vite.config.ts'

const root = fileURLToPath(new URL('.', import.meta.url))

/** Tests that do not use the portal's database. A run on another database server (`TEST_DATABASE_URL`) skips them. */
const WITHOUT_DATABASE = [
  'shared/**',
  'web/**',
  'features/*/web/**',
  'server/files.test.ts',
  'server/emails.test.ts',
  'server/db/embedded.test.ts',
  'test/contributing.test.ts',
  'test/floors.test.ts',
]

/** The longest tests start first. Only short tests are left at the end, so all processors stay busy. */
const SLOWEST_FIRST = [
  'server/backup/backup.test.ts',
  'portal/main.test.ts',
  'test/crash.test.ts',
  'features/payments/exactly-once.test.ts',
  'test/lists-plans.test.ts',
  'test/plans.test.ts',
]

class SlowestFirst extends BaseSequencer {
  override async sort(files: Parameters<BaseSequencer['sort']>[0]) {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: (typeof sorted)[number]) =>
      SLOWEST_FIRST.some((file) => moduleId.endsWith(`/${file}`))
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

// Random tests repeat the same cases in each run and use new cases in nightly runs (`test/seed.ts`).
process.env['SEED'] ??= process.env['NIGHTLY'] ? String(Date.now() % 1_000_000_000) : '1'
// Test processes and their child processes share cached compiled code.
process.env['NODE_COMPILE_CACHE'] ??= `${root}node_modules/.cache/compiled`
const exclude = [
  ...configDefaults.exclude,
  ...(process.env['TEST_DATABASE_URL'] ? WITHOUT_DATABASE : []),
  // Files that `npm test` leaves out and only larger test runs include (`test/commands/test.ts`).
  ...(process.env['LEFT_OUT']?.split(' ').filter(Boolean) ?? []),
]
/**
 * Timeouts of tests in milliseconds. They only end tests that hang, so they are long enough for a busy machine at
 * night.
 */
const TIMEOUTS = process.env['NIGHTLY']
  ? { test: 900_000, hook: 900_000, poll: 60_000 }
  : { test: 60_000, hook: 120_000, poll: 10_000 }
/** Tests of pages without a server. They reload modules as each page does, which Node itself cannot do. */
const PAGES = 'web/**/*.test.ts'

export default defineConfig({
  test: {
    root,
    // Vitest reports handles that are still open after this time. A handle that stays open in a test can reveal the
    // same problem in the portal.
    teardownTimeout: 10_000,
    // Tests often wait for a process or the database, so more files run than cores exist.
    maxWorkers: 3,
    sequence: { sequencer: SlowestFirst },
    projects: [
      {
        plugins: [babel({ presets: [textPreset] })],
        test: {
          name: 'pages',
          root,
          include: [PAGES, '**/*.test.tsx'],
          exclude,
          isolate: false,
          // A page test that times out does not close its page, which breaks all later tests.
          testTimeout: 60_000,
          retry: 1,
        },
      },
      {
        test: {
          name: 'server',
          root,
          include: ['{shared,server,features,portal,web,gateway,bankfile,provider-kit,test}/**/*.test.ts'],
          exclude: [...exclude, PAGES],
          globalSetup: './test/global-setup.ts',
          setupFiles: './test/after-each-file.ts',
          // Without this setting, every test file would load the whole server again, which takes longer than most
          // tests.
          isolate: false,
          // The server loads as in production: Node itself strips the types, which saves a quarter of the load time.
          experimental: { viteModuleRunner: false, nodeLoader: false },
          testTimeout: TIMEOUTS.test,
          // The first file that needs the demo companies loads them. The others wait for the template.
          hookTimeout: TIMEOUTS.hook,
          // A test that passes on retry is reported at the end of `npm test`.
          retry: 1,
          // Results that a test polls for arrive in milliseconds, or in seconds on a busy machine.
          expect: { poll: { timeout: TIMEOUTS.poll } },
        },
      },
    ],
  },
})
