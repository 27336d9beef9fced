import { boot } from '../../../web/boot.ts'
import { dayOf } from '../../../web/clock.ts'

/** The town's date. Whoever looks at all towns goes by the clock on their own wall. */
export const today = boot.company ? boot.today : dayOf(new Date().toISOString())
