import * as z from 'zod/mini'
import { done } from '../../shared/answers.ts'
import { endpoint } from '../../shared/endpoint.ts'
import { say } from '../../shared/words.ts'
import { checkoutToken } from './contract.ts'

const resident = { audience: 'citizen' } as const

/** `2028-08-31` as a card has it: 08/28. */
export const expiryWords = (expiresOn: string): string => `${expiresOn.slice(5, 7)}/${expiresOn.slice(2, 4)}`

/** What somebody agrees to who has a card or bank account kept. */
export const keepingMandate = (town: string): string =>
  say`I agree that the payment service of ${town} keeps this card or bank account, and that ${town} charges it for payments that I make or set up here. I can remove it at any time.`

export const methodForm = z.object({
  method: z.union([z.literal(1), z.literal(2)]),
  agree: z.boolean().check(z.refine((agreed) => agreed, { error: 'To have it kept, agree to it.' })),
})

const added = z.extend(done, {
  /** 0 while it is not kept yet. */
  id: z.number(),
  /** Where its owner goes first: their bank's page, after which it is kept (`finishPaymentMethod`), or that of small deposits. */
  actionUrl: z.nullable(z.string()),
})

/** Keeps what the hosted fields became. Nothing is charged. */
export const addPaymentMethod = endpoint({
  path: 'add/payment/method',
  summary: 'Has a card or bank account kept by the payment service',
  access: resident,
  idempotent: true,
  whileImpersonating: 'refused',
  body: z.extend(methodForm, {
    methodToken: z
      .string()
      .check(z.regex(/^(tok|pm)_[\w-]{8,80}$/, 'The card or bank details did not arrive. Enter them again.')),
    /** The payment that they come back to from their bank; without it they come back to their settings. */
    checkout: z.optional(checkoutToken),
  }),
  answer: added,
})

/** After the way to the bank and back: `setup` came along in the address. */
export const finishPaymentMethod = endpoint({
  path: 'finish/payment/method',
  summary: 'Keeps a card whose bank has seen its owner, or a bank account whose small deposits were named',
  access: resident,
  whileImpersonating: 'refused',
  body: z.object({ setup: z.string().check(z.regex(/^[\w-]{8,200}$/, 'Add this card again.')) }),
  answer: added,
})
