import * as z from 'zod/mini'
import { Refused } from './refused.ts'

const MAX_CENTS = 999_999_999

/**
 * Amount in cents. The limit of nine digits fits a bank file, where an entry has ten digits and the total of a day has
 * twelve.
 */
const amount = z.int().check(z.minimum(1), z.maximum(MAX_CENTS))
export const idString = z.string().check(z.maxLength(100))
const text = z._default(z.string().check(z.maxLength(300)), '')

/** Creates the body schema of a new intent, for the payment methods of a provider. */
export const newIntentOf = <M extends z.ZodMiniType>(method: M) =>
  z.object({
    amount_cents: amount,
    fee_cents: z._default(z.int().check(z.minimum(0), z.maximum(MAX_CENTS)), 0),
    method,
    description: text,
    metadata: z._default(z.record(z.string(), z.string().check(z.maxLength(500))), {}),
  })

/**
 * Checks that the fee does not exceed the amount that includes it.
 * @throws Refused if it does
 */
export function expectFeeInAmount({ amount_cents, fee_cents }: { amount_cents: number; fee_cents: number }): void {
  if (fee_cents > amount_cents) throw new Refused(400, 'malformed', 'The fee is a part of the amount.')
}

export const newRefund = z.object({
  intent: z.string(),
  amount_cents: amount,
  reason: text,
  metadata: z._default(z.record(z.string(), z.unknown()), {}),
})
export type NewRefund = z.output<typeof newRefund>

/** Authorization by the account owner: text, time and device. The network's rules require it as proof. */
export const mandate = z.object({
  accepted_at: z.iso.datetime(),
  ip_address: z.string().check(z.maxLength(100)),
  user_agent: z._default(z.string().check(z.maxLength(500)), ''),
  text: z.string().check(z.minLength(1), z.maxLength(5000)),
})
