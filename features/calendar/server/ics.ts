/** Calendars as other programs read them: iCalendar (RFC 5545). */
export interface IcsEvent {
  /** Stays the same, so that an event that was moved is not a second one. */
  uid: string
  title: string
  description: string
  url: string
  startsAt: Date
  endsAt: Date
  /** How often it was changed, so that a calendar which has it already takes what is newer. */
  changes?: number
  isCancelled?: boolean
}

/** A line has at most 75 octets; a longer one goes on in the next, which begins with a space. */
const MOST_OCTETS = 75

const utc = (at: Date) => at.toISOString().replaceAll(/[-:]|\.\d{3}/g, '')

const escaped = (text: string) =>
  text
    .replaceAll(/[\\;,]/g, (sign) => `\\${sign}`)
    .replaceAll(/\r\n|\r|\n/g, String.raw`\n`)
    .replaceAll(/\p{Cc}/gu, '')

/** Cuts between characters, never within one. */
export function folded(line: string): string {
  // Most lines are short: a feed has tens of thousands.
  if (Buffer.byteLength(line) <= MOST_OCTETS) return line
  const lines: string[] = []
  let [part, octets] = ['', 0]
  for (const sign of line) {
    const more = Buffer.byteLength(sign)
    if (octets + more > MOST_OCTETS) {
      lines.push(part)
      part = ' '
      octets = 1
    }
    part += sign
    octets += more
  }
  return [...lines, part].join('\r\n')
}

export function icsOf(name: string, events: readonly IcsEvent[], now: Date): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Mainstreet//Calendar//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escaped(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    ...events.flatMap(({ uid, title, description, url, startsAt, endsAt, changes, isCancelled }) => [
      'BEGIN:VEVENT',
      `UID:${uid}`,
      `DTSTAMP:${utc(now)}`,
      `DTSTART:${utc(startsAt)}`,
      // An event that ends as it begins has no end.
      ...(endsAt > startsAt ? [`DTEND:${utc(endsAt)}`] : []),
      `SUMMARY:${escaped(title)}`,
      ...(description ? [`DESCRIPTION:${escaped(description)}`] : []),
      ...(url ? [`URL:${url}`] : []),
      ...(changes === undefined ? [] : [`SEQUENCE:${changes}`]),
      ...(isCancelled ? ['STATUS:CANCELLED'] : []),
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ]
  return `${lines.map(folded).join('\r\n')}\r\n`
}
