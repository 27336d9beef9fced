import * as z from 'zod/mini'

/**
 * Data that a page needs to show the payment provider's card and bank fields. If `script` is null, the fields are a
 * page of the provider, shown in a frame. Otherwise, the provider's script creates the fields.
 */
export const paymentFields = z.object({
  /** Origin that the fields are loaded from. Empty if the portal is not connected to the provider. */
  origin: z.string(),
  /** Account id of the company at the provider. Empty while the provider is unreachable. */
  account: z.string(),
  /** True if the provider is in test mode, in which no money moves. */
  test: z.boolean(),
  script: z.nullable(z.object({ url: z.string(), key: z.string() })),
})

export type PaymentFields = z.output<typeof paymentFields>
