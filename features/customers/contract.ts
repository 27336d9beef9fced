import * as z from 'zod/mini'
import { done, ofTown } from '../../shared/answers.ts'
import { type Access, endpoint, formCall } from '../../shared/endpoint.ts'
import type { Right } from '../../shared/privileges.ts'
import { email } from '../../shared/email.ts'
import { isoDate } from '../../shared/iso-date.ts'
import { cents, signedCents } from '../../shared/money.ts'
import { tableAnswer, tableQuery } from '../../shared/table.ts'
import { parcelFacts } from '../places/contract.ts'
import { companyId, rowId } from '../../shared/body-parts.ts'
import { triedFact } from '../payments/contract-tried.ts'
import { cleaned } from '../../shared/typed.ts'

const text = z._default(z.string().check(z.trim(), z.maxLength(100, 'Search for at most 100 characters.')), '')

/** The same of an email address or a number. */
const identifier = z._default(z.string().check(cleaned(), z.maxLength(100, 'Search for at most 100 characters.')), '')

/** A field counts from this many characters on: fewer find half of everybody. */
export const MIN_LENGTH = 3

const smallId = z.int().check(z.minimum(1), z.maximum(2_147_483_647))

/**
 * Specification 2.18. `customer` looks for utility accounts over all companies (with `profiles`: for residents who have
 * none); `user` for the people of one company, staff too.
 */
const lookUpFilters = z.object({
  mode: z._default(z.enum(['customer', 'user']), 'customer'),
  companyId: z.optional(smallId),
  profiles: z._default(z.boolean(), false),
  email: identifier,
  name: text,
  serviceAddress: text,
  phone: identifier,
  accountNumber: identifier,
})

const allow = (right: Right): Access => ({ audience: 'platform', privilege: ['user_management', right] })

/** `id` is the account's, or in lists of people the person's; `user_id` is null where nobody has linked the account. */
const found = z.object({
  id: z.number(),
  ...ofTown,
  user_id: z.nullable(z.number()),
  name: z.string(),
  email: z.string(),
  serviceAddress: z.string(),
  phone: z.string(),
  accountNumbers: z.array(z.string()),
  role: z.string(),
  status: z.enum(['', 'active', 'locked', 'inactive']),
  confirmed: z.boolean(),
  can: z.object({
    view: z.boolean(),
    impersonate: z.boolean(),
    unlock: z.boolean(),
    resend: z.boolean(),
    activity: z.boolean(),
  }),
})

/**
 * Customers and users of all companies, found by parts of what is known of them. Nothing that is long enough to look for
 * answers nothing; at most 1,000 that match are looked at.
 */
export const lookUp = endpoint({
  path: 'admin/look/up/customers',
  summary: 'Looks customers and users up over all municipalities',
  access: allow('view'),
  scope: 'none',
  personal: true,
  body: tableQuery(['name'], lookUpFilters),
  answer: tableAnswer(found, z.null()),
})

const ofPerson = z.object({
  companyId: smallId,
  personId: rowId,
})

/** Lets somebody sign in again who was locked, or who guessed wrong too often. */
export const unlockUser = endpoint({
  path: 'admin/unlock/user',
  summary: "Unlocks somebody's account",
  access: allow('deactivate'),
  body: ofPerson,
  answer: done,
})

export const resendConfirmation = endpoint({
  path: 'admin/send/confirmation/email',
  summary: 'Mails somebody the link that confirms their email once more',
  access: allow('update'),
  whileImpersonating: 'refused',
  body: ofPerson,
  answer: done,
})

const accountId = rowId
const ofAccount = { companyId, accountId }

/** One utility account with everything that staff need who help its customer: bills, payments, what is owed. */
export const customerAccount = endpoint({
  path: 'muni/return/utility/customer',
  summary: 'One utility account with its bills and payments',
  access: { audience: 'municipality', privilege: ['utility_management', 'view'] },
  personal: true,
  body: z.object(ofAccount),
  answer: z.object({
    number: z.string(),
    name: z.string(),
    email: z.string(),
    phone: z.string(),
    address: z.string(),
    /** Negative is a credit. */
    owedCents: signedCents,
    pendingCents: cents,
    linkedBy: z.array(z.string()),
    /** The newest code that staff made for it, without the code. */
    linkCode: z.nullable(
      z.object({
        madeAt: z.string(),
        madeBy: z.string(),
        expiresAt: z.string(),
        usedAt: z.nullable(z.string()),
      }),
    ),
    /** A shut-off that is scheduled or done. */
    shutoff: z.nullable(
      z.object({
        state: z.enum(['scheduled', 'off']),
        on: z.string(),
        amountCents: z.nullable(cents),
        reason: z.string(),
        tried: triedFact,
      }),
    ),
    /** That somebody tried to pay it while payments were out. */
    tried: triedFact,
    /** What changed the balance between bills; less than zero is a credit. */
    adjustments: z.array(
      z.object({ number: z.string(), date: z.string(), amountCents: signedCents, reason: z.string() }),
    ),
    /** In words; empty where nobody has it paid by itself. */
    autopay: z.string(),
    bills: z.array(z.object({ number: z.string(), date: z.string(), dueDate: z.string(), amountCents: signedCents })),
    payments: z.array(
      z.object({
        number: z.string(),
        at: z.string(),
        state: z.enum(['pending', 'paid', 'given_back']),
        amountCents: cents,
        backCents: cents,
      }),
    ),
    can: z.object({ sendLink: z.boolean() }),
  }),
})

/** One property of the town: its parcel, who has utility accounts there and since when, and what is open on its number. */
export const returnProperty = endpoint({
  path: 'muni/return/property',
  summary: 'One parcel with the utility accounts at its address and its open items',
  access: { audience: 'municipality', privilege: ['utility_management', 'view'] },
  personal: true,
  body: z.object({
    companyId,
    parcelId: rowId,
  }),
  answer: z.extend(parcelFacts, {
    /** Those that were billed last stand first; `since` and `until` are the first and the last day that was billed. */
    accounts: z.array(
      z.object({
        id: z.number(),
        number: z.string(),
        name: z.string(),
        address: z.string(),
        owedCents: signedCents,
        since: z.nullable(isoDate),
        until: z.nullable(isoDate),
      }),
    ),
    /** Of general payments: a tax, say. */
    openItems: z.array(
      z.object({
        title: z.string(),
        number: z.string(),
        name: z.string(),
        dueDate: z.nullable(isoDate),
        owedCents: cents,
      }),
    ),
  }),
})

export const paymentLinkForm = z.object({ email })

/** Mails somebody a link by which the account can be paid, by whoever has it, for 30 days. */
export const sendPaymentLink = formCall({
  path: 'muni/send/payment/link',
  summary: 'Mails a link by which a utility account can be paid',
  access: { audience: 'municipality', privilege: ['utility_management', 'update'] },
  whileImpersonating: 'refused',
  body: z.extend(paymentLinkForm, ofAccount),
})
