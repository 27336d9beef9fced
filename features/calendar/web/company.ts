import { boot } from '../../../web/boot.ts'
import { dayOf } from '../../../web/clock.ts'

/** The company's date. Screens of all companies use the browser's date. */
export const today = boot.company ? boot.today : dayOf(new Date().toISOString())
