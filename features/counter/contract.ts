import * as z from 'zod/mini'
import { done } from '../../shared/responses.ts'
import { type Access, endpoint, formCall } from '../../shared/endpoint.ts'
import { EMAIL_INVALID } from '../../shared/email.ts'
import { stepReason } from '../../shared/machine.ts'
import { cents, MAX_CENTS, signedCents } from '../../shared/money.ts'
import { denominations } from './rules.ts'
import { drawerStates } from './states.ts'
import { basis, companyId, rowId } from '../../shared/body-parts.ts'
import { paymentFields } from '../../shared/payment-fields.ts'
import { cleaned } from '../../shared/typed.ts'

const access: Access = { audience: 'municipality', privilege: ['counter', 'create'] }

const COUNT = 'Enter the number of bills or coins as a whole number.'
const counts = z
  .record(z.string(), z.int(COUNT).check(z.minimum(0, COUNT), z.maximum(100_000, COUNT)))
  .check(
    z.refine((input) => Object.keys(input).every((value) => denominations.includes(Number(value) as never)), COUNT),
  )

/** A payment in a drawer, as shown on the drawer's day sheet. */
const counterPayment = z.object({
  paymentId: z.number(),
  receipt: z.string(),
  at: z.string(),
  payer: z.string(),
  reference: z.string(),
  method: z.int(),
  methodLabel: z.string(),
  totalCents: cents,
  changeCents: cents,
  status: z.int(),
})

const sheet = z.object({
  id: z.number(),
  status: drawerStates.state,
  cashier: z.string(),
  openedAt: z.string(),
  openingCents: cents,
  closedAt: z.nullable(z.string()),
  /** Null while the drawer is open, because the person who counts must not know the expected cash. */
  closingCents: z.nullable(cents),
  closingCounts: z.nullable(z.record(z.string(), z.int())),
  expectedCents: z.nullable(signedCents),
  note: z.string(),
  /** Values at the close of the drawer. For an open drawer, the current values. */
  payments: z.array(counterPayment),
  /** Voids that this staff member made while this drawer was open, for payments in drawers that were already closed. */
  laterVoids: z.array(z.object({ paymentId: z.number(), receipt: z.string(), at: z.string(), totalCents: cents })),
  /** Changes to payments after the drawer closed. They are not part of its day sheet. */
  since: z.array(z.object({ paymentId: z.number(), receipt: z.string(), totalCents: cents, status: z.int() })),
  corrections: z.array(
    z.object({ id: z.number(), at: z.string(), by: z.string(), cents: signedCents, reason: z.string() }),
  ),
})
export type Sheet = z.output<typeof sheet>

export const myDrawer = endpoint({
  path: 'muni/return/counter',
  summary: "Returns the caller's open drawer and its pending voids",
  access,
  personal: true,
  body: z.object({ companyId }),
  response: z.object({
    drawer: z.nullable(sheet),
    /** Pending voids of payments in this drawer, requested by other staff. The drawer's owner must approve them. */
    voids: z.array(
      z.object({
        refundId: z.number(),
        paymentId: z.number(),
        receipt: z.string(),
        cents,
        requestedBy: z.string(),
        reason: z.string(),
      }),
    ),
  }),
})

export const agreeToVoid = endpoint({
  path: 'muni/agree/void',
  summary: "Approves or declines a void from the caller's open drawer",
  access,
  whileImpersonating: 'refused',
  idempotent: 'offered',
  body: z.object({ companyId, refundId: rowId, agree: z.boolean(), reason: z.optional(stepReason) }),
  response: done,
})

export const MIN_LENGTH = 3

/** Finds open items of every searchable type, by number, name or address. */
export const findPayables = endpoint({
  path: 'muni/find/counter/payables',
  summary: 'Finds items to pay by number, name or address',
  access,
  personal: true,
  body: z.object({
    companyId,
    search: z.string().check(z.trim(), z.maxLength(100, 'Enter up to 100 characters.')),
  }),
  response: z.object({
    matches: z.array(
      z.object({
        kind: z.string(),
        id: z.number(),
        label: z.string(),
        reference: z.string(),
        name: z.string(),
        description: z.string(),
        owedCents: signedCents,
        takesCredit: z.boolean(),
      }),
    ),
    /** True if more items match than are shown. */
    more: z.boolean(),
  }),
})

export const openDrawer = formCall({
  path: 'muni/open/drawer',
  summary: 'Opens a cash drawer with its opening count',
  access,
  whileImpersonating: 'refused',
  body: z.object({ companyId, counts }),
})

export const closeDrawer = formCall({
  path: 'muni/close/drawer',
  summary: 'Closes a cash drawer and records its over/short amount',
  access,
  whileImpersonating: 'refused',
  body: z.object({
    companyId,
    drawerId: rowId,
    counts,
    note: z._default(z.string().check(z.trim(), z.maxLength(300, 'Enter up to 300 characters.')), ''),
  }),
  response: z.extend(done, { drawerId: z.number() }),
})

export const correctionForm = z.object({ countedCents: cents, reason: stepReason })

export const correctDrawer = formCall({
  path: 'muni/correct/drawer',
  summary: 'Records a correction to the count of a closed drawer',
  access: { ...access, privilege: ['counter', 'delete'] },
  whileImpersonating: 'refused',
  /** `basis` has `countedCents`: the count, including earlier corrections, that the person saw. */
  body: z.extend(correctionForm, { companyId, drawerId: rowId, basis }),
  response: done,
})

/** Payment method and tender as typed. */
export const tenderForm = z.object({
  method: z.union([z.literal(3), z.literal(4), z.literal(5)]),
  tenderedCents: cents.check(z.minimum(1, 'Enter an amount, such as 25.00.')),
  number: z.string().check(cleaned(), z.maxLength(30, 'Enter up to 30 letters and digits.')),
  email: z
    .string()
    .check(
      cleaned(),
      z.maxLength(254, EMAIL_INVALID),
      z.regex(/^(?:[^\s@\p{C}]+@[^\s@\p{C}]+\.[^\s@.\p{C}]+)?$/u, EMAIL_INVALID),
    ),
})

const pays = z
  .array(
    z.object({
      kind: z.string().check(z.maxLength(40)),
      id: rowId,
      amountCents: cents.check(z.minimum(1, 'Enter an amount, such as 25.00.'), z.maximum(MAX_CENTS)),
      /**
       * Amount due that the staff member saw. The call fails with 409 `seen_otherwise` if the amount has changed, for
       * example after another payment.
       */
      seenCents: z.optional(signedCents),
      /** Amount that staff confirmed. Required if it exceeds the amount due. */
      confirmedCents: z.optional(cents),
    }),
  )
  .check(z.minLength(1, 'Choose the items to pay.'), z.maxLength(20, 'Add up to 20 items to one payment.'))

/** Takes one payment for several items. A repeated call with the same key returns the first response. */
export const takePayment = endpoint({
  path: 'muni/take/counter/payment',
  summary: 'Records a cash or check payment at the counter',
  access,
  idempotent: true,
  whileImpersonating: 'refused',
  body: z.extend(tenderForm, {
    companyId,
    drawerId: rowId,
    pays,
  }),
  response: z.extend(done, { paymentId: z.number(), receipt: z.string(), totalCents: cents, changeCents: cents }),
})

export const daySheet = endpoint({
  path: 'muni/return/drawer',
  summary: 'Returns the day sheet of a cash drawer',
  access: { audience: ['municipality', 'platform'], privilege: ['counter', 'view'] },
  personal: true,
  body: z.object({ companyId, drawerId: rowId }),
  response: z.object({ drawer: sheet, mayCorrect: z.boolean() }),
})

const methods = { cards: z.boolean(), checks: z.boolean() }

/** Payment methods at the company's counter other than cash and paper checks. */
export const cardReaders = endpoint({
  path: 'muni/return/card/readers',
  summary: 'Returns the card readers and payment methods of the counter',
  access,
  body: z.object({ companyId }),
  response: z.object({
    ...methods,
    /** `testUrl` is the page that simulates a sandbox reader. */
    readers: z.array(z.object({ id: z.string(), label: z.string(), testUrl: z.nullable(z.string()) })),
    /** Settings of the provider's hosted fields, in which staff enter the numbers of a check. */
    gateway: paymentFields,
  }),
})

export const readerForm = z.object({
  code: z.string().check(cleaned(), z.regex(/^[a-z0-9-]{4,60}$/i, 'Enter the code shown on the reader.')),
  label: z
    .string()
    .check(z.trim(), z.minLength(1, 'Enter a name for the reader.'), z.maxLength(60, 'Enter up to 60 characters.')),
})

export const pairCardReader = endpoint({
  path: 'muni/pair/card/reader',
  summary: 'Pairs a card reader by its displayed code',
  access,
  whileImpersonating: 'refused',
  body: z.extend(readerForm, { companyId }),
  response: done,
})

export const removeCardReader = endpoint({
  path: 'muni/remove/card/reader',
  summary: 'Removes a card reader from the counter',
  access,
  whileImpersonating: 'refused',
  body: z.object({ companyId, id: z.string().check(z.regex(/^[\w-]{4,60}$/, 'Choose a card reader.')) }),
  response: done,
})

const cardState = z.object({
  paymentId: z.number(),
  receipt: z.string(),
  totalCents: cents,
  state: z.enum(['waiting', 'working', 'processing', 'paid', 'declined', 'cancelled']),
  message: z.string(),
})

export const takeCardPayment = endpoint({
  path: 'muni/take/card/payment',
  summary: 'Starts a card reader or eCheck payment at the counter',
  access,
  idempotent: true,
  whileImpersonating: 'refused',
  body: z.object({
    companyId,
    drawerId: rowId,
    email: tenderForm.shape.email,
    pays,
    by: z.union([
      z.object({ reader: z.string().check(z.regex(/^[\w-]{4,60}$/, 'Choose a card reader.')) }),
      z.object({
        methodToken: z
          .string()
          .check(z.regex(/^(tok|pm)_[\w-]{8,80}$/, 'The bank details are missing. Enter them again.')),
      }),
    ]),
  }),
  response: cardState,
})

export const cardPayment = endpoint({
  path: 'muni/return/card/payment',
  summary: 'Returns the status of a card reader or eCheck payment',
  access,
  body: z.object({ companyId, paymentId: rowId }),
  response: cardState,
})

export const cancelCardPayment = endpoint({
  path: 'muni/cancel/card/payment',
  summary: 'Cancels a payment that awaits a card reader',
  access,
  whileImpersonating: 'refused',
  body: z.object({ companyId, paymentId: rowId }),
  response: cardState,
})
