import * as z from 'zod/mini'
import { done } from '../../shared/responses.ts'
import { companyId, rowId } from '../../shared/body-parts.ts'
import { type Access, endpoint } from '../../shared/endpoint.ts'
import { stepReason } from '../../shared/machine.ts'

const access: Access = { audience: 'municipality', privilege: ['adjustments', 'update'] }

/**
 * Charges an owed fee again, to the payment method that paid its bill. If the charge is declined again, the fee stays
 * owed and the message states this.
 */
export const chargeFeeAgain = endpoint({
  path: 'muni/charge/fee',
  summary: 'Charges an owed separate fee again',
  access,
  whileImpersonating: 'refused',
  idempotent: true,
  body: z.object({ companyId, paymentId: rowId }),
  response: done,
})

export const waiveFee = endpoint({
  path: 'muni/waive/fee',
  summary: 'Waives an owed separate fee',
  access,
  whileImpersonating: 'refused',
  idempotent: 'offered',
  body: z.object({ companyId, paymentId: rowId, reason: stepReason }),
  response: done,
})
