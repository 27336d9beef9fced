import { addMonths, dateIn, instantAt } from '../../../shared/dates.ts'
import { say } from '../../../shared/messages.ts'
import type { Call } from '../../../server/call.ts'
import { refuseMistakes } from '../../../server/errors.ts'
import type { Company } from '../../../server/hosts.ts'

/**
 * Refuses a day more than a year ago, because the year is probably mistyped. Accepts other past days, because staff may
 * record work after it was done.
 * @throws 422 for the field
 */
export function refuseLongAgo({ context, company }: Call, field: string, day: string | null): void {
  const earliest = addMonths(dateIn(company.timeZone, context.clock.now()), -12)
  if (day && day < earliest) refuseMistakes({ [field]: say`This date is more than a year ago. Check the year.` })
}

/** Returns the start and end of the work on a day. Null without a time of day. */
export function timesOf({ timeZone }: Company, day: string, time: string, minutes: number) {
  if (time === '') return null
  const startsAt = instantAt(timeZone, day, time)
  return { startsAt, endsAt: new Date(startsAt.getTime() + minutes * 60_000) }
}
