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
