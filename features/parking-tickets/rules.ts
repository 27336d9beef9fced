/** The rules of parking tickets that both sides use. */
import { addDays } from '../../shared/dates.ts'
import { plainTyped } from '../../shared/visible.ts'

/** Citation numbers as they are kept: capital letters, digits and hyphens. Spaces and small letters are forgiven. */
export const citationOf = (text: string): string => plainTyped(text).toUpperCase().replaceAll(/\s+/g, '')
export const isCitation = (text: string): boolean => /^[A-Z0-9][A-Z0-9-]{2,19}$/.test(text)

/** A plate as it is kept: what stands between its letters and digits means nothing. */
export const plateOf = (text: string): string =>
  plainTyped(text)
    .toUpperCase()
    .replaceAll(/[\s.·-]+/g, '')
export const isPlate = (text: string): boolean => /^[A-Z0-9]{1,10}$/.test(text)

/** Enough of a plate to know one's own by: `**** 42`. */
export const maskedPlate = (plate: string): string => `${'*'.repeat(Math.max(0, plate.length - 2))}${plate.slice(-2)}`

/** How people speak of a contest: `C12`. */
export const contestNumber = (id: number): string => `C${id}`

/** What happens to a ticket that is not paid so many days after it was written, or upheld. */
export interface LateStep {
  day: number
  feeCents: number
  /** The person is told, where an email is known. */
  tell: boolean
}

export interface ParkingSettings {
  /** So many days there are to pay a ticket, and again after a decision. */
  dueDays: number
  steps: LateStep[]
  /** So many days there are to contest a ticket. */
  contestDays: number
  /** These days begin anew with each notice that is mailed. */
  noticeRenews: boolean
  /** A plate is on the boot list with so many unpaid tickets that are older than so many days. */
  bootTickets: number
  bootDays: number
  /** What the law offers instead of paying, in the town's words. */
  alternatives: string
  hearingPlace: string
  glAccount: string
}

/** A town that set nothing asks for no late fees. */
export const usualSettings: ParkingSettings = {
  dueDays: 14,
  steps: [],
  contestDays: 21,
  noticeRenews: false,
  bootTickets: 3,
  bootDays: 60,
  alternatives: '',
  hearingPlace: '',
  glAccount: 'PARKING',
}

/** The next step that a ticket comes to, if it is not paid before. */
export const nextStep = (steps: readonly LateStep[], lastStepDay: number): LateStep | null =>
  steps.toSorted((a, b) => a.day - b.day).find(({ day }) => day > lastStepDay) ?? null

/** On which day a step comes that is due then: whoever tried to pay in an outage has time until the day after the grace. */
export function stepComesOn(due: string, tried: { graceUntil: string | null } | null): string {
  const grace = tried?.graceUntil ?? null
  return grace !== null && grace >= due ? addDays(grace, 1) : due
}

/** What has to be paid of a ticket now: only of one that is open. */
export const owedOf = (ticket: {
  status: string
  fine_cents: number
  late_cents: number
  paid_cents: number
}): number => (ticket.status === 'open' ? Math.max(0, ticket.fine_cents + ticket.late_cents - ticket.paid_cents) : 0)

/** The last day on which a ticket can be contested; null where its state leaves nothing to contest, or it was contested before. */
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
