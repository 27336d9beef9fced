import { escapeHtml } from '../../../server/html.ts'
import { PIN_DIGITS } from '../rules.ts'
import type { SpokenStep } from './talk.ts'

/** What a caller gets to key something, in seconds. */
const KEY_SECONDS = 8

/**
 * What is said, in Twilio's words. A number's keys come to `next`; after silence the same address is called without any,
 * since Twilio goes on below a `<Gather>` to which nobody keyed anything.
 */
export function twimlOf({ says, expects, stage }: SpokenStep, next: string): string {
  const spoken = says.map((text) => `<Say language="en-US">${escapeHtml(text)}</Say>`).join('')
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
