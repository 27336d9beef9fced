import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { longFunctions, longFunctionsIn, MAX_LINES } from './long-functions.ts'

/** Functions that may exceed the size limit, each with a reason. Add only functions that consist of declarations. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'shared/cases.ts:caseCalls': 'Declares the calls that all kinds of cases share, as one record without logic.',
  'features/staff/contract.ts:staffCalls':
    'Declares the calls for the staff of one audience, as one record without logic.',
}

describe('function size', () => {
  it(`stays within ${MAX_LINES} lines`, { timeout: 60_000 }, () => {
    const functions = longFunctions()
    const tooLong = functions.filter(({ name }) => !(name in EXCEPTIONS))
    expect(tooLong, 'split these functions by responsibility').toEqual([])
    const names = new Set(functions.map(({ name }) => name))
    const unneeded = Object.keys(EXCEPTIONS).filter((name) => !names.has(name))
    expect(unneeded, 'remove these exceptions').toEqual([])
  })

  it('counts nested functions and blank lines', () => {
    const lines = [
      'const open = () => {',
      '  const inner = () => {',
      ...Array.from({ length: 99 }, () => ''),
      '  }',
      '}',
    ]
    expect(longFunctionsIn('a.ts', lines.join('\n'))).toEqual([
      { name: 'a.ts:open', lines: 103 },
      { name: 'a.ts:inner', lines: 101 },
    ])
    expect(longFunctionsIn('a.ts', lines.toSpliced(2, 1).join('\n'))).toEqual([{ name: 'a.ts:open', lines: 102 }])
  })
})

/** Maximum number of lines of a feature, without its tests and demo data. */
const MAX_FEATURE_LINES = 9000

describe('feature size', () => {
  const features = join(import.meta.dirname, '../features')
  it.each(readdirSync(features))(`keeps %s within ${MAX_FEATURE_LINES} lines`, (feature) => {
    const files = globSync('**/*.{ts,tsx}', { cwd: join(features, feature) }).filter(
      (file) => !/\.test\.tsx?$|(?:^|\/)demo/.test(file),
    )
    const lines = files.map((file) => readFileSync(join(features, feature, file), 'utf8').split('\n').length - 1)
    expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(MAX_FEATURE_LINES)
  })
})
