import type { RequestInputOf } from '../../../../shared/endpoint.ts'
import { call } from '../../../../web/call.ts'
import { promisePayment } from '../../contract-outage.ts'

/** Loaded only in an outage. */
export const promise = (body: RequestInputOf<typeof promisePayment>) => call(promisePayment, body)
