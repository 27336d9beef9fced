import { boot } from '../../../web/boot.ts'

const format = new Intl.DateTimeFormat('en-US', {
  timeZone: boot.company?.timeZone ?? 'UTC',
  dateStyle: 'medium',
  timeStyle: 'short',
})

/** An instant as the town's clocks show it. */
export const formatDateTime = (at: string): string => format.format(new Date(at)).replaceAll('\u202f', ' ')
