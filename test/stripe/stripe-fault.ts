import type { StripeWorld } from './world.ts'

/** What befalls the next request. `before`: nobody hears it; `after`: it is done, and the answer gets lost. */
export type Fault = 'before' | 'after' | 500 | 429 | 409

/** What an answer of Stripe's is made of: a body, or an error with its status. */
export class StripeFault extends Error {
  readonly status: number
  readonly body: object
  constructor(status: number, error: { type: string; code?: string; message: string } & Record<string, unknown>) {
    super(error.message)
    this.status = status
    this.body = { error }
  }
}

export const missing = (what: string) =>
  new StripeFault(404, { type: 'invalid_request_error', code: 'resource_missing', message: `No such ${what}` })

export interface StripeRequest {
  world: StripeWorld
  /** Of the path. */
  id: string
  // oxlint-disable-next-line typescript/no-explicit-any -- what comes in was checked by both validators
  params: any
  key: string
  /** The town's account that is asked for, or empty. */
  account: string
}

export type StripeHandler = (asked: StripeRequest) => unknown
