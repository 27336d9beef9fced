import type { RequestInputOf } from '../../../../shared/endpoint.ts'
import { call } from '../../../../web/call.ts'
import { deferPayment } from '../../contract.ts'

/** Saves the payer's choice. This code is loaded only during an outage. */
export const sendDeferredPayment = (body: RequestInputOf<typeof deferPayment>) => call(deferPayment, body)
