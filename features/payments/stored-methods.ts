import * as z from 'zod/mini'
import { done } from '../../shared/responses.ts'
import { endpoint } from '../../shared/endpoint.ts'
import { say } from '../../shared/messages.ts'
import { checkoutToken } from './contract.ts'

const resident = { audience: 'citizen' } as const

/** Formats `2028-08-31` as on a card: 08/28. */
export const expiryText = (expiresOn: string): string => `${expiresOn.slice(5, 7)}/${expiresOn.slice(2, 4)}`

/** Returns the authorization text for a saved card or bank account. */
export const storageMandate = (companyName: string): string =>
  say`I agree that the payment provider used by ${companyName} may store this card or bank account. I agree that ${companyName} may charge it for payments that I make or set up here. I can remove it at any time.`

export const methodForm = z.object({
  method: z.union([z.literal(1), z.literal(2)]),
  agree: z.boolean().check(z.refine((agreed) => agreed, { error: 'Agree to the terms to save this payment method.' })),
})

const added = z.extend(done, {
  /** 0 if the payment method is not saved yet. */
  id: z.number(),
  /**
   * Page that the owner must visit first: the bank's page, or the page for microdeposits. Null if none is necessary.
   * After the bank's page, `finishPaymentMethod` saves the payment method.
   */
  actionUrl: z.nullable(z.string()),
})

/** Saves the card or bank account from the hosted fields. Charges nothing. */
export const addPaymentMethod = endpoint({
  path: 'add/payment/method',
  summary: 'Saves a card or bank account with the payment provider',
  access: resident,
  idempotent: true,
  whileImpersonating: 'refused',
  body: z.extend(methodForm, {
    methodToken: z
      .string()
      .check(z.regex(/^(tok|pm)_[\w-]{8,80}$/, 'We did not receive the card or bank details. Enter them again.')),
    /** Checkout to which the person returns from the bank's page. Without it, the person returns to the settings. */
    checkout: z.optional(checkoutToken),
  }),
  response: added,
})

/** Saves the payment method after the person returns from the bank's page. The return URL contains `setup`. */
export const finishPaymentMethod = endpoint({
  path: 'finish/payment/method',
  summary: "Saves a payment method after the bank's confirmation",
  access: resident,
  whileImpersonating: 'refused',
  body: z.object({ setup: z.string().check(z.regex(/^[\w-]{8,200}$/, 'Add this card again.')) }),
  response: added,
})
