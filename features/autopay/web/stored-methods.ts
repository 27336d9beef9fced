import type { ResponseOf } from '../../../shared/endpoint.ts'
import { reload } from '../../../web/query.ts'
import { myAutopay, paymentMethods } from '../contract.ts'

export type PaymentMethodsResponse = ResponseOf<typeof paymentMethods>
export type Method = PaymentMethodsResponse['methods'][number]
export type MyAutopayResponse = ResponseOf<typeof myAutopay>
export type PayableItem = MyAutopayResponse['items'][number]

/**
 * Reloads payment methods and AutoPay together, because one screen shows both. Removing a method also ends the AutoPay
 * enrollments that use it.
 */
export const reloadBoth = () => Promise.all([reload(paymentMethods), reload(myAutopay)])
