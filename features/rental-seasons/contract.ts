import * as z from 'zod/mini'
import { historyEntry } from '../../shared/responses.ts'
import { basis, companyId, line, rowId } from '../../shared/body-parts.ts'
import { type Access, endpoint, formCall } from '../../shared/endpoint.ts'
import { isoDate } from '../../shared/iso-date.ts'
import { repeats } from '../../shared/repeats.ts'
import { reservationForm, viewAccess, seriesForm, whole } from '../rentals/contract.ts'
import { applicationStates, roundStates } from './states.ts'

const staff = ['municipality', 'platform'] as const
const RIGHT = 'rentals'
const enter: Access = { audience: staff, privilege: [RIGHT, 'create'] }
const change: Access = { audience: staff, privilege: [RIGHT, 'update'] }
const resident: Access = { audience: 'citizen' }

const day = z.string({ error: 'Choose a day.' }).check(
  z.regex(/^\d{4}-\d{2}-\d{2}$/, 'Choose a day.'),
  z.refine((value) => isoDate.safeParse(value).success, 'Choose a day.'),
)

export const roundAudiences = {
  residents: 'Residents with a linked utility account',
  everybody: 'Everyone with an account',
} as const

/** Maximum number of priority groups of a round. */
export const MAX_GROUPS = 6
/** Terms of an allocation round. */
export const roundForm = z
  .object({
    name: line(80).check(z.minLength(3, 'Enter a name.')),
    text: z.string().check(z.trim(), z.maxLength(2000, 'Use no more than 2,000 characters.')),
    resourceIds: z.array(rowId).check(z.minLength(1, 'Choose at least one resource.'), z.maxLength(30)),
    seasonFrom: day,
    seasonUntil: day,
    opensOn: day,
    /** Last day for applications. */
    closesOn: day,
    maxChoices: whole(1, 10),
    maxHours: whole(1, 168),
    audience: z.enum(['residents', 'everybody']),
    payDays: whole(1, 60),
    groups: z.array(line(60).check(z.minLength(1, 'Enter a name.'))).check(
      z.maxLength(MAX_GROUPS),
      z.refine((names) => new Set(names.map((name) => name.toLowerCase())).size === names.length, {
        error: 'Use each group name only once.',
      }),
    ),
  })
  .check(
    z.refine(({ seasonFrom, seasonUntil }) => seasonFrom <= seasonUntil, {
      path: ['seasonUntil'],
      error: 'The last day must not be before the first day.',
    }),
    z.refine(({ opensOn, closesOn }) => opensOn <= closesOn, {
      path: ['closesOn'],
      error: 'The last day must not be before the first day.',
    }),
    z.refine(({ closesOn, seasonFrom }) => closesOn < seasonFrom, {
      path: ['closesOn'],
      error: 'The last day to apply must be before the first day of the season.',
    }),
  )
export type RoundForm = z.output<typeof roundForm>

const choiceFields = {
  resourceId: rowId,
  spaceId: rowId,
  repeats,
  startsOn: isoDate,
  from: seriesForm.shape.from,
  until: seriesForm.shape.until,
}
export const choiceForm = z.object(choiceFields)
export type ChoiceForm = z.output<typeof choiceForm>

const applicationForm = z.object({
  ...reservationForm.shape,
  club: line(80),
  rankedChoices: z
    .array(choiceForm)
    .check(
      z.minLength(1, 'Add at least one choice.'),
      z.maxLength(10, 'You can have up to 10 choices. Remove some choices.'),
    ),
})

const roundFields = {
  id: z.number(),
  name: z.string(),
  status: roundStates.state,
  text: z.string(),
  seasonFrom: z.string(),
  seasonUntil: z.string(),
  opensAt: z.string(),
  closesAt: z.string(),
  maxChoices: z.number(),
  maxHours: z.number(),
  audience: z.enum(['residents', 'everybody']),
  payDays: z.number(),
  groups: z.array(z.string()),
  /** SHA-256 of the seed, in hex. '' until the round opens. */
  seedHash: z.string(),
  /** Seed in hex. '' until the lottery runs. */
  seed: z.string(),
  lotteryRanAt: z.nullable(z.string()),
  /** Number of applications in the lottery. */
  applications: z.number(),
}

const selectable = z.object({
  id: z.number(),
  name: z.string(),
  stepMinutes: z.number(),
  spaces: z.array(z.object({ id: z.number(), name: z.string() })),
})

/** One choice as its applicant sees it, with the result. */
const choiceView = z.object({
  ...choiceFields,
  what: z.string(),
  is: z.enum(['waits', 'allocated', 'missed']),
  /** Reason that the choice was not allocated, otherwise ''. */
  why: z.string(),
  /** Reserved days of the choice. */
  days: z.array(z.object({ day: z.string(), reservationId: z.number(), number: z.string() })),
})

/** Turns of the lottery. They identify applicants only by application number. */
const turns = z.array(
  z.object({
    number: z.string(),
    group: z.number(),
    /** Ranks of the allocated choices, in the order of the turns. */
    allocations: z.array(z.number()),
    missed: z.array(z.number()),
  }),
)

export const rentalRounds = endpoint({
  path: 'return/rental/rounds',
  summary: 'Returns the allocation rounds, including those of the past year',
  access: resident,
  body: z.object({}),
  response: z.object({
    rounds: z.array(z.object({ ...roundFields, own: z.nullable(applicationStates.state) })),
  }),
})

export const rentalRound = endpoint({
  path: 'return/rental/round',
  summary: "Returns an allocation round with its results and the caller's application",
  access: resident,
  body: z.object({ roundId: rowId }),
  response: z.object({
    ...roundFields,
    resources: z.array(selectable),
    /** Reason that the caller cannot apply or make changes now, otherwise ''. */
    mistake: z.string(),
    /** Reason for cancelling the round or closing it early, otherwise ''. */
    reason: z.string(),
    phone: z.string(),
    own: z.nullable(
      z.object({
        number: z.string(),
        status: applicationStates.state,
        group: z.string(),
        reason: z.string(),
        club: z.string(),
        purpose: z.string(),
        guests: z.number(),
        phone: z.string(),
        rankedChoices: z.array(choiceView),
      }),
    ),
    turns,
  }),
})

export const checkChoice = endpoint({
  path: 'return/rental/choice',
  summary: 'Returns the dates of a ranked choice with their availability',
  access: resident,
  body: z.object({ roundId: rowId, ...choiceFields }),
  response: z.object({
    dates: z.array(z.object({ day: z.string(), mistake: z.string() })),
    /** Total minutes in the week that has the most minutes. */
    minutesAWeek: z.number(),
  }),
})

export const applyForSeason = formCall({
  path: 'save/my/rental/application',
  summary: "Creates or changes the caller's application to an allocation round",
  access: resident,
  whileImpersonating: 'refused',
  body: z.extend(applicationForm, { roundId: rowId }),
})
export const withdrawApplication = formCall({
  path: 'withdraw/my/rental/application',
  summary: "Withdraws the caller's application to an allocation round",
  access: resident,
  body: z.object({ roundId: rowId }),
})

const lotteryResult = z.object({
  seed: z.string(),
  seedHash: z.string(),
  inputs: z.object({
    maxMinutesAWeek: z.number(),
    applications: z.array(
      z.object({
        number: z.string(),
        group: z.number(),
        rankedChoices: z.array(
          z.object({
            rank: z.number(),
            leaves: z.array(z.number()),
            dates: z.array(z.object({ day: z.string(), minutes: z.number(), from: z.number(), until: z.number() })),
          }),
        ),
      }),
    ),
  }),
  result: z.object({
    order: z.array(z.string()),
    allocations: z.array(z.object({ turn: z.number(), number: z.string(), rank: z.number() })),
    missed: z.array(
      z.object({
        turn: z.number(),
        number: z.string(),
        rank: z.number(),
        why: z.enum(['no_dates', 'taken', 'hours']),
        by: z.string(),
      }),
    ),
  }),
})
export const rentalLottery = endpoint({
  path: 'return/rental/lottery',
  summary: 'Returns the anonymous inputs and results of a lottery',
  access: { audience: ['citizen', ...staff] },
  body: z.object({ companyId, roundId: rowId }),
  response: lotteryResult,
})

// Calls for staff.

const ofRound = { companyId, roundId: rowId }
const allocatedDate = z.object({
  day: z.string(),
  from: z.string(),
  until: z.string(),
  /** Reason that the date is not available, otherwise ''. */
  mistake: z.string(),
  totalCents: z.number(),
})
export const staffRound = endpoint({
  path: 'muni/return/rental/round',
  summary: 'Returns an allocation round with its terms and allocation results',
  access: viewAccess,
  personal: true,
  body: z.object(ofRound),
  response: z.object({
    ...roundFields,
    form: roundForm,
    resources: z.array(selectable),
    /** Number of decided applications of a confirmed round. */
    decided: z.number(),
    history: z.array(historyEntry),
    results: z.array(
      z.object({
        applicationId: z.number(),
        number: z.string(),
        name: z.string(),
        status: applicationStates.state,
        group: z.string(),
        allocations: z.array(z.object({ what: z.string(), dates: z.array(allocatedDate), totalCents: z.number() })),
        missed: z.array(z.object({ what: z.string(), why: z.string() })),
        totalCents: z.number(),
      }),
    ),
    totalCents: z.number(),
    can: z.object({
      steps: z.record(roundStates.button, z.boolean()),
      edit: z.boolean(),
      lottery: z.boolean(),
      confirm: z.boolean(),
    }),
  }),
})
export const roundChoices = endpoint({
  path: 'muni/return/rental/round/choices',
  summary: 'Returns the resources available for allocation rounds',
  access: viewAccess,
  body: z.object({ companyId }),
  response: z.object({ today: z.string(), resources: z.array(z.object({ id: z.number(), name: z.string() })) }),
})
export const addRound = formCall({
  path: 'muni/add/rental/round',
  summary: 'Creates an allocation round',
  access: enter,
  body: z.safeExtend(roundForm, { companyId }),
  response: z.object({ success: z.literal(true), message: z.string(), roundId: z.number() }),
})
export const saveRound = formCall({
  path: 'muni/save/rental/round',
  summary: 'Saves the terms of an allocation round before it opens',
  access: change,
  body: z.safeExtend(roundForm, { ...ofRound, basis }),
})
export const transitionRound = formCall({
  path: 'muni/transition/rental/round',
  summary: 'Opens, closes or cancels an allocation round',
  access: change,
  body: z.object({
    ...ofRound,
    event: roundStates.button,
    reason: z.optional(z.string().check(z.trim(), z.maxLength(200))),
  }),
})
export const runLottery = formCall({
  path: 'muni/run/rental/lottery',
  summary: 'Runs the lottery of an allocation round with its published seed',
  access: change,
  body: z.object(ofRound),
})
export const confirmRound = formCall({
  path: 'muni/confirm/rental/round',
  summary: 'Confirms the allocations of a round and notifies the applicants',
  access: change,
  body: z.object(ofRound),
})
export const repeatLottery = endpoint({
  path: 'muni/repeat/rental/lottery',
  summary: 'Runs a lottery again and compares its seed and results',
  access: viewAccess,
  body: z.object(ofRound),
  response: z.object({ isSame: z.boolean(), isItsSeed: z.boolean() }),
})

const ofApplication = { companyId, applicationId: rowId }
export const staffApplication = endpoint({
  path: 'muni/return/rental/application',
  summary: 'Returns an application to an allocation round',
  access: viewAccess,
  personal: true,
  body: z.object(ofApplication),
  response: z.object({
    id: z.number(),
    number: z.string(),
    status: applicationStates.state,
    round: z.string(),
    name: z.string(),
    club: z.string(),
    email: z.string(),
    phone: z.string(),
    purpose: z.string(),
    guests: z.number(),
    isResident: z.boolean(),
    group: z.number(),
    groups: z.array(z.string()),
    rankedChoices: z.array(choiceView),
    history: z.array(historyEntry),
    can: z.object({ steps: z.record(applicationStates.button, z.boolean()), group: z.boolean() }),
  }),
})
export const transitionApplication = formCall({
  path: 'muni/transition/rental/application',
  summary: 'Excludes an application from the lottery',
  access: change,
  body: z.object({
    ...ofApplication,
    event: applicationStates.button,
    reason: z.optional(z.string().check(z.trim(), z.maxLength(200))),
  }),
})
export const groupApplication = formCall({
  path: 'muni/group/rental/application',
  summary: 'Assigns an application to a group before the lottery',
  access: change,
  body: z.object({ ...ofApplication, group: whole(0, 6) }),
})
