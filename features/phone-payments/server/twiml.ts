import { escapeHtml } from '../../../server/html.ts'
import { PIN_DIGITS } from '../rules.ts'
import type { SpokenStep } from './advance-call.ts'

/** Time for the caller to enter keys, in seconds. */
const KEY_SECONDS = 8

/**
 * Renders a step as TwiML, Twilio's XML. Twilio sends the keys to `next`. If the caller presses no key, Twilio
 * continues below the `<Gather>`, which calls `next` without keys.
 */
export function twimlOf({ text, expects, stage }: SpokenStep, next: string): string {
  const spoken = text.map((text) => `<Say language="en-US">${escapeHtml(text)}</Say>`).join('')
  const address = escapeHtml(next)
  const again = `<Redirect method="POST">${address}</Redirect>`
  const gather = (how: string) =>
    `<Gather input="dtmf" ${how} timeout="${KEY_SECONDS}" actionOnEmptyResult="true" action="${address}" method="POST">${spoken}</Gather>`
  const body = {
    key: () => gather('numDigits="1" finishOnKey=""'),
    keys: () => gather(stage.at === 'pin' ? `numDigits="${PIN_DIGITS}" finishOnKey="#"` : 'finishOnKey="#"'),
    moment: () => `${spoken}<Pause length="2"/>${again}`,
    end: () => `${spoken}<Hangup/>`,
  }
  return `<?xml version="1.0" encoding="UTF-8"?><Response>${body[expects]()}</Response>`
}
