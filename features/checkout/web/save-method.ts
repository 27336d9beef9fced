import type { ResponseOf, RequestOf } from '../../../shared/endpoint.ts'
import { call } from '../../../web/call.ts'
import { addPaymentMethod, finishPaymentMethod } from '../../payments/stored-methods.ts'

/** Loaded only by payers who save a card or bank account while they pay. */
export const storeMethod = (
  request: Omit<RequestOf<typeof addPaymentMethod>, 'agree'>,
): Promise<ResponseOf<typeof addPaymentMethod>> => call(addPaymentMethod, { ...request, agree: true })

/** Finishes saving after the return from the bank. */
export const finishStoringMethod = (setup: string): Promise<ResponseOf<typeof finishPaymentMethod>> =>
  call(finishPaymentMethod, { setup })
