import type { StripeWorld } from './world.ts'

/**
 * Fault of the next request. `before`: the request never arrives. `after`: the request runs, but its response is lost.
 */
export type Fault = 'before' | 'after' | 500 | 429 | 409

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
  /** Id from the path. */
  id: string
  // oxlint-disable-next-line typescript/no-explicit-any -- both validators have already checked the input
  params: any
  key: string
  /** The company's account in the request. Empty if the request has none. */
  account: string
}

export type StripeHandler = (request: StripeRequest) => unknown
