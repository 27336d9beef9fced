/** Rules of parking tickets that server and browser share. */
import { addDays } from '../../shared/dates.ts'
import { plainTyped } from '../../shared/visible.ts'

/** Normalizes a citation number: removes spaces and converts it to upper case. */
export const normalizeCitation = (text: string): string => plainTyped(text).toUpperCase().replaceAll(/\s+/g, '')
export const isCitation = (text: string): boolean => /^[A-Z0-9][A-Z0-9-]{2,19}$/.test(text)

/** Normalizes a plate. Ignores spaces, hyphens and dots between its letters and digits. */
export const normalizePlate = (text: string): string =>
  plainTyped(text)
    .toUpperCase()
    .replaceAll(/[\s.·-]+/g, '')
export const isPlate = (text: string): boolean => /^[A-Z0-9]{1,10}$/.test(text)

/** Masks a plate except its last two characters, so that only its owner recognizes it: `****42`. */
export const maskedPlate = (plate: string): string => `${'*'.repeat(Math.max(0, plate.length - 2))}${plate.slice(-2)}`

/** Formats the number of a contest: `C12`. */
export const contestNumber = (id: number): string => `C${id}`

/** Late step, such as a late fee. It applies if a ticket is unpaid `day` days after it was issued or upheld. */
export interface LateStep {
  day: number
  feeCents: number
  /**
   * True if the person gets a notice of the late step. The portal can send the notice only if the ticket has an email
   * address.
   */
  notifies: boolean
}

export interface ParkingSettings {
  /** Number of days to pay a ticket, counted from its issue or from a decision. */
  dueDays: number
  steps: LateStep[]
  /** Number of days to contest a ticket. */
  contestDays: number
  /** True if each emailed late notice restarts the period of `contestDays`. */
  noticeRenews: boolean
  /** Minimum number of unpaid tickets older than `bootDays` days that puts a plate on the boot list. */
  bootTickets: number
  bootDays: number
  /** Legal alternatives to paying, in the company's words. */
  alternatives: string
  hearingLocation: string
  glAccount: string
}

/** Default settings of a company without saved settings. They contain no late fees. */
export const usualSettings: ParkingSettings = {
  dueDays: 14,
  steps: [],
  contestDays: 21,
  noticeRenews: false,
  bootTickets: 3,
  bootDays: 60,
  alternatives: '',
  hearingLocation: '',
  glAccount: 'PARKING',
}

/** Returns the next late step of an unpaid ticket. */
export const nextStep = (steps: readonly LateStep[], lastStepDay: number): LateStep | null =>
  steps.toSorted((a, b) => a.day - b.day).find(({ day }) => day > lastStepDay) ?? null

/**
 * Returns the day of a late step. If the payer tried to pay in an outage, the step waits at least until the day after
 * the grace period.
 */
export function stepComesOn(due: string, tried: { graceUntil: string | null } | null): string {
  const grace = tried?.graceUntil ?? null
  return grace !== null && grace >= due ? addDays(grace, 1) : due
}

/** Returns the amount due in cents. It is 0 unless the ticket is open. */
export const owedOf = (ticket: {
  status: string
  fine_cents: number
  late_cents: number
  paid_cents: number
}): number => (ticket.status === 'open' ? Math.max(0, ticket.fine_cents + ticket.late_cents - ticket.paid_cents) : 0)

/** Returns the last day to contest a ticket. Null if its state does not allow a contest or it was contested before. */
export const contestUntilOf = (
  ticket: { status: string; contest_until: string },
  wasContested: boolean,
): string | null => (ticket.status === 'open' && !wasContested ? ticket.contest_until : null)

export function mayContest(
  ticket: { status: string; contest_until: string },
  wasContested: boolean,
  today: string,
): boolean {
  const until = contestUntilOf(ticket, wasContested)
  return until !== null && today <= until
}
