/**
 * Text message provider: the sandbox or Twilio. Both report statuses by callbacks with Twilio's signature
 * (`callbacks.ts`).
 */
export interface SmsProvider {
  name: 'sandbox' | 'twilio'
  /** True if the provider itself replies to STOP, START and HELP. The portal must then not reply. */
  repliesToKeywords: boolean
  /** Maximum number of parallel send requests that the provider accepts. */
  atOnce: number
  /**
   * Sends a text message.
   * @returns the provider's id of the text message
   * @throws SmsRefused if the provider did not accept it. After any other error, the result is unknown
   */
  send(text: OutgoingSms): Promise<string>
  /**
   * Finds identical text messages to a phone since `since`, oldest first. Returns the provider's ids of these messages.
   * Only needed for a provider without idempotency keys.
   */
  find?(text: Pick<OutgoingSms, 'to' | 'body'>, since: Date): Promise<string[]>
}

export interface OutgoingSms {
  /** Recipient number: `+1` and ten digits, like all numbers here. */
  to: string
  /** Sender: a number, or a Twilio messaging service, `MG…`. */
  from: string
  body: string
  /** Idempotency key. All attempts use this key. */
  key: string
  /** URL to which the provider reports the status. */
  statusUrl: string
}

/** Error code of a text message or call if the request never reached the provider. */
export const UNREACHED = 'unreached'

/**
 * Error of a provider that did not accept a text message. `code` is Twilio's error code. 429 means that the portal may
 * try again later.
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

/** Twilio's error code for a text message that it blocked because the recipient replied STOP. */
export const OPTED_OUT = '21610'

/** True if the error means that text messages can't reach this number. The number is then paused for a while. */
export const isDeadNumber = (code: string): boolean => ['21211', '21614', '30003', '30005', '30006'].includes(code)
