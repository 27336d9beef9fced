import type { RequestInputOf } from '../../../../shared/endpoint.ts'
import { call } from '../../../../web/call.ts'
import { promisePayment } from '../../contract-outage.ts'

/** Loaded in an outage alone. */
export const promise = (body: RequestInputOf<typeof promisePayment>) => call(promisePayment, body)
