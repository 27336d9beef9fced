import { dateIn } from '../../../shared/dates.ts'
import { boot } from '../../../web/boot.ts'

/** The clocks that every date of a town is read on. */
export const timeZone = boot.company?.timeZone ?? 'UTC'

/** The town's date. Whoever looks at all towns goes by the clock on their own wall. */
export const today = boot.company ? boot.today : dateIn(Intl.DateTimeFormat().resolvedOptions().timeZone, new Date())
