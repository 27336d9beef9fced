import babel from '@rolldown/plugin-babel'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer } from 'vitest/node'
import { words } from './vite.config.ts'

const root = fileURLToPath(new URL('.', import.meta.url))

/** What asks no database of the portal's: on a second server there is nothing to learn from it. */
const WITHOUT_DATABASE = [
  'shared/**',
  'web/**',
  'features/*/web/**',
  'server/files.test.ts',
  'server/mail.test.ts',
  'server/db/embedded.test.ts',
  'test/floors.test.ts',
]

/** What takes longest comes first, so that the last files of a run are short ones and no processor waits for the end. */
const LONGEST = [
  'server/backup/backup.test.ts',
  'portal/main.test.ts',
  'test/crash.test.ts',
  'features/payments/exactly-once.test.ts',
  'test/lists-plans.test.ts',
  'test/plans.test.ts',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: Parameters<BaseSequencer['sort']>[0]) {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: (typeof sorted)[number]) => LONGEST.some((file) => moduleId.endsWith(`/${file}`))
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

// Random tests repeat the same runs by day and try others at night (`test/seed.ts`).
process.env['SEED'] ??= process.env['NIGHTLY'] ? String(Date.now() % 1_000_000_000) : '1'
// The processes of the tests, and those that they start, find what an earlier one compiled.
process.env['NODE_COMPILE_CACHE'] ??= `${root}node_modules/.cache/compiled`
const exclude = [
  ...configDefaults.exclude,
  ...(process.env['TEST_DATABASE_URL'] ? WITHOUT_DATABASE : []),
  // Files that only the layers above `npm test` run (`test/commands/test.ts`).
  ...(process.env['LEFT_OUT']?.split(' ').filter(Boolean) ?? []),
]
/**
 * Longest waits of tests, in milliseconds. They end a test that hangs and measure nothing, so that a busy machine at night may
 * take as long as it needs.
 */
const MOST = process.env['NIGHTLY']
  ? { test: 900_000, hook: 900_000, poll: 60_000 }
  : { test: 60_000, hook: 120_000, poll: 10_000 }
/** What pages do without a server: tests that load a module anew, as each page does, which Node itself can't. */
const PAGES = 'web/**/*.test.ts'

export default defineConfig({
  test: {
    root,
    // A test that leaves something open would hide that the portal does.
    teardownTimeout: 10_000,
    // Much of a test is waiting for a process or the database: more files at once than there are cores.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        plugins: [babel({ presets: [words] })],
        test: {
          name: 'pages',
          root,
          include: [PAGES, '**/*.test.tsx'],
          exclude,
          isolate: false,
          // A test that is cut off leaves its page in the way of all that follow.
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
          // Every file would load the whole server anew, which takes longer than most files' tests.
          isolate: false,
          // The server is loaded as in production: Node itself takes the types away, and a quarter of the time to load it.
          experimental: { viteModuleRunner: false, nodeLoader: false },
          testTimeout: MOST.test,
          // The first file of a run that wants the demo towns loads them; the others wait for its template.
          hookTimeout: MOST.hook,
          // A test that passes the second time is told as such at the end of `npm test`.
          retry: 1,
          // What a test waits for comes in milliseconds, or on a busy machine in seconds.
          expect: { poll: { timeout: MOST.poll } },
        },
      },
    ],
  },
})
