import * as z from 'zod/mini'
import { done } from '../../shared/responses.ts'
import { companyId, rowId } from '../../shared/body-parts.ts'
import { endpoint, formCall } from '../../shared/endpoint.ts'
import { cents } from '../../shared/money.ts'
import { checkoutToken, paymentBody } from '../payments/contract.ts'
import { deferredPaymentStates } from './states.ts'

/** Outage shown on the checkout: its start, the second provider, and the payer's choice. */
export const checkoutOutage = z.object({
  /** Start of the outage. Null if payments work. */
  since: z.nullable(z.string()),
  second: z.boolean(),
  deferred: z.nullable(
    z.object({
      status: z.enum([
        'noted',
        'waiting',
        'charging',
        'reminded',
        'paid',
        'failed',
        'not_owed',
        'changed',
        'withdrawn',
      ]),
      action: z.enum(['note', 'charge', 'remind', 'autopay']),
      at: z.string(),
      methodLabel: z.string(),
      totalCents: cents,
      email: z.string(),
    }),
  ),
})

export type CheckoutOutage = z.output<typeof checkoutOutage>

/** Records the choice of a payer who cannot pay during an outage. */
export const deferPayment = formCall({
  path: 'defer/payment',
  summary: 'Records a deferred payment during a provider outage',
  access: { audience: 'public' },
  keepsSession: true,
  whileImpersonating: 'refused',
  body: z.extend(paymentBody, { action: z.enum(['note', 'charge', 'remind']) }),
})

export const withdrawDeferredPayment = formCall({
  path: 'withdraw/deferred/payment',
  summary: 'Withdraws a deferred payment before it runs',
  access: { audience: 'public' },
  whileImpersonating: 'refused',
  body: z.object({ token: checkoutToken }),
})

const deferred = z.object({
  reference: z.string(),
  status: deferredPaymentStates.state,
  action: z.enum(['note', 'charge', 'remind', 'autopay']),
  methodLabel: z.string(),
  totalCents: cents,
  at: z.string(),
})

/** Returns whether card and bank account payments work, and the caller's deferred payments. */
export const paymentStatus = endpoint({
  path: 'return/payment/status',
  summary: "Returns the payment outage status and the caller's deferred payments",
  access: { audience: 'public' },
  body: z.object({}),
  response: z.object({
    /** Start of the outage. Null if payments work. */
    since: z.nullable(z.string()),
    /** True if a second provider accepts new payments during the outage. */
    second: z.boolean(),
    /** Last outage, if it ended within the past few days. */
    lastEnded: z.nullable(z.object({ since: z.string(), until: z.string() })),
    deferred: z.array(z.extend(deferred, { id: z.number(), path: z.string() })),
  }),
})

/** Returns the current outage, for staff screens that take or show payments. */
export const outageNow = endpoint({
  path: 'muni/return/payment/outage',
  summary: 'Returns the current payment outage of a company',
  access: { audience: ['municipality', 'platform'], privilege: ['payments', 'view'] },
  body: z.object({ companyId }),
  response: z.object({
    outage: z.nullable(
      z.object({ since: z.string(), provider: z.string(), second: z.nullable(z.string()), tried: z.int() }),
    ),
  }),
})

/** Lists the payment attempts and deferred payments of people who tried to pay during an outage. */
export const outageTries = endpoint({
  path: 'muni/return/payment/outage/tries',
  summary: 'Returns a payment outage with its attempts and deferred payments',
  access: { audience: ['municipality', 'platform'], privilege: ['payments', 'view'] },
  personal: true,
  body: z.object({ companyId, id: rowId }),
  response: z.object({
    since: z.string(),
    until: z.nullable(z.string()),
    provider: z.string(),
    /** Last day before payers who tried to pay count as late. */
    graceUntil: z.nullable(z.string()),
    relapses: z.int(),
    count: z.int(),
    /** Newest attempts. `count` is the number of all attempts. */
    tries: z.array(
      z.object({
        at: z.string(),
        reference: z.string(),
        payer: z.string(),
        cents,
        paymentId: z.nullable(z.number()),
        action: z.nullable(z.enum(['note', 'charge', 'remind', 'autopay'])),
        status: z.nullable(deferredPaymentStates.state),
      }),
    ),
  }),
})

/** Sets the provider that accepts new payments during an outage of the first one. */
export const chooseSecondProvider = formCall({
  path: 'muni/choose/second/provider',
  summary: 'Sets the second provider for new payments during an outage',
  access: { audience: ['municipality', 'platform'], privilege: ['settings', 'update'] },
  whileOffline: true,
  whileImpersonating: 'refused',
  body: z.object({ companyId, provider: z.nullable(z.string()) }),
  response: done,
})
