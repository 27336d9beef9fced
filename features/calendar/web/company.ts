import { boot } from '../../../web/boot.ts'
import { dayOf } from '../../../web/clock.ts'

/** Current date in the company's time zone. Screens of all companies use the browser's date. */
export const today = boot.company ? boot.today : dayOf(new Date().toISOString())
