import * as z from 'zod/mini'
import { done } from '../../shared/responses.ts'
import { defineAttachments } from '../../shared/attachments.ts'
import { type Access, endpoint } from '../../shared/endpoint.ts'
import { importFields, importReport } from '../../shared/imports.ts'
import { cents, MAX_CENTS } from '../../shared/money.ts'
import { lockboxStates } from './states.ts'
import { companyId, rowId } from '../../shared/body-parts.ts'

const viewAccess: Access = { audience: 'municipality', privilege: ['payments', 'view'] }
const take: Access = { audience: 'municipality', privilege: ['payments', 'create'] }

export const lockboxFiles = defineAttachments({
  kind: 'lockbox-file',
  subject: 'lockbox_payment',
  accepts: [],
  maxBytes: 5 * 1024 * 1024,
  maxFiles: 1,
  unsupportedType: 'Upload a CSV or XLSX file.',
  unnamed: 'lockbox payments',
  access: take,
})

/**
 * Import report. New payments matched to an account count as created, and new payments that need review as changed.
 * Payments that an earlier import already added count as unchanged.
 */
const lockboxReport = z.extend(importReport, { createdCents: cents, changedCents: cents })
export type LockboxReport = z.output<typeof lockboxReport>

export const importLockboxFile = endpoint({
  path: 'muni/import/lockbox/file',
  summary: 'Imports a file of lockbox payments or previews it',
  access: take,
  files: lockboxFiles,
  whileImpersonating: 'refused',
  body: z.object({
    companyId,
    mode: importFields.mode,
    // By default, invalid lines are skipped, so that they do not delay the valid lines. Each trace number is imported
    // only once, so a corrected file adds only the missing lines.
    rowErrors: z._default(z.enum(['refuse', 'leave out']), 'leave out'),
  }),
  response: lockboxReport,
})

export const unpostedPayments = endpoint({
  path: 'muni/return/lockbox/unposted',
  whenOff: 'finish',
  summary: 'Returns the number of lockbox payments awaiting review',
  access: viewAccess,
  body: z.object({}),
  response: z.object({ unposted: z.int() }),
})

export const lockboxPayment = endpoint({
  path: 'muni/return/lockbox/payment',
  whenOff: 'finish',
  summary: 'Returns a lockbox payment',
  access: viewAccess,
  personal: true,
  body: z.object({ id: rowId }),
  response: z.object({
    id: z.number(),
    trace: z.string(),
    file: z.string(),
    receivedAt: z.string(),
    paidOn: z.string(),
    account: z.string(),
    payer: z.string(),
    amountCents: cents,
    currency: z.string(),
    state: lockboxStates.state,
    reason: z.string(),
    paymentId: z.nullable(z.number()),
    can: z.record(lockboxStates.button, z.boolean()),
    mayAssign: z.boolean(),
  }),
})

export const assignLockboxPayment = endpoint({
  path: 'muni/assign/lockbox/payment',
  whenOff: 'finish',
  summary: 'Posts a waiting lockbox payment to an open item',
  access: take,
  whileImpersonating: 'refused',
  body: z.object({
    id: rowId,
    kind: z.string().check(z.maxLength(40)),
    payableId: rowId,
    /**
     * Reason for posting to an account that is not in the payer's name. Without a reason, the server refuses the
     * posting (422 with `reason`).
     */
    reason: z.optional(z.string().check(z.trim(), z.maxLength(300, 'Enter up to 300 characters.'))),
    /** Amount in US cents that the bank credited for a payment in another currency. */
    dollarsCents: z.optional(cents.check(z.minimum(1, 'Enter an amount, such as 25.00.'), z.maximum(MAX_CENTS))),
  }),
  response: done,
})

export const transitionLockboxPayment = endpoint({
  path: 'muni/transition/lockbox/payment',
  whenOff: 'finish',
  summary: 'Marks a waiting lockbox payment as returned with a reason',
  access: take,
  whileImpersonating: 'refused',
  body: z.object({
    id: rowId,
    event: lockboxStates.button,
    reason: z.string().check(z.trim(), z.maxLength(300, 'Enter up to 300 characters.')),
  }),
  response: done,
})
