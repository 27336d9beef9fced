import * as z from 'zod/mini'
import { done } from '../../shared/answers.ts'
import { basis, companyId, line, rowId } from '../../shared/body-parts.ts'
import {
  caseCalls,
  caseView,
  contactFields,
  mailedToken,
  MESSAGE_LONG,
  noCardNumber,
  ofCase,
  reachable,
  fileIds,
  filesField,
} from '../../shared/cases.ts'
import { emailOrNone } from '../../shared/email.ts'
import { type Access, endpoint, formCall } from '../../shared/endpoint.ts'
import { isoDate } from '../../shared/iso-date.ts'
import { placeValue, type PlaceValue } from '../../shared/places.ts'
import { enters, isClosed, isOutside, leaves, type OpenDays } from './rules.ts'
import { cents } from '../../shared/money.ts'
import { intoCart } from '../payments/contract.ts'
import { orderStates } from '../work-orders/states.ts'
import { moveStates } from './states.ts'
import { cleaned } from '../../shared/typed.ts'

const RIGHT = 'manage_other_move_in_out'
const staff = ['municipality', 'platform'] as const
export const look: Access = { audience: staff, privilege: [RIGHT, 'view'] }
const change: Access = { audience: staff, privilege: [RIGHT, 'update'] }
const everybody = { audience: 'public' } as const

/** The conversation around a move, and who works on it. */
export const moveCase = caseCalls({
  kind: 'move',
  desk: 'municipality',
  path: 'move',
  about: 'moves',
  noun: 'move',
  rights: { read: [RIGHT, 'view'], write: [RIGHT, 'update'], assign: [RIGHT, 'update'] },
})

const kind = z.union([z.literal(1), z.literal(2), z.literal(3)])
const dayOrNone = z.union([isoDate, z.literal('')], { error: 'Enter a date.' })
/** Where an address comes from (specification 9.7). */
export const addressOptions = ['account', 'user', 'register_address', 'address'] as const

const places = {
  kind,
  leavesBy: z.enum(addressOptions),
  accountId: z.nullable(rowId),
  leaves: placeValue,
  leavesOn: dayOrNone,
  enters: placeValue,
  entersOn: dayOrNone,
  forwarding: line(300),
  ownerName: line(120),
  ownerEmail: emailOrNone,
}
type Places = z.output<z.ZodMiniObject<typeof places>>

const text = z.string()
/** What the rules below read: a body that lacks it is refused for that alone. */
const judged = z.object({
  ...{ kind, leaves: placeValue, enters: placeValue },
  ...{ leavesOn: text, entersOn: text, ownerName: text, ownerEmail: text },
})
const needs = (holds: (move: Places) => boolean, path: keyof Places, error: string) =>
  z.refine<Places>(holds, { path: [path], error, when: ({ value }) => judged.safeParse(value).success })
const checks = [
  needs(
    (move) => !leaves(move.kind) || move.leavesBy !== 'address' || move.leaves.text !== '',
    'leaves',
    'Enter the address that you leave.',
  ),
  needs((move) => !leaves(move.kind) || move.leavesOn !== '', 'leavesOn', 'Choose your last day there.'),
  needs((move) => !enters(move.kind) || move.enters.text !== '', 'enters', 'Enter the address that you move to.'),
  needs((move) => !enters(move.kind) || move.entersOn !== '', 'entersOn', 'Choose your first day there.'),
  needs((move) => move.ownerEmail === '' || move.ownerName !== '', 'ownerName', 'Enter the name of the owner.'),
] as const
export const placesForm = z.object(places).check(...checks)

const NOT_CHOSEN = 'Choose the address from the list. If it is not there, choose “My address is not in the list”.'
/** Words alone may mean any of several houses; that there are none is said by a rule above. */
const isSettled = ({ text, addressId, lat, asTyped }: PlaceValue): boolean =>
  text === '' || addressId !== null || lat !== null || asTyped === true

const OUTSIDE = 'Choose a day between those two.'
export const CLOSED = 'The office is closed on this day. Choose another one.'
/**
 * The same where somebody chooses: the days are known, so that nobody learns only after the last step that one can't be,
 * and so are the town's addresses.
 */
export const placesFormOn = (days: OpenDays) =>
  placesForm.check(
    needs((move) => !leaves(move.kind) || move.leavesBy !== 'address' || isSettled(move.leaves), 'leaves', NOT_CHOSEN),
    needs((move) => !enters(move.kind) || isSettled(move.enters), 'enters', NOT_CHOSEN),
    ...(['leavesOn', 'entersOn'] as const).flatMap((field) => [
      needs((move) => move[field] === '' || !isOutside(days, move[field]), field, OUTSIDE),
      needs((move) => move[field] === '' || !isClosed(days, move[field]), field, CLOSED),
    ]),
  )

const contact = {
  ...contactFields,
  note: z.string().check(z.trim(), z.maxLength(4000, MESSAGE_LONG), noCardNumber),
}
export const contactForm = z.object({ ...contact, files: filesField }).check(reachable)

export const DOCUMENTS_MISSING = 'Attach the documents that are listed here.'
/** The form of a municipality that requires these documents. Empty: it requires none. */
export const contactFormWith = (documents: string) =>
  documents === ''
    ? contactForm
    : contactForm.check(
        z.refine(({ files }) => (files ?? []).length > 0, { error: DOCUMENTS_MISSING, path: ['files'] }),
      )

/** What whoever is on the page can choose from. */
export const moveChoices = endpoint({
  path: 'return/relocate/choices',
  summary: 'The days and the accounts that a move can be asked for with',
  access: everybody,
  keepsSession: true,
  body: z.object({}),
  answer: z.object({
    signInFirst: z.boolean(),
    first: z.string(),
    last: z.string(),
    leadDays: z.int(),
    /** Days in between on which the office is closed. */
    closed: z.array(z.string()),
    /** `autopay`: true if AutoPay of the account is on. */
    accounts: z.array(z.object({ id: z.number(), number: z.string(), place: z.string(), autopay: z.boolean() })),
    /** Days after the last day during which AutoPay still pays. */
    autopayDays: z.int(),
    /** Which documents the town asks for; '' where it asks for none. */
    documents: z.string(),
    known: z.object({ name: z.string(), email: z.string(), phone: z.string() }),
  }),
})

export const sendMove = endpoint({
  path: 'send/relocate/move',
  summary: 'Asks for a move in, out or within the town, and mails its number',
  access: everybody,
  keepsSession: true,
  idempotent: true,
  body: z.object({ ...places, ...contact, files: fileIds }).check(reachable, ...checks),
  answer: z.extend(done, { number: z.string(), token: z.string() }),
})

const facts = z.object({
  id: z.number(),
  number: z.string(),
  kind: z.int(),
  status: moveStates.state,
  at: z.string(),
  leaves: z.string(),
  leavesOn: z.string(),
  enters: z.string(),
  entersOn: z.string(),
})
export type MoveDetails = z.output<typeof facts>

const fee = z.object({ title: z.string(), amountCents: cents, paidCents: cents, canPay: z.boolean() })

export const moveByLink = endpoint({
  path: 'return/relocate/move',
  summary: 'A move behind the mailed link of whoever asked for it',
  access: everybody,
  body: z.object({ token: mailedToken }),
  answer: z.extend(facts, {
    forwarding: z.string(),
    ownerName: z.string(),
    ownerAnswer: z.enum(['none', 'asked', 'agreed', 'refused']),
    /** A deposit or a fee; null where it costs nothing. */
    fee: z.nullable(fee),
    /** What AutoPay of the account does about the final bill; '' if it is off. */
    autopay: z.string(),
    can: z.object({ withdraw: z.boolean() }),
  }),
})

export const payMoveFee = endpoint({
  path: 'pay/relocate/move',
  summary: 'Opens a checkout for what a move costs, or adds it to `cart`',
  access: everybody,
  whileImpersonating: 'refused',
  idempotent: 'offered',
  body: z.object({ token: mailedToken, cart: intoCart }),
  answer: z.object({ token: z.string() }),
})

export const withdrawMove = formCall({
  path: 'withdraw/relocate/move',
  summary: 'Withdraws a move that is pending, for whoever asked for it',
  access: everybody,
  body: z.object({ token: mailedToken }),
})

export const myMoves = endpoint({
  path: 'return/my/moves',
  summary: "A resident's own moves",
  access: { audience: 'citizen' },
  body: z.object({}),
  answer: z.object({ moves: z.array(facts) }),
})

export const openMyMove = endpoint({
  path: 'open/my/move',
  summary: "Opens the page of a resident's own move",
  access: { audience: 'citizen' },
  body: z.object({ moveId: rowId }),
  answer: z.object({ token: z.string() }),
})

const ownerToken = z.string().check(z.regex(/^[\w-]{20,100}$/, 'This link is not whole. Open it again from the mail.'))

/** What an owner is asked to agree to: who, where and when, and nothing else of whoever moves. */
export const askedOwner = endpoint({
  path: 'return/relocate/owner',
  summary: 'What the owner of a place is asked about a move, behind their mailed link',
  access: everybody,
  body: z.object({ token: ownerToken }),
  answer: z.object({
    number: z.string(),
    ownerName: z.string(),
    name: z.string(),
    place: z.string(),
    on: z.string(),
    isComing: z.boolean(),
    answer: z.enum(['asked', 'agreed', 'refused']),
    open: z.boolean(),
  }),
})

export const ownerForm = z.object({
  agrees: z.enum(['yes', 'no'], { error: 'Choose whether you agree.' }),
  standsIn: z.boolean(),
  signed: line(120).check(z.minLength(3, 'Type your full name.')),
})
export const answerAsOwner = formCall({
  path: 'answer/relocate/owner',
  summary: 'The owner of a place agrees to a move, or refuses',
  access: everybody,
  whileImpersonating: 'refused',
  body: z.extend(ownerForm, { token: ownerToken }),
})

export const deskMove = endpoint({
  path: 'muni/return/move',
  summary: 'A move with its whole conversation, and who answers for its places',
  access: look,
  personal: true,
  body: ofCase,
  answer: z.extend(caseView, {
    move: z.extend(facts, {
      name: z.string(),
      email: z.string(),
      phone: z.string(),
      isGuest: z.boolean(),
      account: z.string(),
      forwarding: z.string(),
      note: z.string(),
      finalRead: z.nullable(z.number()),
      firstRead: z.nullable(z.number()),
      ownerName: z.string(),
      ownerEmail: z.string(),
      ownerAnswer: z.enum(['none', 'asked', 'agreed', 'refused']),
      ownerSigned: z.string(),
      ownerAnsweredAt: z.nullable(z.string()),
    }),
    points: z.array(
      z.object({
        place: z.string(),
        parties: z.array(
          z.object({
            party: z.enum(['resident', 'owner', 'town']),
            name: z.string(),
            from: z.nullable(z.string()),
            until: z.nullable(z.string()),
          }),
        ),
      }),
    ),
    fee: z.nullable(fee),
    /** The newest reading of the meter at the account that is left; null if there are none or several meters. */
    lastRead: z.nullable(z.object({ reading: z.number(), on: z.string() })),
    /** What AutoPay of the account does about the final bill; '' if it is off. */
    autopay: z.string(),
    /** The work orders by which its meters are read, the newest first. */
    orders: z.array(z.object({ id: z.number(), number: z.string(), status: orderStates.state })),
    can: z.extend(caseView.shape.can, { complete: z.boolean(), changeDays: z.boolean() }),
  }),
})

const READ = 'Enter the reading as the meter shows it, such as 613.5.'
const read = z.string().check(cleaned(), z.regex(/^(?:\d{1,12}(?:\.\d{1,3})?)?$/, READ))
export const completeForm = z.object({
  finalRead: read,
  firstRead: read,
  /** A final reading below the last one is right: the meter was changed or turned over. */
  isBelow: z._default(z.boolean(), false),
})
export const completeMove = formCall({
  path: 'muni/complete/move',
  summary: 'Completes a move, with the reads of its meters',
  access: change,
  body: z.extend(ofCase, completeForm.shape),
})

export const daysForm = z.object({ leavesOn: dayOrNone, entersOn: dayOrNone })
export const changeMoveDays = formCall({
  path: 'muni/change/move/days',
  summary: 'Changes the days of a move; of one that is complete, who answered for its places as well',
  access: change,
  body: z.extend(ofCase, { ...daysForm.shape, basis }),
})

const whole = (least: number, most: number, says: string) =>
  z.int({ error: says }).check(z.minimum(least, says), z.maximum(most, says))
export const settingsForm = z
  .object({
    forGuests: z.boolean(),
    leadDays: whole(0, 60, 'There are 0 to 60 days.'),
    farthestDays: whole(1, 366, 'There are 1 to 366 days.'),
    readsBy: z.nullable(rowId),
    autopayDays: whole(0, 180, 'There are 0 to 180 days.'),
    feeTypeId: z.nullable(rowId),
    documents: line(300),
  })
  .check(
    z.refine(({ leadDays, farthestDays }) => leadDays <= farthestDays, {
      path: ['farthestDays'],
      error: 'The last day lies before the first.',
    }),
  )
export const movingSettings = endpoint({
  path: 'muni/return/move/settings',
  summary: 'How the municipality deals with moves',
  access: look,
  body: z.object({ companyId }),
  answer: z.object({
    settings: settingsForm,
    departments: z.array(z.object({ id: z.number(), name: z.string() })),
    /** The payments that whoever moves in can be asked for. */
    fees: z.array(z.object({ id: z.number(), name: z.string() })),
    can: z.object({ edit: z.boolean() }),
  }),
})
export const saveMovingSettings = formCall({
  path: 'muni/save/move/settings',
  summary: 'Changes how the municipality deals with moves',
  access: change,
  body: z.safeExtend(settingsForm, { companyId, basis }),
})
