import * as z from 'zod/mini'
import { describe } from './method-label.ts'
import type { Setup, StoredMethod } from './provider.ts'

/** Card or bank account in a response of the sandbox gateway. */
export const methodResponse = z.object({
  type: z.string(),
  brand: z.nullish(z.string()),
  last4: z.nullish(z.string()),
  bank_name: z.nullish(z.string()),
  account_type: z.nullish(z.union([z.string(), z.number()])),
})

export const storedMethodAnswer = z.object({
  ...methodResponse.shape,
  id: z.string(),
  type: z.enum(['card', 'echeck']),
  exp_month: z.nullable(z.int()),
  exp_year: z.nullable(z.int()),
})

export const setupAnswer = z.object({
  id: z.string(),
  customer: z.string(),
  error: z.nullable(z.object({ code: z.string(), message: z.string() })),
  next_action: z.nullable(z.object({ url: z.string() })),
  payment_method: z.nullable(storedMethodAnswer),
})

export const storedMethod = (answer: z.output<typeof storedMethodAnswer>): StoredMethod => ({
  id: answer.id,
  method: answer.type,
  methodLabel: describe(answer),
  expires:
    answer.exp_month !== null && answer.exp_year !== null ? { month: answer.exp_month, year: answer.exp_year } : null,
  bankName: answer.bank_name ?? null,
})

export function setup({ id, customer, error, next_action, payment_method }: z.output<typeof setupAnswer>): Setup {
  if (payment_method) return { status: 'succeeded', customer, stored: storedMethod(payment_method) }
  if (next_action) return { status: 'requires_action', id, actionUrl: next_action.url }
  return { status: 'failed', error: error ?? { code: 'unknown', message: '' } }
}
