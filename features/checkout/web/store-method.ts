import type { ResponseOf, RequestOf } from '../../../shared/endpoint.ts'
import { call } from '../../../web/call.ts'
import { addPaymentMethod, finishPaymentMethod } from '../../payments/stored-methods.ts'

/** Saves a payment method for later use. Only the browsers of payers who save a card or bank account load this code. */
export const storeMethod = (
  request: Omit<RequestOf<typeof addPaymentMethod>, 'agree'>,
): Promise<ResponseOf<typeof addPaymentMethod>> => call(addPaymentMethod, { ...request, agree: true })

/** Finishes saving the payment method after the payer returns from the bank. */
export const finishStoringMethod = (setup: string): Promise<ResponseOf<typeof finishPaymentMethod>> =>
  call(finishPaymentMethod, { setup })
