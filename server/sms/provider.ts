/**
 * Text message provider: the sandbox or Twilio. Both report statuses by callbacks with Twilio's signature
 * (`callbacks.ts`).
 */
export interface SmsProvider {
  name: 'sandbox' | 'twilio'
  /** True if the provider itself replies to STOP, START and HELP. The portal must then not reply. */
  repliesToKeywords: boolean
  /** Maximum number of parallel sends that the provider accepts. */
  atOnce: number
  /**
   * Sends a text message.
   * @returns the provider's id of the text
   * @throws SmsRefused if the provider did not accept it. After any other error, the result is unknown
   */
  send(text: OutgoingSms): Promise<string>
  /**
   * Finds the ids of equal texts to a phone that the provider accepted since `since`, oldest first. Only needed for a
   * provider without idempotency keys.
   */
  find?(text: Pick<OutgoingSms, 'to' | 'body'>, since: Date): Promise<string[]>
}

export interface OutgoingSms {
  /** Recipient number: `+1` and ten digits, like all numbers here. */
  to: string
  /** Sender: a number, or a Twilio messaging service, `MG…`. */
  from: string
  body: string
  /** Idempotency key, which stays equal over all attempts. */
  key: string
  /** URL to which the provider reports the status. */
  statusUrl: string
}

/** Code for a text message or call if the request never reached the provider. */
export const UNREACHED = 'unreached'

/**
 * Error of a provider that did not accept a text message. `code` is Twilio's. 429 means that the portal may try again
 * later.
 */
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

/** Error code if the person replied STOP, so that the provider blocked the text. */
export const OPTED_OUT = '21610'

/** True if the error means that texts can't reach this number. The number is then paused for a while. */
export const isDeadNumber = (code: string): boolean => ['21211', '21614', '30003', '30005', '30006'].includes(code)
