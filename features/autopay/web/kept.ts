import type { AnswerOf } from '../../../shared/endpoint.ts'
import { reload } from '../../../web/query.ts'
import { myAutopay, paymentMethods } from '../contract.ts'

export type Kept = AnswerOf<typeof paymentMethods>
export type Method = Kept['methods'][number]
export type Known = AnswerOf<typeof myAutopay>
export type Thing = Known['things'][number]

/** Both stand on one screen, and each changes the other: a method that is removed ends what it pays. */
export const reloadBoth = () => Promise.all([reload(paymentMethods), reload(myAutopay)])
