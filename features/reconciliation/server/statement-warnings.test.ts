import { expect, it } from 'vitest'
import { warningsOf } from './statement-warnings.ts'

const TODAY = '2026-11-26'
const statement = (...days: string[]) => ({
  account: '4418',
  fromDay: days[0] ?? '',
  toDay: days.at(-1) ?? '',
  lines: days.map((day) => ({ day })),
})

it.each([
  [['2026-11-20', '2026-11-25'], []],
  [['2004-01-05'], ['The statement for account 4418 ended on January 5, 2004. Check that it is the right file.']],
  [
    ['2004-01-05', '2026-11-20'],
    [
      'The statement for account 4418 covers more than a year and starts on January 5, 2004. Check that it is the right file.',
    ],
  ],
  [
    ['2026-11-25', '2026-11-30'],
    [
      'Account 4418 has a transaction on November 30, 2026, which is in the future. Make sure that you chose the right file.',
    ],
  ],
])('warns about unlikely days of a bank statement: %j', (days, warnings) =>
  expect(warningsOf(statement(...days), TODAY)).toEqual(warnings),
)
