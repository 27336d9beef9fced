import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CODE_FOLDERS } from '../code-folders.ts'
import { lostMutants, type Mutant, mutants } from '../mutants.ts'

/**
 * Implements `npm run test:mutants`. Inserts each fault of `test/mutants.ts` into a copy of the code and runs the tests
 * that must catch the fault.
 */

const root = fileURLToPath(new URL('../..', import.meta.url))
const copy = mkdtempSync(join(tmpdir(), 'mainstreet-mutants-'))
/** Regular expression that selects faults by their description. Without it, all faults are tested. */
const only = new RegExp(process.argv[2] ?? '')

for (const name of [
  ...CODE_FOLDERS,
  'package.json',
  'tsconfig.json',
  'lingui.config.ts',
  'vite.config.ts',
  'vitest.config.ts',
])
  cpSync(join(root, name), join(copy, name), { recursive: true })
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))

/** Runs these tests in the copy. @returns the output if a test fails, else null */
function failureOf(tests: readonly string[]): string | null {
  const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--bail=1', '--retry=0', ...tests]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: copy,
    encoding: 'utf8',
    maxBuffer: 100_000_000,
    env: { ...process.env, MUTANT: '1' },
  })
  return status === 0 ? null : stdout + stderr
}

function isCaught({ file, from, to, caughtBy }: Mutant): boolean {
  const path = join(copy, file)
  const whole = readFileSync(path, 'utf8')
  writeFileSync(
    path,
    whole.replace(from, () => to),
  )
  const caught = failureOf(caughtBy) !== null
  writeFileSync(path, whole)
  return caught
}

const chosen = mutants.filter(({ fault }) => only.test(fault))
let survivors = 0
try {
  const lost = lostMutants(copy)
  if (lost.length > 0) throw new Error(`rewritten since: ${lost.map(({ fault }) => fault).join('; ')}`)
  const all = [...new Set(chosen.flatMap(({ caughtBy }) => caughtBy))]
  const failure = failureOf(all)
  if (failure) throw new Error(`the tests fail without any fault, so that they prove nothing:\n${failure}`)
  for (const mutant of chosen) {
    const caught = isCaught(mutant)
    if (!caught) survivors++
    console.log(`${caught ? '✓ caught' : '✗ survived'}: ${mutant.fault}`)
  }
} finally {
  rmSync(copy, { recursive: true, force: true })
}
console.log(`${chosen.length - survivors} of ${chosen.length} caught`)
process.exitCode = survivors === 0 ? 0 : 1
