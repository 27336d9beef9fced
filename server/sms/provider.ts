/** Text message provider: a sandbox, or Twilio. Both report statuses by Twilio's signed callbacks (`callbacks.ts`). */
export interface SmsProvider {
  name: 'sandbox' | 'twilio'
  /** True if the provider replies to STOP, START and HELP itself, so that we must not. */
  answersKeywords: boolean
  /** Number of parallel sends that it accepts. */
  atOnce: number
  /**
   * Sends a text message. @returns its id at the provider
   * @throws SmsRefused if it was not accepted. After other errors, the result is unknown
   */
  send(text: OutgoingSms): Promise<string>
  /**
   * Only for a provider without idempotency keys. Returns the ids of equal texts to a phone that it accepted since
   * then, oldest first. A provider with keys accepts a text only once.
   */
  find?(text: Pick<OutgoingSms, 'to' | 'body'>, since: Date): Promise<string[]>
}

export interface OutgoingSms {
  /** `+1` and ten digits, like all numbers here. */
  to: string
  /** Number, or Twilio messaging service, `MG…`. */
  from: string
  body: string
  /** Idempotency key, equal in each attempt. */
  key: string
  /** Callback URL for its status. */
  statusUrl: string
}

/** Code of a text message or call that never reached the provider. */
export const UNREACHED = 'unreached'

/** The provider did not accept a text message. `code` is Twilio's. 429 means: try later. */
export class SmsRefused extends Error {
  readonly code: string

  constructor(code: string) {
    super(`the provider refused a text: ${code}`)
    this.code = code
  }

  get isOnlyNow(): boolean {
    return ['429', '20429', UNREACHED].includes(this.code)
  }
}

/** The person replied STOP, and the provider blocked the text. */
export const OPTED_OUT = '21610'

/** True if text messages can't reach this number, which then pauses for a while. */
export const isDeadNumber = (code: string): boolean => ['21211', '21614', '30003', '30005', '30006'].includes(code)
