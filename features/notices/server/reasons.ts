import { formatInstant } from '../../../shared/dates.ts'
import { say, translated } from '../../../shared/words.ts'
import type { DeliveryState } from '../rules.ts'

interface DeliveryAttempt {
  channel: string
  state: DeliveryState
  code: string
  /** Time until which the portal sends nothing to the address. */
  restsUntil: Date | null
  sendAfter: Date
  now: Date
  timeZone: string
}

/** Messages for Twilio's codes, which the sandbox also uses. */
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

/** Messages for the results of calls, by codes of the telephone network and Twilio. */
const calls: Readonly<Record<string, string>> = {
  '21211': 'This is no phone number.',
  '21214': 'This number can’t be called.',
  '21217': 'This is no phone number.',
  '404': 'There is no such phone.',
  busy: 'The phone was busy each time.',
  'no-answer': 'Nobody answered.',
  fax: 'A fax machine answered.',
  over: 'What it tells was over before anybody was reached.',
  'pressed 9': 'Somebody pressed 9 on this phone and is called no more.',
  machine: 'A machine answered and took it.',
  off: 'Calls were turned off before it rang.',
}

/** Returns a sentence about a failed or delayed notice. Empty if all is well. */
export function reasonOf({ channel, state, code, restsUntil, sendAfter, now, timeZone }: DeliveryAttempt): string {
  const rest = restsUntil
    ? say`We write there again on ${formatInstant(restsUntil, timeZone)}, or when you release it.`
    : ''
  if (channel === 'call') return callReason({ state, code, restsUntil, sendAfter, now, timeZone })
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

function callReason({ state, code, restsUntil, sendAfter, now, timeZone }: Omit<DeliveryAttempt, 'channel'>): string {
  const rest = restsUntil
    ? say`We call there again on ${formatInstant(restsUntil, timeZone)}, or when you release it.`
    : ''
  if (state === 'resting')
    return [say`The number could not be called before, so it was left alone.`, rest].join(' ').trim()
  if (state === 'unclear') return say`Nobody knows whether the phone rang: the answer of the provider was lost.`
  const why = code in calls ? translated(calls[code] ?? '') : ''
  if (state === 'waiting' && sendAfter > now)
    return [why, say`It is called at ${formatInstant(sendAfter, timeZone)}.`].join(' ').trim()
  if (state === 'failed') return [why || say`The call could not be made (${code}).`, rest].join(' ').trim()
  return state === 'waiting' || state === 'sent' ? '' : why
}

const mailReason = (code: string): string =>
  code.startsWith('5')
    ? say`The mail server refused the address for good (${code}).`
    : say`We gave up after many tries (${code}).`

const textReason = (code: string): string =>
  code === 'no answer' ? say`We gave up after many tries.` : say`The provider of texts could not deliver it (${code}).`
