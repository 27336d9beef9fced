import * as z from 'zod/mini'

/**
 * What a page needs to show a payment provider's card and bank fields: a page of the provider's in a frame (`script` is
 * null), or what a script of the provider's makes.
 */
export const paymentFields = z.object({
  /** Where they come from; empty where the portal is not connected to the provider. */
  origin: z.string(),
  /** What the provider calls the town; empty while the provider can't be reached. */
  account: z.string(),
  /** No money moves. */
  test: z.boolean(),
  script: z.nullable(z.object({ url: z.string(), key: z.string() })),
})

export type PaymentFields = z.output<typeof paymentFields>
