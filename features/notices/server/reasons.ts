import { formatInstant } from '../../../shared/dates.ts'
import { say, translated } from '../../../shared/messages.ts'
import type { DeliveryState } from '../rules.ts'

interface DeliveryAttempt {
  channel: string
  state: DeliveryState
  code: string
  /** Time until which the portal sends nothing to this address. */
  restsUntil: Date | null
  sendAfter: Date
  now: Date
  timeZone: string
}

/** Messages for Twilio's error codes, which the sandbox also uses. */
const texts: Readonly<Record<string, string>> = {
  '21211': 'This is not a phone number.',
  '21610': 'The recipient replied STOP.',
  '21614': 'This number cannot receive texts.',
  '30003': 'The phone could not be reached.',
  '30004': 'The phone or its carrier blocks our texts.',
  '30005': 'This phone number does not exist.',
  '30006': 'This is a landline, or a number that cannot receive texts.',
  '30007': 'The carrier blocked the text as spam.',
  off: 'Texts of this type were turned off before this text was sent.',
}

/** Messages for the results of calls, by the codes that the telephone network and Twilio use. */
const calls: Readonly<Record<string, string>> = {
  '21211': 'This is not a phone number.',
  '21214': 'This number can’t be called.',
  '21217': 'This is not a phone number.',
  '404': 'This phone number does not exist.',
  busy: 'The phone was busy each time.',
  'no-answer': 'No one answered.',
  fax: 'A fax machine answered.',
  expired: 'The alert ended before the call reached anyone.',
  'pressed 9': 'Someone pressed 9 on this phone to stop calls.',
  machine: 'An answering machine took the message.',
  off: 'Calls were turned off before the phone rang.',
}

/** Returns a sentence about a failed or delayed notice. Empty if the notice has no problem. */
export function reasonOf({ channel, state, code, restsUntil, sendAfter, now, timeZone }: DeliveryAttempt): string {
  const rest = restsUntil
    ? say`Sending will resume on ${formatInstant(restsUntil, timeZone)}, or earlier if you release this email address or phone number.`
    : ''
  if (channel === 'call') return callReason({ state, code, restsUntil, sendAfter, now, timeZone })
  if (state === 'resting')
    return [say`This email address or phone number rejected an earlier message, so this one was not sent.`, rest]
      .join(' ')
      .trim()
  if (state === 'stopped') return code in texts ? translated(texts[code] ?? '') : say`The recipient opted out.`
  if (state === 'failed') {
    const why =
      channel === 'email' ? emailReason(code) : code in texts ? translated(texts[code] ?? '') : textReason(code)
    return [why, rest].join(' ').trim()
  }
  if (state === 'unclear')
    return say`The text provider did not respond, so we do not know if the text was sent. The portal does not resend it automatically.`
  if (state === 'waiting' && code) return say`An attempt failed. We will try again.`
  if (state === 'waiting' && sendAfter > now) return say`Scheduled for ${formatInstant(sendAfter, timeZone)}.`
  return ''
}

function callReason({ state, code, restsUntil, sendAfter, now, timeZone }: Omit<DeliveryAttempt, 'channel'>): string {
  const rest = restsUntil
    ? say`Calls will resume on ${formatInstant(restsUntil, timeZone)}, or earlier if you release this phone number.`
    : ''
  if (state === 'resting')
    return [say`Earlier calls to this number failed, so it was not called.`, rest].join(' ').trim()
  if (state === 'unclear') return say`We do not know if the phone rang. The call provider’s response was lost.`
  const why = code in calls ? translated(calls[code] ?? '') : ''
  if (state === 'waiting' && sendAfter > now)
    return [why, say`Call scheduled for ${formatInstant(sendAfter, timeZone)}.`].join(' ').trim()
  if (state === 'failed') return [why || say`The call could not be made (${code}).`, rest].join(' ').trim()
  return state === 'waiting' || state === 'sent' ? '' : why
}

const emailReason = (code: string): string =>
  code.startsWith('5')
    ? say`The email server permanently rejected the address (${code}).`
    : say`We stopped after many failed attempts (${code}).`

const textReason = (code: string): string =>
  code === 'no answer'
    ? say`We stopped after many failed attempts.`
    : say`The text provider could not deliver the text (${code}).`
