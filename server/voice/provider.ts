import type { SpokenText } from '../db/column-types.ts'
import { UNREACHED } from '../sms/provider.ts'

/**
 * Voice provider: the sandbox or Twilio. Both report call results through callbacks with Twilio's signature
 * (`callbacks.ts`).
 */
export interface VoiceProvider {
  name: 'sandbox' | 'twilio'
  /**
   * True if the provider places only one call for two requests with the same idempotency key. Otherwise the job looks
   * up unclear calls.
   */
  knowsKeys: boolean
  /**
   * Places a call. @returns the provider's id of the call
   * @throws VoiceRefused if the provider refused the call. After any other error, the result is unknown
   */
  call(call: OutgoingCall): Promise<string>
  /** Finds the provider's ids of calls from one number to another since `since`, oldest first. */
  find(call: Pick<OutgoingCall, 'to' | 'from'>, since: Date): Promise<string[]>
  /** Returns the current status of a call. Null if the provider has no call with this id. */
  fetchCall(id: string): Promise<CallReport | null>
}

export interface OutgoingCall {
  key: string
  /** Recipient number in E.164: `+1` and ten digits, like all numbers here. */
  to: string
  from: string
  say: readonly SpokenText[]
  /** Spoken words as TwiML: the message twice, then the key prompt (`twiml.ts`). */
  twiml: string
  /** URL for pressed keys. Empty if the call has no key prompt. */
  keysUrl: string
  statusUrl: string
}

/** Status of a call, in Twilio's terms. */
export interface CallReport {
  id: string
  status: string
  /** `human`, `machine_end_beep`, `fax` and others. Empty if the call does not detect answering machines. */
  answeredBy: string
  seconds: number
  /** Reason for the failure: a Twilio code or a SIP response code. Empty if none was reported. */
  code: string
}

/** Error of a provider that refused a call, with a Twilio code. 429 means that the portal may try again later. */
export class VoiceRefused extends Error {
  readonly code: string

  constructor(code: string) {
    super(`the provider refused a call: ${code}`)
    this.code = code
  }

  get isOnlyNow(): boolean {
    return ['429', '20429', UNREACHED].includes(this.code)
  }
}

/**
 * True if the error means that the number can't be called. The number is then paused for a while. Three-digit codes
 * come from the telephone network.
 */
export const isDeadLine = (code: string): boolean =>
  ['21211', '21214', '21217', '13224', '404', '410', '484', '604'].includes(code)
