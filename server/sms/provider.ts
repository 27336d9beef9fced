/** Whoever carries texts: a sandbox, or Twilio. Both tell what became of them by Twilio's signed calls (`callbacks.ts`). */
export interface SmsProvider {
  name: 'sandbox' | 'twilio'
  /** It answers STOP, START and HELP by itself, so that we must not answer them again. */
  answersKeywords: boolean
  /** How many texts it takes side by side. */
  atOnce: number
  /**
   * Hands a text over. @returns its id there
   * @throws SmsRefused where the text was not taken; anything else leaves open whether it was
   */
  send(text: OutgoingSms): Promise<string>
  /**
   * Of a provider that does not know our keys: the ids of texts of the same words to the same phone that it took since then,
   * the oldest first. One that knows them takes a text once, however often it is handed over.
   */
  find?(text: Pick<OutgoingSms, 'to' | 'body'>, since: Date): Promise<string[]>
}

export interface OutgoingSms {
  /** `+1` and ten digits, as all numbers here. */
  to: string
  /** A number, or a messaging service of Twilio's, `MG…`. */
  from: string
  body: string
  /** The same in each try. */
  key: string
  /** Where the provider tells what became of it. */
  statusUrl: string
}

/** What a text or a call is refused with that never got to the provider. */
export const UNREACHED = 'unreached'

/** The provider did not take a text, under a code of Twilio's; 429 means: not now. */
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

/** The person answered STOP, and the provider knew first. */
export const SAID_STOP = '21610'

/** The number is none that texts reach: it is left alone for a while. */
export const isDeadNumber = (code: string): boolean => ['21211', '21614', '30003', '30005', '30006'].includes(code)
