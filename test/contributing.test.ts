import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { CODE_FOLDERS } from './code-folders.ts'
import { testFolder } from './harness.ts'
import { root, run } from './processes.ts'

const page = readFileSync(root('CONTRIBUTING.md'), 'utf8')
const copy = testFolder()
const at = (path: string) => join(copy, path)
const SETTINGS = [
  '.dependency-cruiser.mjs',
  'package.json',
  'tsconfig.json',
  'vite.config.ts',
  'vitest.config.ts',
  '.oxfmtrc.json',
  '.oxlintrc.json',
]

/**
 * Test files that must pass with the example: the example's own test, and the tests that check the declarations of all
 * features.
 */
const TESTS = [
  'features/lost-and-found/lost-and-found.test.ts',
  'features/audit/rules.test.ts',
  'server/db/schema.test.ts',
  'test/floors.test.ts',
  'test/table-owners.test.ts',
]

/**
 * Files of the example, with path and content. In the page, a paragraph that starts with the file's path precedes each
 * code block.
 */
const files = [...page.matchAll(/^\*\*`([^`]+)`\*\*.*\n(?:(?!```).+\n)*```.+\n([^]*?)^```$/gm)].map(
  ([, path = '', content = '']) => ({ path: path.startsWith('database/') ? nextMigration(path) : path, content }),
)

/** Changes the number in a migration's file name to the next free number. */
function nextMigration(path: string): string {
  const count = globSync('database/migrations/*.sql', { cwd: root('') }).length
  return path.replace(/\d{4}/, String(count + 1).padStart(4, '0'))
}

/**
 * Inserts the lines that start with `+` in the page's diff. Each is inserted after the line above it in the diff, which
 * must be unique in its file.
 */
function insertLines(): void {
  const diff = /^```diff\n([^]*?)^```$/m.exec(page)?.[1] ?? ''
  let [path, position] = ['', 0]
  let lines: string[] = []
  for (const line of diff.trimEnd().split('\n')) {
    const text = line.slice(1)
    if (line.startsWith('--- ')) {
      path = line.slice(4)
      lines = readFileSync(at(path), 'utf8').split('\n')
    } else if (line.startsWith('+')) lines.splice(++position, 0, text)
    else {
      position = lines.indexOf(text)
      expect([path, text, position >= 0, lines.lastIndexOf(text)]).toEqual([path, text, true, position])
    }
    writeFileSync(at(path), lines.join('\n'))
  }
}

/** Runs a program of the project in the copy. If the exit code is not 0, fails and shows the program's output. */
async function runInCopy(program: string, ...args: string[]): Promise<string> {
  const { ended, printed } = run(process.execPath, [program, ...args], {}, { cwd: copy })
  expect(await ended, printed()).toBe(0)
  return printed()
}

beforeAll(async () => {
  for (const path of [...CODE_FOLDERS, ...SETTINGS]) cpSync(root(path), at(path), { recursive: true })
  symlinkSync(root('node_modules'), at('node_modules'))
  for (const { path, content } of files) {
    mkdirSync(dirname(at(path)), { recursive: true })
    writeFileSync(at(path), content)
  }
  insertLines()
  await runInCopy('portal/commands/schema.ts')
}, 300_000)

// The compiler takes minutes on a busy machine.
describe('the worked example of CONTRIBUTING.md', { timeout: 900_000 }, () => {
  it('follows the format and the lint rules', async () => {
    const code = files.map(({ path }) => path).filter((path) => !path.endsWith('.sql'))
    await runInCopy('node_modules/oxfmt/bin/oxfmt', '--check', ...code)
    await runInCopy('node_modules/oxlint/bin/oxlint', '--deny-warnings', 'features/lost-and-found')
  })

  it('imports only permitted files', async () => {
    // The rules contain paths in node_modules. In this copy, node_modules is a symbolic link, so links must not be
    // resolved.
    const config = `import rules from './.dependency-cruiser.mjs'
      export default { ...rules, options: { ...rules.options, preserveSymlinks: true } }`
    writeFileSync(at('imports.mjs'), config)
    const cruiser = 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs'
    await runInCopy(cruiser, '--config', 'imports.mjs', 'features/lost-and-found')
  })

  it('passes the type check of the project', async () => {
    await runInCopy('node_modules/typescript7/bin/tsc', '--noEmit')
  })

  it('passes its own test and those of all declarations', async () => {
    const output = await runInCopy('node_modules/vitest/vitest.mjs', 'run', '--project=server', ...TESTS)
    expect(output).toContain(`${TESTS.length} passed`)
  })
})
