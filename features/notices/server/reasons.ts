import { formatInstant } from '../../../shared/dates.ts'
import { say, translated } from '../../../shared/words.ts'
import type { DeliveryState } from '../rules.ts'

interface Told {
  channel: string
  state: DeliveryState
  code: string
  /** Nothing is sent there before. */
  restsUntil: Date | null
  sendAfter: Date
  now: Date
  timeZone: string
}

/** Twilio's codes, which the sandbox uses as well. */
const texts: Readonly<Record<string, string>> = {
  '21211': 'This is no phone number.',
  '21610': 'This phone answered STOP.',
  '21614': 'This number takes no texts.',
  '30003': 'The phone could not be reached.',
  '30004': 'The phone or its company blocks our texts.',
  '30005': 'There is no such phone.',
  '30006': 'This is a landline, or a number that takes no texts.',
  '30007': 'The telephone company took it for unwanted.',
  off: 'Texts of this kind were turned off before it left.',
}

/** What became of a notice, in a sentence; nothing where all is well. */
export function reasonOf({ channel, state, code, restsUntil, sendAfter, now, timeZone }: Told): string {
  const rest = restsUntil
    ? say`We write there again on ${formatInstant(restsUntil, timeZone)}, or when you release it.`
    : ''
  if (state === 'resting') return [say`It was refused there before, so this one was not sent.`, rest].join(' ').trim()
  if (state === 'stopped') return code in texts ? translated(texts[code] ?? '') : say`Whoever gets it stopped it.`
  if (state === 'failed') {
    const why =
      channel === 'email' ? mailReason(code) : code in texts ? translated(texts[code] ?? '') : textReason(code)
    return [why, rest].join(' ').trim()
  }
  if (state === 'unclear')
    return say`The provider of texts did not answer, and may have sent it. It is not sent again by itself.`
  if (state === 'waiting' && code) return say`A try failed. We try again.`
  if (state === 'waiting' && sendAfter > now) return say`It waits until ${formatInstant(sendAfter, timeZone)}.`
  return ''
}

const mailReason = (code: string): string =>
  code.startsWith('5')
    ? say`The mail server refused the address for good (${code}).`
    : say`We gave up after many tries (${code}).`

const textReason = (code: string): string =>
  code === 'no answer' ? say`We gave up after many tries.` : say`The provider of texts could not deliver it (${code}).`
