import * as z from 'zod/mini'
import { done } from '../../shared/responses.ts'
import { type Access, endpoint } from '../../shared/endpoint.ts'
import { isEasyPin, PIN_DIGITS } from './rules.ts'
import { cleaned } from '../../shared/typed.ts'

const resident = { audience: 'citizen' } as const
export const plays: Access = { audience: 'municipality', privilege: ['counter', 'create'] }

export const phonePin = endpoint({
  path: 'return/phone/pin',
  whenOff: 'finish',
  summary: "Returns the caller's settings for payments by phone",
  access: resident,
  personal: true,
  body: z.object({}),
  response: z.object({
    enabled: z.boolean(),
    /** Ten digits. */
    number: z.string(),
    /** True if callers must enter a PIN. Otherwise the caller's phone number identifies the caller. */
    needsPin: z.boolean(),
    hasPin: z.boolean(),
  }),
})

const PIN_INVALID = 'Enter 6 digits.'
export const pinForm = z.object({
  pin: z.string().check(
    cleaned(),
    z.regex(new RegExp(`^\\d{${PIN_DIGITS}}$`), PIN_INVALID),
    z.refine((pin) => !isEasyPin(pin), {
      error: 'This PIN is easy to guess. Choose digits that are not all the same and not in sequence.',
    }),
  ),
})

export const setPhonePin = endpoint({
  path: 'set/phone/pin',
  summary: "Sets the caller's PIN for payments by phone",
  access: resident,
  whileImpersonating: 'refused',
  body: pinForm,
  response: done,
})

export const removePhonePin = endpoint({
  path: 'remove/phone/pin',
  whenOff: 'finish',
  summary: "Removes the caller's PIN for payments by phone",
  access: resident,
  whileImpersonating: 'refused',
  body: z.object({}),
  response: done,
})

/** One step of a simulated call. `stepNo` 0 starts the call. */
export const playCall = endpoint({
  path: 'muni/play/phone/call',
  summary: 'Runs one step of a simulated payment call',
  access: plays,
  whileImpersonating: 'refused',
  body: z.object({
    callId: z.uuid('Enter the call ID.'),
    phone: z.string().check(cleaned(), z.regex(/^\d{10}$/, 'Enter a 10-digit phone number.')),
    stepNo: z.int().check(z.minimum(0), z.maximum(1000)),
    keys: z.string().check(z.regex(/^[\d*#]{0,40}$/, 'Use only digits, star and pound.')),
  }),
  response: z.object({ stepNo: z.int(), text: z.array(z.string()), expects: z.enum(['key', 'keys', 'moment', 'end']) }),
})

/** Setup that the phone number needs at Twilio, and whether staff can simulate calls here. */
export const phoneSetup = endpoint({
  path: 'muni/return/phone/setup',
  whenOff: 'finish',
  summary: 'Returns the setup of payments by phone',
  access: { audience: 'municipality', privilege: ['counter', 'view'] },
  body: z.object({}),
  response: z.object({
    enabled: z.boolean(),
    number: z.string(),
    needsPin: z.boolean(),
    voiceUrl: z.string(),
    statusUrl: z.string(),
    canPlay: z.boolean(),
  }),
})
