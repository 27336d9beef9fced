import type { RequestInputOf } from '../../../../shared/endpoint.ts'
import { call } from '../../../../web/call.ts'
import { deferPayment } from '../../contract.ts'

/** Loaded only in an outage. */
export const promise = (body: RequestInputOf<typeof deferPayment>) => call(deferPayment, body)
