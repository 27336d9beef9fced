import { daysBetween, formatDate } from '../../../shared/dates.ts'
import { say } from '../../../shared/messages.ts'
import type { Statement } from './statement.ts'

/** Number of days. A statement that is older or longer is probably the wrong file. */
const OLD_DAYS = 400

type CheckedStatement = Pick<Statement, 'account' | 'fromDay' | 'toDay'> & { lines: readonly { day: string }[] }

/** Lists possible mistakes for staff to check. The file may still be correct. */
export function warningsOf({ account, fromDay, toDay, lines }: CheckedStatement, today: string): string[] {
  const ahead = lines.find(({ day }) => day > today)
  return [
    ...(daysBetween(toDay, today) > OLD_DAYS
      ? [say`The statement for account ${account} ended on ${formatDate(toDay)}. Check that it is the right file.`]
      : daysBetween(fromDay, toDay) > OLD_DAYS
        ? [
            say`The statement for account ${account} covers more than a year and starts on ${formatDate(fromDay)}. Check that it is the right file.`,
          ]
        : []),
    ...(ahead
      ? [
          say`Account ${account} has a transaction on ${formatDate(ahead.day)}, which is in the future. Make sure that you chose the right file.`,
        ]
      : []),
  ]
}
