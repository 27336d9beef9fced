import { page } from '../../../web/page.ts'
import { dayOf } from '../../../web/clock.ts'

/** Current date in the company's time zone. Screens of all companies use the browser's date. */
export const today = page().company ? page().today : dayOf(new Date().toISOString())
