import * as z from 'zod/mini'
import { done } from '../../shared/responses.ts'
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
import { locationValue, type LocationValue } from '../../shared/places.ts'
import { enters, isClosed, isOutside, leaves, type OpenDays } from './rules.ts'
import { cents } from '../../shared/money.ts'
import { intoCart } from '../payments/contract.ts'
import { orderStates } from '../work-orders/states.ts'
import { moveStates } from './states.ts'
import { cleaned } from '../../shared/typed.ts'

const RIGHT = 'moves'
const staff = ['municipality', 'platform'] as const
export const viewAccess: Access = { audience: staff, privilege: [RIGHT, 'view'] }
const change: Access = { audience: staff, privilege: [RIGHT, 'update'] }
const everybody = { audience: 'public' } as const

/** API calls for the case of a move: its timeline and assignment. */
export const moveCase = caseCalls({
  kind: 'move',
  audience: 'municipality',
  path: 'move',
  about: 'moves',
  noun: 'move',
  rights: { read: [RIGHT, 'view'], write: [RIGHT, 'update'], assign: [RIGHT, 'update'] },
})

const kind = z.union([z.literal(1), z.literal(2), z.literal(3)])
const dayOrNone = z.union([isoDate, z.literal('')], { error: 'Enter a date.' })
/** Sources of an address (spec 9.7). */
export const addressOptions = ['account', 'user', 'register_address', 'address'] as const

const addressFields = {
  kind,
  leavesBy: z.enum(addressOptions),
  accountId: z.nullable(rowId),
  leaves: locationValue,
  leavesOn: dayOrNone,
  enters: locationValue,
  entersOn: dayOrNone,
  forwarding: line(300),
  ownerName: line(120),
  ownerEmail: emailOrNone,
}
type AddressValues = z.output<z.ZodMiniObject<typeof addressFields>>

const text = z.string()
/**
 * Fields that the rules below need. The rules run only if all of them are present, so that a missing field causes only
 * one error.
 */
const checked = z.object({
  ...{ kind, leaves: locationValue, enters: locationValue },
  ...{ leavesOn: text, entersOn: text, ownerName: text, ownerEmail: text },
})
const needs = (holds: (move: AddressValues) => boolean, path: keyof AddressValues, error: string) =>
  z.refine<AddressValues>(holds, { path: [path], error, when: ({ value }) => checked.safeParse(value).success })
const checks = [
  needs(
    (move) => !leaves(move.kind) || move.leavesBy !== 'address' || move.leaves.text !== '',
    'leaves',
    'Enter the address that you are leaving.',
  ),
  needs((move) => !leaves(move.kind) || move.leavesOn !== '', 'leavesOn', 'Choose your move-out date.'),
  needs((move) => !enters(move.kind) || move.enters.text !== '', 'enters', 'Enter the address that you are moving to.'),
  needs((move) => !enters(move.kind) || move.entersOn !== '', 'entersOn', 'Choose your move-in date.'),
  needs((move) => move.ownerEmail === '' || move.ownerName !== '', 'ownerName', "Enter the owner's name."),
] as const
export const addressesForm = z.object(addressFields).check(...checks)

const NOT_CHOSEN = 'Choose the address from the list. If it is not there, choose “My address is not in the list”.'
/**
 * True if the address is empty, chosen from the list, or confirmed as typed. Other text can match several addresses.
 * Another rule reports an empty address.
 */
const isFinished = ({ text, addressId, lat, asTyped }: LocationValue): boolean =>
  text === '' || addressId !== null || lat !== null || asTyped === true

const OUTSIDE = 'Choose a day in the range shown.'
export const CLOSED = 'The office is closed on this day. Choose another day.'
/**
 * Returns an address form that accepts only these days. The form reports an unavailable day immediately, not after the
 * last step.
 */
export const addressesFormOn = (days: OpenDays) =>
  addressesForm.check(
    needs((move) => !leaves(move.kind) || move.leavesBy !== 'address' || isFinished(move.leaves), 'leaves', NOT_CHOSEN),
    needs((move) => !enters(move.kind) || isFinished(move.enters), 'enters', NOT_CHOSEN),
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

export const DOCUMENTS_MISSING = 'Attach the required documents.'
/**
 * Returns the contact form for a municipality that requires these documents. `documents` is empty if it requires none.
 */
export const contactFormWith = (documents: string) =>
  documents === ''
    ? contactForm
    : contactForm.check(
        z.refine(({ files }) => (files ?? []).length > 0, { error: DOCUMENTS_MISSING, path: ['files'] }),
      )

/** Returns the options that the caller has in the move form. */
export const moveChoices = endpoint({
  path: 'return/relocate/choices',
  summary: 'Returns the selectable days and accounts for a move request',
  access: everybody,
  keepsSession: true,
  body: z.object({}),
  response: z.object({
    signInFirst: z.boolean(),
    first: z.string(),
    last: z.string(),
    leadDays: z.int(),
    /** Days in the range on which the office is closed. */
    closed: z.array(z.string()),
    /** Linked utility accounts of the caller. `autopay` is true if AutoPay of the account is on. */
    accounts: z.array(z.object({ id: z.number(), number: z.string(), premise: z.string(), autopay: z.boolean() })),
    /** Number of days for which AutoPay continues after the person's last day at the address. */
    autopayDays: z.int(),
    /** Documents that the company requires. Empty if none. */
    documents: z.string(),
    prefill: z.object({ name: z.string(), email: z.string(), phone: z.string() }),
  }),
})

export const sendMove = endpoint({
  path: 'send/relocate/move',
  summary: 'Sends a move request and emails its number',
  access: everybody,
  keepsSession: true,
  idempotent: true,
  body: z.object({ ...addressFields, ...contact, files: fileIds }).check(reachable, ...checks),
  response: z.extend(done, { number: z.string(), token: z.string() }),
})

const moveDetails = z.object({
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
export type MoveDetails = z.output<typeof moveDetails>

const fee = z.object({ title: z.string(), amountCents: cents, paidCents: cents, canPay: z.boolean() })

export const moveByLink = endpoint({
  path: 'return/relocate/move',
  whenOff: 'finish',
  summary: 'Returns a move request by emailed link',
  access: everybody,
  body: z.object({ token: mailedToken }),
  response: z.extend(moveDetails, {
    forwarding: z.string(),
    ownerName: z.string(),
    ownerAnswer: z.enum(['none', 'asked', 'agreed', 'refused']),
    /** Deposit or fee. Null if the move is free. */
    fee: z.nullable(fee),
    /** Message about the account's AutoPay and the final bill. Empty if AutoPay is off. */
    autopay: z.string(),
    can: z.object({ withdraw: z.boolean() }),
  }),
})

export const payMoveFee = endpoint({
  path: 'pay/relocate/move',
  whenOff: 'finish',
  summary: 'Opens a checkout for a move fee or adds it to `cart`',
  access: everybody,
  whileImpersonating: 'refused',
  idempotent: 'offered',
  body: z.object({ token: mailedToken, cart: intoCart }),
  response: z.object({ token: z.string() }),
})

export const withdrawMove = formCall({
  path: 'withdraw/relocate/move',
  whenOff: 'finish',
  summary: 'Withdraws a pending move request by emailed link',
  access: everybody,
  body: z.object({ token: mailedToken }),
})

export const myMoves = endpoint({
  path: 'return/my/moves',
  summary: "Returns the caller's move requests",
  access: { audience: 'citizen' },
  body: z.object({}),
  response: z.object({ moves: z.array(moveDetails) }),
})

export const openMyMove = endpoint({
  path: 'open/my/move',
  whenOff: 'finish',
  summary: "Returns a page token for one of the caller's move requests",
  access: { audience: 'citizen' },
  body: z.object({ moveId: rowId }),
  response: z.object({ token: z.string() }),
})

const ownerToken = z
  .string()
  .check(z.regex(/^[\w-]{20,100}$/, 'This link is incomplete. Open the full link from your email.'))

/**
 * Returns the data shown to an owner who is asked to agree: name, address and date. The response includes no other data
 * of the requester.
 */
export const ownerRequest = endpoint({
  path: 'return/relocate/owner',
  whenOff: 'finish',
  summary: "Returns the request for a property owner's agreement by emailed link",
  access: everybody,
  body: z.object({ token: ownerToken }),
  response: z.object({
    number: z.string(),
    ownerName: z.string(),
    name: z.string(),
    premise: z.string(),
    on: z.string(),
    isComing: z.boolean(),
    response: z.enum(['asked', 'agreed', 'refused']),
    open: z.boolean(),
  }),
})

export const ownerForm = z.object({
  agrees: z.enum(['yes', 'no'], { error: 'Choose whether you agree.' }),
  standsIn: z.boolean(),
  signed: line(120).check(z.minLength(3, 'Enter your full name.')),
})
export const answerAsOwner = formCall({
  path: 'answer/relocate/owner',
  whenOff: 'finish',
  summary: 'Records the agreement or refusal of a property owner',
  access: everybody,
  whileImpersonating: 'refused',
  body: z.extend(ownerForm, { token: ownerToken }),
})

export const staffMove = endpoint({
  path: 'muni/return/move',
  summary: 'Returns a move request with its messages and responsible parties',
  access: viewAccess,
  personal: true,
  body: ofCase,
  response: z.extend(caseView, {
    move: z.extend(moveDetails, {
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
        premise: z.string(),
        parties: z.array(
          z.object({
            party: z.enum(['resident', 'owner', 'company']),
            name: z.string(),
            from: z.nullable(z.string()),
            until: z.nullable(z.string()),
          }),
        ),
      }),
    ),
    fee: z.nullable(fee),
    /** Newest meter reading of the account that the requester leaves. Null if it has no readings or several meters. */
    lastRead: z.nullable(z.object({ reading: z.number(), on: z.string() })),
    /** Message about the account's AutoPay and the final bill. Empty if AutoPay is off. */
    autopay: z.string(),
    /** Work orders for the meter readings, newest first. */
    orders: z.array(z.object({ id: z.number(), number: z.string(), status: orderStates.state })),
    can: z.extend(caseView.shape.can, { complete: z.boolean(), changeDays: z.boolean() }),
  }),
})

const READ = 'Enter the reading shown on the meter, such as 613.5.'
const read = z.string().check(cleaned(), z.regex(/^(?:\d{1,12}(?:\.\d{1,3})?)?$/, READ))
export const completeForm = z.object({
  finalRead: read,
  firstRead: read,
  /** True if a final reading below the last one is correct, because the meter was replaced or rolled over. */
  isBelow: z._default(z.boolean(), false),
})
export const completeMove = formCall({
  path: 'muni/complete/move',
  summary: 'Completes a move request with its meter readings',
  access: change,
  body: z.extend(ofCase, completeForm.shape),
})

export const daysForm = z.object({ leavesOn: dayOrNone, entersOn: dayOrNone })
export const changeMoveDays = formCall({
  path: 'muni/change/move/days',
  summary: 'Changes the days of a move request',
  access: change,
  body: z.extend(ofCase, { ...daysForm.shape, basis }),
})

const whole = (min: number, max: number, errorText: string) =>
  z.int({ error: errorText }).check(z.minimum(min, errorText), z.maximum(max, errorText))
export const settingsForm = z
  .object({
    forGuests: z.boolean(),
    leadDays: whole(0, 60, 'Enter a number of days from 0 to 60.'),
    farthestDays: whole(1, 366, 'Enter a number of days from 1 to 366.'),
    readsBy: z.nullable(rowId),
    autopayDays: whole(0, 180, 'Enter a number of days from 0 to 180.'),
    feeTypeId: z.nullable(rowId),
    documents: line(300),
  })
  .check(
    z.refine(({ leadDays, farthestDays }) => leadDays <= farthestDays, {
      path: ['farthestDays'],
      error: 'Enter at least as many days as the minimum notice.',
    }),
  )
export const movingSettings = endpoint({
  path: 'muni/return/move/settings',
  summary: 'Returns the settings for move requests',
  access: viewAccess,
  body: z.object({ companyId }),
  response: z.object({
    settings: settingsForm,
    departments: z.array(z.object({ id: z.number(), name: z.string() })),
    /** Payment types that can serve as the move-in fee. */
    fees: z.array(z.object({ id: z.number(), name: z.string() })),
    can: z.object({ edit: z.boolean() }),
  }),
})
export const saveMovingSettings = formCall({
  path: 'muni/save/move/settings',
  summary: 'Saves the settings for move requests',
  access: change,
  body: z.safeExtend(settingsForm, { companyId, basis }),
})
