import { boot } from '../../../web/boot.ts'

/** The clocks that every date here is read on. */
export const timeZone = boot.company?.timeZone ?? 'UTC'
export const { today } = boot
