import * as z from 'zod/mini'
import { endpoint } from '../../shared/endpoint.ts'
import { intoCart } from '../payments/contract.ts'
import type { GuestProof } from './rules.ts'
import { cleaned } from '../../shared/typed.ts'

export const ACCOUNT_REQUIRED = 'Enter the account number from your bill.'
export const ZIP_REQUIRED = 'Enter the 5-digit ZIP code of the service address.'
export const NO_BILL = 'No bill matches your entries. Check them against your bill and try again.'
export const NAME_REQUIRED = 'Enter the last name or the business name on the bill.'
export const AMOUNT_REQUIRED = 'Enter the amount of your last bill, such as 149.31.'

/** Schema for an account number as typed from a bill. */
export const accountNumber = z
  .string()
  .check(
    cleaned(),
    z.minLength(1, ACCOUNT_REQUIRED),
    z.maxLength(40, ACCOUNT_REQUIRED),
    z.regex(/^[\dA-Za-z -]+$/, ACCOUNT_REQUIRED),
  )

/** Form in which a guest finds a bill. Accepts spaces and lower case. */
export const guestBillForm = z.object({
  accountNumber,
  zip: z.string().check(cleaned(), z.regex(/^\d{5}$/, ZIP_REQUIRED)),
  /** Additional information that the company requires from guests, such as the last name. */
  fact: z._default(z.string().check(z.trim(), z.maxLength(100, NAME_REQUIRED)), ''),
})
export type GuestBill = z.output<typeof guestBillForm>

/** Returns `guestBillForm` for a company that requires an additional fact. */
export const guestBillFormAsking = (fact: GuestProof) =>
  fact === 'none'
    ? guestBillForm
    : z.extend(guestBillForm, {
        fact: z.string().check(z.trim(), z.minLength(1, fact === 'last_name' ? NAME_REQUIRED : AMOUNT_REQUIRED)),
      })

/**
 * Finds the amount due of an account. Opens a checkout, or adds the amount to `cart`. Every mismatch returns the same
 * message, so that guests cannot guess accounts.
 */
export const findGuestBill = endpoint({
  path: 'find/guest/bill',
  inPreview: 'find',
  whenOff: 'finish',
  summary: 'Opens a checkout for a utility bill or adds to `cart`',
  access: { audience: 'public' },
  body: z.extend(guestBillForm, { cart: intoCart }),
  response: z.object({ token: z.string() }),
})
