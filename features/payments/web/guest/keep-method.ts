import type { ResponseOf, RequestOf } from '../../../../shared/endpoint.ts'
import { call } from '../../../../web/call.ts'
import { addPaymentMethod, finishPaymentMethod } from '../../stored-methods.ts'

/** Loaded by those alone who have a card or bank account kept while they pay. */
export const keepMethod = (
  wish: Omit<RequestOf<typeof addPaymentMethod>, 'agree'>,
): Promise<ResponseOf<typeof addPaymentMethod>> => call(addPaymentMethod, { ...wish, agree: true })

/** After the way to the bank. */
export const finishKeeping = (setup: string): Promise<ResponseOf<typeof finishPaymentMethod>> =>
  call(finishPaymentMethod, { setup })
