/** The reader's own clock: the towns of one list live in several zones. `Nov 20, 2026, 4:12 PM` */
const short = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })

export const mailTime = (instant: string): string => short.format(new Date(instant)).replaceAll('\u202f', ' ')
