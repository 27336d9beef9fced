import type { SpokenText } from '../db/column-types.ts'
import { UNREACHED } from '../sms/provider.ts'

/** Whoever makes calls: a sandbox, or Twilio. Both tell what became of one by Twilio's signed calls (`callbacks.ts`). */
export interface VoiceProvider {
  name: 'sandbox' | 'twilio'
  /** What is asked for twice under one key is one call. Where it doesn't, what is unclear is looked for. */
  knowsKeys: boolean
  /**
   * Has a phone called. @returns the call's id there
   * @throws VoiceRefused where the call was not taken; anything else leaves open whether it was
   */
  call(call: OutgoingCall): Promise<string>
  /** The ids of calls that it made to a phone from a number since then, the oldest first. */
  find(call: Pick<OutgoingCall, 'to' | 'from'>, since: Date): Promise<string[]>
  /** What is known of a call by now; null where there is none of this id. */
  look(id: string): Promise<CallNews | null>
}

export interface OutgoingCall {
  key: string
  /** `+1` and ten digits, as all numbers here. */
  to: string
  from: string
  /** What is said. */
  say: readonly SpokenText[]
  /** The same as Twilio's words have it: twice, and what asks for a key (`twiml.ts`). */
  twiml: string
  /** Where what was keyed is told, after words that ask for it; empty: nothing is asked. */
  keysUrl: string
  /** Where the provider tells what became of it. */
  statusUrl: string
}

/** What a provider knows of a call, in Twilio's words. */
export interface CallNews {
  id: string
  status: string
  /** `human`, `machine_end_beep`, `fax` …; empty where nobody looked. */
  answeredBy: string
  seconds: number
  /** Why it failed: a code of Twilio's, or what the telephone network answered (SIP); empty where nothing is said. */
  code: string
}

/** The provider did not take a call, under a code of Twilio's; 429 means: not now. */
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

/** The number is none that can be called: it is left alone for a while. Three digits are of the telephone network. */
export const isDeadLine = (code: string): boolean =>
  ['21211', '21214', '21217', '13224', '404', '410', '484', '604'].includes(code)
