import { copyCall } from '../../shared/copies.ts'
import * as z from 'zod/mini'
import { done, historyEntry } from '../../shared/responses.ts'
import { basis, companyId, line, rowId } from '../../shared/body-parts.ts'
import { emailOrNone } from '../../shared/email.ts'
import { type Access, downloadCall, endpoint, formCall } from '../../shared/endpoint.ts'
import { isoDate } from '../../shared/iso-date.ts'
import { cents } from '../../shared/money.ts'
import { say } from '../../shared/messages.ts'
import { repeats } from '../../shared/repeats.ts'
import { kindLabels, MAX_DATES, MAX_PER_RESIDENT, type ResourceKind, stepAvailabilities } from './rules.ts'
import { isDayOfYear } from './rules-hours.ts'
import { rentalStates } from './states.ts'
import { mobileField } from '../../shared/accounts.ts'

const staff = ['municipality', 'platform'] as const
const RIGHT = 'rentals'
export const viewAccess: Access = { audience: staff, privilege: [RIGHT, 'view'] }
const enter: Access = { audience: staff, privilege: [RIGHT, 'create'] }
const change: Access = { audience: staff, privilege: [RIGHT, 'update'] }
const resident: Access = { audience: 'citizen' }

const CHOOSE_TIME = 'Choose a time.'
const time = z.string().check(z.regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, CHOOSE_TIME))
const lines = (max: number) =>
  z.string().check(z.trim(), z.maxLength(max, { error: () => say`Use no more than ${max} characters.` }))
export const whole = (min: number, max: number) => {
  const error = () => say`Enter a whole number from ${min} to ${max}.`
  return z.int({ error }).check(z.minimum(min, { error }), z.maximum(max, { error }))
}

const kind = z.enum(Object.keys(kindLabels) as [ResourceKind, ...ResourceKind[]])
const CHOOSE_DATE = 'Choose a day that exists in the calendar.'
const dateOfYear = z.string().check(z.regex(/^\d\d-\d\d$/, CHOOSE_DATE), z.refine(isDayOfYear, CHOOSE_DATE))
const CHOOSE_WEEKDAY = 'Choose at least one weekday.'
const season = z
  .object({
    from: dateOfYear,
    until: dateOfYear,
    days: z.array(whole(1, 7)).check(
      z.minLength(1, CHOOSE_WEEKDAY),
      z.maxLength(7),
      z.refine((days) => new Set(days).size === days.length, 'Choose each weekday only once.'),
    ),
    opens: time,
    closes: time,
    percent: whole(0, 500),
  })
  .check(
    z.refine(({ opens, closes }) => opens < closes, {
      path: ['closes'],
      error: 'The closing time must be after the opening time.',
    }),
  )

/** Settings of a resource. */
export const resourceForm = z
  .object({
    name: line(80).check(z.minLength(2, 'Enter a name.')),
    kind,
    status: z.enum(['draft', 'open', 'closed']),
    description: lines(1000),
    location: line(120),
    resourceRules: lines(4000),
    amenities: lines(500),
    accessibility: lines(1000),
    capacity: whole(0, 100_000),
    pieces: whole(1, 500),
    needsApproval: z.boolean(),
    /** Number of guests at which a certificate of insurance becomes required. 0 means always, null means never. */
    certificateFrom: z._default(z.nullable(whole(0, 100_000)), null),
    /** True if renters answer the resource's questions and sign its agreement, where the resource has them. */
    hasQuestions: z._default(z.boolean(), true),
    /** Maximum dates in a series by a resident. 0 if only staff can reserve series. */
    seriesDates: z._default(whole(0, MAX_PER_RESIDENT), 0),
    /** True if a series by a resident needs approval, even if single dates do not. */
    seriesApproval: z._default(z.boolean(), true),
    seasons: z.array(season).check(z.minLength(1, 'Enter the opening hours.'), z.maxLength(12)),
    closedOnHolidays: z.boolean(),
    stepMinutes: z.union([z.literal(15), z.literal(30), z.literal(60)]),
    minMinutes: whole(15, 1440),
    maxMinutes: whole(15, 1440),
    noticeHours: whole(0, 2000),
    aheadDays: whole(1, 730),
    beforeMinutes: whole(0, 1440),
    afterMinutes: whole(0, 1440),
    chargedBy: z.enum(['hour', 'day']),
    residentCents: cents,
    otherCents: cents,
    depositCents: cents,
    addons: z.array(z.object({ name: line(80).check(z.minLength(1, 'Enter a name.')), cents })).check(z.maxLength(20)),
    refundDays: whole(0, 365),
    latePercent: whole(0, 100),
    agreement: lines(8000),
    /** Name of the resource's lock in the access code service. Empty if the resource has no lock. */
    door: line(80),
    /** Empty if payments go to the municipality's own GL account for amounts due (`gl_account`). */
    glAccount: line(40),
  })
  .check(
    z.refine(({ minMinutes, maxMinutes }) => minMinutes <= maxMinutes, {
      path: ['maxMinutes'],
      error: 'The maximum length must not be shorter than the minimum length.',
    }),
    z.refine(({ kind: of, pieces }) => of === 'equipment' || pieces === 1, {
      path: ['pieces'],
      error: 'Enter 1. Only equipment can have more than one piece.',
    }),
    z.refine(({ addons }) => new Set(addons.map(({ name }) => name.toLowerCase())).size === addons.length, {
      path: ['addons'],
      error: 'Give each add-on a different name.',
    }),
  )
export type ResourceForm = z.output<typeof resourceForm>

const resourceFields = {
  id: z.number(),
  name: z.string(),
  kind,
  description: z.string(),
  location: z.string(),
  capacity: z.number(),
  chargedBy: z.enum(['hour', 'day']),
  residentCents: z.number(),
  otherCents: z.number(),
  needsApproval: z.boolean(),
}

/** Photo as residents receive it. */
const seenPhoto = z.object({ path: z.string(), alt: z.string() })
export type SeenPhoto = z.output<typeof seenPhoto>

/** Details of a reservation in every response about it. */
export const reservationDetails = {
  id: z.number(),
  number: z.string(),
  resourceId: z.number(),
  title: z.string(),
  startsAt: z.string(),
  endsAt: z.string(),
  status: rentalStates.state,
  heldUntil: z.nullable(z.string()),
  totalCents: z.number(),
}
const reservation = z.object(reservationDetails)
export type ReservationDetails = z.output<typeof reservation>

export const rentals = endpoint({
  path: 'return/rentals',
  summary: "Returns the resources for rent and the caller's reservations",
  access: resident,
  body: z.object({}),
  response: z.object({
    resources: z.array(z.object({ ...resourceFields, photo: z.nullable(seenPhoto) })),
    own: z.array(reservation),
  }),
})

const reservationFields = { resourceId: rowId, spaceId: rowId, pieces: whole(1, 500) }

export const rental = endpoint({
  path: 'return/rental',
  summary: 'Returns a resource with its rules and prices',
  access: resident,
  body: z.object({ resourceId: rowId }),
  response: z.object({
    ...resourceFields,
    photos: z.array(seenPhoto),
    resourceRules: z.string(),
    amenities: z.string(),
    accessibility: z.string(),
    pieces: z.number(),
    stepMinutes: z.number(),
    minMinutes: z.number(),
    maxMinutes: z.number(),
    depositCents: z.number(),
    addons: z.array(z.object({ name: z.string(), cents: z.number() })),
    refund: z.string(),
    notice: z.string(),
    /** URL path of the public calendar of reserved times. */
    occupancyFeedPath: z.string(),
    agreement: z.string(),
    /** True if renters must answer questions before they reserve. */
    hasQuestions: z.boolean(),
    /** Maximum dates in one request. 0 for single dates only. */
    seriesDates: z.number(),
    /** True if a series needs staff approval. */
    seriesWaits: z.boolean(),
    certificateFrom: z.nullable(z.number()),
    spaces: z.array(z.object({ id: z.number(), name: z.string() })),
    today: z.string(),
    lastDay: z.string(),
    isResident: z.boolean(),
    phone: z.string(),
  }),
})

const day = z.object({
  day: z.string(),
  /** Reason that the resource is closed on this day, otherwise ''. */
  closedFor: z.string(),
  steps: z.array(z.object({ time: z.string(), until: z.string(), is: z.enum(stepAvailabilities) })),
})
export type RentalDay = z.output<typeof day>

const days = { ...reservationFields, from: isoDate, days: whole(1, 42), except: z.optional(rowId) }
const daysResponse = z.object({ days: z.array(day) })
export const rentalDays = endpoint({
  path: 'return/rental/days',
  summary: 'Returns the availability of a resource by day',
  access: resident,
  body: z.object(days),
  response: daysResponse,
})

const priced = {
  ...reservationFields,
  day: isoDate,
  from: time,
  until: time,
  addons: z.array(line(80)).check(z.maxLength(20)),
}
const price = z.object({
  /** Reason that the time is not available, otherwise ''. */
  mistake: z.string(),
  items: z.array(z.object({ text: z.string(), note: z.string(), amountCents: z.number() })),
  totalCents: z.number(),
})
export const rentalPrice = endpoint({
  path: 'return/rental/price',
  summary: 'Returns the price of a resource for a given time',
  access: resident,
  body: z.object(priced),
  response: price,
})

/** Answers to the questions of a resource, with the version of the questions that the renter saw. */
export const agreementInput = z.object({ version: z.int(), answers: z.record(z.string(), z.unknown()) })
export type SubmittedAnswers = z.output<typeof agreementInput>
const agreement = z._default(z.nullable(agreementInput), null)

export const reservationForm = z.object({
  purpose: line(120).check(z.minLength(3, 'Enter the purpose in a few words.')),
  guests: whole(0, 100_000),
  phone: mobileField,
  agrees: z.boolean().check(z.refine((agrees) => agrees, 'Agree to the terms to continue.')),
})
export const bookRental = formCall({
  path: 'book/rental',
  summary: 'Creates a reservation for the resident',
  access: resident,
  whileImpersonating: 'refused',
  body: z.object({ ...priced, ...reservationForm.shape, quotedCents: cents, agreement }),
  response: z.extend(done, { reservationId: z.number(), next: z.enum(['pay', 'wait', 'done']) }),
})

const ownReservation = z.object({ reservationId: rowId })
export const myRental = endpoint({
  path: 'return/my/rental',
  whenOff: 'finish',
  summary: 'Returns a reservation of the caller',
  access: resident,
  body: ownReservation,
  response: z.object({
    ...reservationDetails,
    spaceId: z.number(),
    pieces: z.number(),
    purpose: z.string(),
    guests: z.number(),
    items: price.shape.items,
    paidCents: z.number(),
    refundCents: z.number(),
    retainedCents: z.number(),
    retainedReason: z.string(),
    /** Refund if the reservation is cancelled now. */
    refundIfCancelledCents: z.number(),
    /** Share of the fee that `refundIfCancelledCents` includes. */
    feeRefundIfCancelledCents: z.number(),
    refund: z.string(),
    reason: z.string(),
    can: z.object({ pay: z.boolean(), cancel: z.boolean(), change: z.boolean() }),
  }),
})
export const payRental = endpoint({
  path: 'pay/my/rental',
  whenOff: 'finish',
  summary: "Opens a checkout for held dates of the caller's reservation",
  access: resident,
  whileImpersonating: 'refused',
  body: z.extend(ownReservation, { together: z._default(z.boolean(), false) }),
  response: z.object({ token: z.string() }),
})
export const cancelRental = formCall({
  path: 'cancel/my/rental',
  whenOff: 'finish',
  summary: 'Cancels a reservation of the caller under the refund rule',
  access: resident,
  body: ownReservation,
})
export const changeRental = formCall({
  path: 'change/my/rental',
  summary: "Moves the caller's reservation to another time of the same price",
  access: resident,
  body: z.object({
    reservationId: rowId,
    day: isoDate,
    from: time,
    until: time,
    /**
     * Refund in cents that the resident would accept if they cancel after the move. Required if the move reduces the
     * refund. If it is missing or differs from the calculated refund, such a move fails with error 409
     * `refund_changes`.
     */
    refundIfCancelledCents: z.optional(z.int()),
  }),
})
export const rentalIcs = downloadCall({
  path: 'export/my/rental',
  whenOff: 'finish',
  summary: 'Exports a reservation of the caller as an iCalendar file',
  access: resident,
  body: ownReservation,
})

// Calls for staff.

export const staffRental = endpoint({
  path: 'muni/return/rental',
  summary: 'Returns a reservation with its payments and history',
  access: viewAccess,
  personal: true,
  body: z.object({ companyId, reservationId: rowId }),
  response: z.object({
    ...reservationDetails,
    name: z.string(),
    email: z.string(),
    phone: z.string(),
    purpose: z.string(),
    guests: z.number(),
    pieces: z.number(),
    isResident: z.boolean(),
    byStaff: z.boolean(),
    agreedAt: z.nullable(z.string()),
    items: price.shape.items,
    depositCents: z.number(),
    paidCents: z.number(),
    refundCents: z.number(),
    retainedCents: z.number(),
    retainedReason: z.string(),
    /** Series of the reservation, with the number of future dates, including this one. */
    series: z.nullable(z.object({ id: z.number(), dates: z.number(), toCome: z.number() })),
    /** Payment that receives the refund. */
    paymentId: z.nullable(z.number()),
    history: z.array(historyEntry),
    /** Time when check-in opens. Null if check-in is never possible. */
    checkInFrom: z.nullable(z.string()),
    can: z.object({ steps: z.record(rentalStates.button, z.boolean()), inspect: z.boolean(), refund: z.boolean() }),
  }),
})
export const transitionRental = formCall({
  path: 'muni/transition/rental',
  summary: 'Changes the status of a reservation',
  access: change,
  body: z.object({
    companyId,
    reservationId: rowId,
    event: rentalStates.button,
    reason: z.optional(z.string().check(z.trim(), z.maxLength(200))),
  }),
})
export const inspectForm = z.object({ retainedCents: cents, reason: line(300) }).check(
  z.refine(({ retainedCents, reason }) => retainedCents === 0 || reason.length >= 3, {
    path: ['reason'],
    error: 'Enter the reason for the deduction.',
  }),
)
export const inspectRental = formCall({
  path: 'muni/inspect/rental',
  summary: 'Completes a reservation after inspection and sets the retained deposit',
  access: change,
  /** `basis` is the paid amount that staff saw (`paidCents`). */
  body: z.safeExtend(inspectForm, { companyId, reservationId: rowId, basis }),
})
export const refundRental = formCall({
  path: 'muni/refund/rental',
  summary: 'Refunds the amount due of a reservation',
  access: { audience: 'municipality', privilege: ['refunds', 'create'] },
  /** `basis` is the refund amount due that staff saw (`refundCents`). */
  body: z.object({ companyId, reservationId: rowId, basis }),
  whileImpersonating: 'refused',
})

export const rentalChoices = endpoint({
  path: 'muni/return/rental/choices',
  summary: 'Returns the resources that staff can book by phone',
  access: viewAccess,
  body: z.object({ companyId }),
  response: z.object({
    today: z.string(),
    resources: z.array(
      z.object({
        ...resourceFields,
        pieces: z.number(),
        hasQuestions: z.boolean(),
        addons: z.array(z.object({ name: z.string(), cents: z.number() })),
        spaces: z.array(z.object({ id: z.number(), name: z.string() })),
      }),
    ),
  }),
})
export const staffRentalDays = endpoint({
  path: 'muni/return/rental/days',
  summary: 'Returns the availability of a resource for staff',
  access: viewAccess,
  body: z.object({ companyId, ...days }),
  response: daysResponse,
})
const dayField = z.string({ error: 'Choose a day.' }).check(
  z.regex(/^\d{4}-\d{2}-\d{2}$/, 'Choose a day.'),
  z.refine((value) => isoDate.safeParse(value).success, 'Choose a day.'),
)
export const phoneForm = z.object({
  resourceId: rowId,
  spaceId: rowId,
  pieces: whole(1, 500),
  day: dayField,
  from: time,
  until: time,
  name: line(120).check(z.minLength(2, 'Enter the person’s name.')),
  email: emailOrNone,
  phone: mobileField,
  purpose: line(120).check(z.minLength(3, 'Enter the purpose in a few words.')),
  guests: whole(0, 100_000),
  isResident: z.boolean(),
  /**
   * True if the renter gets an email with a link to answer questions and sign. Otherwise staff answer for the renter.
   */
  sendsAgreement: z._default(z.boolean(), true),
})
export const bookByPhone = formCall({
  path: 'muni/book/rental',
  summary: 'Creates a reservation for a resident on the phone',
  access: enter,
  body: z.extend(phoneForm, { companyId }),
  response: z.extend(done, { reservationId: z.number() }),
})

const { day: _day, ...onePhone } = phoneForm.shape
/** Fields that all dates of a series share. */
export const seriesForm = z.object({ ...onePhone, repeats, startsOn: isoDate })
const date = z.object({ day: isoDate, from: time, until: time })
/**
 * Changes that the requester made to single dates of the recurrence rule, by day. If `instead` is null, the date is
 * skipped.
 */
export const choices = z.array(z.object({ of: isoDate, instead: z.nullable(date) })).check(z.maxLength(MAX_DATES))
const {
  name: _name,
  email: _email,
  phone: _phone,
  purpose: _purpose,
  sendsAgreement: _sends,
  ...priceOfSeries
} = seriesForm.shape
/** Dates of a recurrence rule, each with its conflict and its price. */
export const seriesDates = z.object({
  dates: z.array(
    z.object({
      /** Day that results from the recurrence rule. */
      of: z.string(),
      ...date.shape,
      leftOut: z.boolean(),
      /** Reason that the date is not available, otherwise ''. */
      mistake: z.string(),
      totalCents: z.number(),
    }),
  ),
  totalCents: z.number(),
  /** True if the recurrence rule has more dates than a series allows. */
  hasMore: z.boolean(),
  /** True if the first date has a deposit. That deposit covers all dates. */
  hasDeposit: z.boolean(),
})
export type SeriesDates = z.output<typeof seriesDates>
export const previewSeries = endpoint({
  path: 'muni/preview/rental/series',
  summary: 'Returns the dates of a planned series for staff',
  access: enter,
  body: z.object({ companyId, ...priceOfSeries, choices }),
  response: seriesDates,
})
export const bookSeries = formCall({
  path: 'muni/book/rental/series',
  summary: 'Reserves a series of dates for a resident on the phone',
  access: enter,
  body: z.extend(seriesForm, { companyId, choices, quotedCents: cents }),
  response: z.extend(done, { seriesId: z.number() }),
})
export const cancelSeries = formCall({
  path: 'muni/cancel/rental/series',
  summary: 'Cancels the remaining dates of a series',
  access: change,
  body: z.object({ companyId, seriesId: rowId }),
})

export const showResource = endpoint({
  path: 'muni/return/rental/resource',
  summary: 'Returns the settings, spaces and closures of a resource',
  access: viewAccess,
  body: z.object({ companyId, resourceId: rowId }),
  response: z.object({
    form: resourceForm,
    spaces: z.array(z.object({ id: z.number(), name: z.string(), pricePercent: z.number(), partOf: z.string() })),
    blackouts: z.array(z.object({ id: z.number(), from: z.string(), until: z.string(), reason: z.string() })),
    /** True if the resource has published questions that are turned on. */
    hasQuestions: z.boolean(),
    can: z.object({ edit: z.boolean() }),
  }),
})
export const addResource = formCall({
  path: 'muni/add/rental/resource',
  summary: 'Creates a resource for rent',
  access: enter,
  body: z.safeExtend(resourceForm, { companyId }),
  response: z.extend(done, { resourceId: z.number() }),
})
export const saveResource = formCall({
  path: 'muni/save/rental/resource',
  summary: 'Saves the settings of a resource',
  access: change,
  body: z.safeExtend(resourceForm, { companyId, resourceId: rowId, basis }),
})
export const copyResource = copyCall('muni/copy/rental/resource', 'Copies a resource as a draft', enter)
export const spaceForm = z.object({
  name: line(60).check(z.minLength(1, 'Enter a name.')),
  pricePercent: whole(0, 100),
})
export const addSpace = formCall({
  path: 'muni/add/rental/space',
  summary: 'Adds a space to a resource',
  access: change,
  body: z.extend(spaceForm, { companyId, resourceId: rowId }),
})
export const blackoutForm = z
  .object({ from: dayField, until: dayField, reason: line(80).check(z.minLength(3, 'Enter a reason.')) })
  .check(
    z.refine(({ from, until }) => from <= until, {
      path: ['until'],
      error: 'The last day must not be before the first day.',
    }),
  )
export const addBlackout = formCall({
  path: 'muni/add/rental/blackout',
  summary: 'Creates a closure of a resource',
  access: change,
  body: z.safeExtend(blackoutForm, { companyId, resourceId: rowId }),
})
export const removeBlackout = formCall({
  path: 'muni/remove/rental/blackout',
  summary: 'Removes a closure of a resource',
  access: change,
  body: z.object({ companyId, blackoutId: rowId }),
})

// Calendar feeds for other calendar programs, each at a secret URL.

const since = z.object({ since: z.nullable(z.string()) })
const made = z.extend(done, { url: z.string() })
const nothing = z.object({})
const ownStaff: Access = { audience: 'municipality', privilege: [RIGHT, 'view'] }
export const rentalFeed = endpoint({
  path: 'return/my/rental/feed',
  whenOff: 'finish',
  summary: "Returns the status of the caller's reservation calendar URL",
  access: resident,
  body: nothing,
  response: since,
})
export const makeRentalFeed = formCall({
  path: 'make/my/rental/feed',
  summary: "Creates or replaces the caller's secret reservation calendar URL",
  access: resident,
  whileImpersonating: 'refused',
  body: nothing,
  response: made,
})
export const endRentalFeed = formCall({
  path: 'end/my/rental/feed',
  whenOff: 'finish',
  summary: "Revokes the caller's secret reservation calendar URL",
  access: resident,
  body: nothing,
})
export const staffRentalFeed = endpoint({
  path: 'muni/return/rental/feed',
  summary: "Returns the status of the caller's calendar URL for all reservations",
  access: ownStaff,
  body: nothing,
  response: since,
})
export const makeStaffRentalFeed = formCall({
  path: 'muni/make/rental/feed',
  summary: "Creates or replaces the caller's secret calendar URL for all reservations",
  access: ownStaff,
  whileImpersonating: 'refused',
  body: nothing,
  response: made,
})
export const endStaffRentalFeed = formCall({
  path: 'muni/end/rental/feed',
  summary: "Revokes the caller's secret calendar URL for all reservations",
  access: ownStaff,
  body: nothing,
})
