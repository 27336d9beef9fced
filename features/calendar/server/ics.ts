import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'

/** Event of an iCalendar export for other programs (RFC 5545). */
export interface IcsEvent {
  /** Id of the event. It stays the same when the event moves, so that calendar programs do not duplicate the event. */
  uid: string
  title: string
  description: string
  url: string
  startsAt: Date
  endsAt: Date
  /** Number of changes. A calendar program replaces its older copy if this number is higher. */
  changes?: number
  isCancelled?: boolean
}

/** Maximum line length in octets. A longer line continues on the next one, after a space. */
const MAX_OCTETS = 75

/** Converts `2026-11-20T15:00:00.000Z` to `20261120T150000Z`. */
function utc(at: Date): string {
  const iso = at.toISOString()
  return `${iso.slice(0, 4)}${iso.slice(5, 7)}${iso.slice(8, 13)}${iso.slice(14, 16)}${iso.slice(17, 19)}Z`
}

const SPECIAL = /[\\;,\p{Cc}]/u

const escaped = (text: string) => (SPECIAL.test(text) ? escapedSigns(text) : text)

const escapedSigns = (text: string) =>
  text
    .replaceAll(/[\\;,]/g, (sign) => `\\${sign}`)
    .replaceAll(/\r\n|\r|\n/g, String.raw`\n`)
    .replaceAll(/[\p{Cc}--\t]/gv, '')

/**
 * Splits a long line between characters, never inside a character. Most lines are short, so the length check comes
 * first.
 */
export function folded(line: string): string {
  // A UTF-16 code unit takes at most three octets, so a short line always fits.
  if (line.length * 3 <= MAX_OCTETS) return line
  const octets = Buffer.from(line)
  if (octets.length <= MAX_OCTETS) return line
  const parts: string[] = []
  for (let from = 0, max = MAX_OCTETS; from < octets.length; max = MAX_OCTETS - 1) {
    let until = Math.min(from + max, octets.length)
    while (isInsideCharacter(octets[until])) until -= 1
    parts.push(octets.toString('utf8', from, until))
    from = until
  }
  return parts.join('\r\n ')
}

/** True if an octet of UTF-8 continues a character. */
const isInsideCharacter = (octet = 0): boolean => (octet & 0b1100_0000) === 0b1000_0000

/** Publisher of a calendar. */
export interface Organizer {
  name: string
  /** Email address by which calendar programs identify the organizer. */
  email: string
}

/** Returns the company as organizer, with the sender address of its emails. */
export const companyOrganizer = (
  { email }: Pick<AppContext['config'], 'email'>,
  { name }: Pick<Company, 'name'>,
): Organizer => ({
  name,
  email: (/<([^<>]+)>/.exec(email.from)?.[1] ?? email.from).trim(),
})

/**
 * Published events name their organizer (RFC 5546 3.2.1). A quoted name must not contain quotes or control characters.
 */
const organizerOf = ({ name, email }: Organizer): string =>
  `ORGANIZER;CN="${name.replaceAll(/["\p{Cc}]/gu, '')}":mailto:${email}`

export function icsOf(name: string, organizer: Organizer, events: readonly IcsEvent[], now: Date): string {
  const stamp = utc(now)
  const publisher = organizerOf(organizer)
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
      `DTSTAMP:${stamp}`,
      publisher,
      `DTSTART:${utc(startsAt)}`,
      // An event with equal start and end time has no end property.
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
