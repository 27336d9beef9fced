import type { Call } from '../../../server/call.ts'
import { rejected } from '../../../server/errors.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { readOfficeDays } from '../../../server/working-time.ts'
import { addDays, dateIn, daysBetween, formatShortDate } from '../../../shared/dates.ts'
import { say } from '../../../shared/messages.ts'
import { workDayTest } from '../../../shared/working-time.ts'
import { CLOSED } from '../contract.ts'
import { daysOpen, isClosed, isOutside, type OpenDays } from '../rules.ts'
import { settingsOf } from './settings.ts'

/** Returns the days to choose from: after the company's lead time, except days on which its office is closed. */
export async function openDays(tx: Tx, { company, context }: Pick<Call, 'company' | 'context'>) {
  const settings = await settingsOf(tx, company.id)
  const isWorkDay = workDayTest(await readOfficeDays(tx, company.id))
  const { first, last } = daysOpen(dateIn(company.timeZone, context.clock.now()), settings)
  const closed: string[] = []
  for (let day = first; day <= last; day = addDays(day, 1)) if (!isWorkDay(day)) closed.push(day)
  // The form suggests the first and last day, so the office must be open on both.
  const isOpen = (day: string) => !closed.includes(day)
  const open = Array.from({ length: daysBetween(first, last) + 1 }, (_, n) => addDays(first, n)).filter(isOpen)
  return { settings, first: open[0] ?? first, last: open.at(-1) ?? last, closed }
}

/** @throws 422 at the field with the unavailable day */
export function expectOpenDay(days: OpenDays, field: 'leavesOn' | 'entersOn', day: string): void {
  const mistake = isOutside(days, day)
    ? say`Choose a day from ${formatShortDate(days.first)} to ${formatShortDate(days.last)}.`
    : isClosed(days, day)
      ? CLOSED
      : null
  if (mistake) throw rejected(mistake, { [field]: mistake })
}
