import type { AnswerOf, BodyOf } from '../../../../shared/endpoint.ts'
import { call } from '../../../../web/call.ts'
import { addPaymentMethod, finishPaymentMethod } from '../../kept-methods.ts'

/** Loaded by those alone who have a card or bank account kept while they pay. */
export const keepMethod = (
  wish: Omit<BodyOf<typeof addPaymentMethod>, 'agree'>,
): Promise<AnswerOf<typeof addPaymentMethod>> => call(addPaymentMethod, { ...wish, agree: true })

/** After the way to the bank. */
export const finishKeeping = (setup: string): Promise<AnswerOf<typeof finishPaymentMethod>> =>
  call(finishPaymentMethod, { setup })
