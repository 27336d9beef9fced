import * as z from 'zod/mini'
import { done, companyFields } from '../../shared/responses.ts'
import { type Access, endpoint, formCall } from '../../shared/endpoint.ts'
import type { Permission } from '../../shared/privileges.ts'
import { email } from '../../shared/email.ts'
import { isoDate } from '../../shared/iso-date.ts'
import { cents, signedCents } from '../../shared/money.ts'
import { tableResponse, tableQuery } from '../../shared/table.ts'
import { parcelDetails } from '../places/contract.ts'
import { companyId, rowId } from '../../shared/body-parts.ts'
import { triedFact } from '../outages/contract-attempts.ts'
import { cleaned } from '../../shared/typed.ts'

const text = z._default(z.string().check(z.trim(), z.maxLength(100, 'Enter up to 100 characters.')), '')

/** Search text for an email address or a number. */
const identifier = z._default(z.string().check(cleaned(), z.maxLength(100, 'Enter up to 100 characters.')), '')

/** Minimum length of a search field. Shorter search texts match too many people. */
export const MIN_LENGTH = 3

const smallId = z.int().check(z.minimum(1), z.maximum(2_147_483_647))

/**
 * Filters of the search (spec 2.18). Mode `customer` searches utility accounts of all companies. With `profiles`, this
 * mode searches residents without an account. Mode `user` searches the people of one company, including staff.
 */
const lookupFilters = z.object({
  mode: z._default(z.enum(['customer', 'user']), 'customer'),
  companyId: z.optional(smallId),
  profiles: z._default(z.boolean(), false),
  email: identifier,
  name: text,
  serviceAddress: text,
  phone: identifier,
  accountNumber: identifier,
})

const allow = (permission: Permission): Access => ({ audience: 'platform', privilege: ['user_management', permission] })

/**
 * `id` is the account's id. In lists of people, `id` is the person's id. `user_id` is null if no one has linked the
 * account.
 */
const lookupRow = z.object({
  id: z.number(),
  ...companyFields,
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
 * Finds customers and users of all companies by parts of their data. Returns no rows if every filter is too short.
 * Reads at most 1,000 matches.
 */
export const lookup = endpoint({
  path: 'admin/look/up/customers',
  summary: 'Lists the matching customers and users of all companies',
  access: allow('view'),
  scope: 'none',
  personal: true,
  body: tableQuery(['name'], lookupFilters),
  response: tableResponse(lookupRow, z.null()),
})

const ofPerson = z.object({
  companyId: smallId,
  personId: rowId,
})

/** Unlocks a person who was locked or entered too many wrong passwords. */
export const unlockUser = endpoint({
  path: 'admin/unlock/user',
  summary: "Unlocks a person's account",
  access: allow('deactivate'),
  body: ofPerson,
  response: done,
})

export const resendConfirmation = endpoint({
  path: 'admin/send/confirmation/email',
  summary: 'Emails a person a new confirmation link',
  access: allow('update'),
  whileImpersonating: 'refused',
  body: ofPerson,
  response: done,
})

const accountId = rowId
const ofAccount = { companyId, accountId }

/** Returns one utility account for staff who help its customer: bills, payments and amount due. */
export const customerAccount = endpoint({
  path: 'muni/return/utility/customer',
  summary: 'Returns a utility account with its bills and payments',
  access: { audience: 'municipality', privilege: ['customers', 'view'] },
  personal: true,
  body: z.object(ofAccount),
  response: z.object({
    number: z.string(),
    name: z.string(),
    email: z.string(),
    phone: z.string(),
    address: z.string(),
    /** In cents. Negative is a credit. */
    owedCents: signedCents,
    pendingCents: cents,
    linkedBy: z.array(z.string()),
    /** Details of the newest link code that staff created, without the code itself. */
    linkCode: z.nullable(
      z.object({
        madeAt: z.string(),
        madeBy: z.string(),
        expiresAt: z.string(),
        usedAt: z.nullable(z.string()),
      }),
    ),
    /** A scheduled or completed shutoff. */
    shutoff: z.nullable(
      z.object({
        state: z.enum(['scheduled', 'off']),
        on: z.string(),
        amountCents: z.nullable(cents),
        reason: z.string(),
        tried: triedFact,
      }),
    ),
    /** Last attempt to pay the account during an outage. */
    tried: triedFact,
    /** Balance changes between bills. Negative is a credit. */
    adjustments: z.array(
      z.object({ number: z.string(), date: z.string(), amountCents: signedCents, reason: z.string() }),
    ),
    /** Description of the AutoPay enrollment. Empty without an enrollment. */
    autopay: z.string(),
    bills: z.array(z.object({ number: z.string(), date: z.string(), dueDate: z.string(), amountCents: signedCents })),
    payments: z.array(
      z.object({
        number: z.string(),
        at: z.string(),
        state: z.enum(['pending', 'paid', 'refunded']),
        amountCents: cents,
        refundCents: cents,
      }),
    ),
    can: z.object({ sendLink: z.boolean() }),
  }),
})

/**
 * Returns one property: its parcel, its utility accounts with their dates, and the open items for its parcel number.
 */
export const returnProperty = endpoint({
  path: 'muni/return/property',
  summary: 'Returns a property with its utility accounts and open items',
  access: { audience: 'municipality', privilege: ['customers', 'view'] },
  personal: true,
  body: z.object({
    companyId,
    parcelId: rowId,
  }),
  response: z.extend(parcelDetails, {
    /** Latest billed accounts first. `since` and `until` are the first and last billed day. */
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
    /** Open items of general payments, for example a tax. */
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

/** Emails a link for paying the account. Anyone with the link can use it for 30 days. */
export const sendPaymentLink = formCall({
  path: 'muni/send/payment/link',
  summary: 'Emails a link for paying a utility account',
  access: { audience: 'municipality', privilege: ['customers', 'update'] },
  whileImpersonating: 'refused',
  body: z.extend(paymentLinkForm, ofAccount),
})

const invite: Access = { audience: 'municipality', privilege: ['customers', 'create'] }

/** Counts the imported residents without an invitation. */
export const returnCustomerInvitations = endpoint({
  path: 'muni/return/customer/invitations',
  summary: 'Counts the imported residents who wait for an invitation',
  access: invite,
  body: z.object({ companyId }),
  response: z.object({ count: z.int() }),
})

/** Emails each imported resident a link that sets a password. Never invites a resident twice. */
export const sendCustomerInvitations = endpoint({
  path: 'muni/send/customer/invitations',
  summary: 'Emails invitations to imported residents',
  access: invite,
  whileImpersonating: 'refused',
  body: z.object({ companyId }),
  response: done,
})
