import * as z from 'zod/mini'
import { done } from '../../shared/responses.ts'
import { endpoint } from '../../shared/endpoint.ts'
import { isPhone } from '../../shared/phone.ts'
import { say } from '../../shared/messages.ts'
import { cleaned } from '../../shared/typed.ts'

const PHONE_INVALID = 'Enter a 10-digit phone number. It may be a landline.'

/** Consent text for calls, stored with the phone number. */
export const callsConsent = (name: string): string =>
  say`I agree that ${name} may call this number with an automated voice to alert me. The number of calls varies. I can press 9 during a call to stop these calls.`

/**
 * Call status of the signed-in person. `optedOut` is true if someone pressed 9 on that phone. The portal never calls
 * that phone again.
 */
export const myCalls = endpoint({
  path: 'return/alert/calls',
  summary: "Returns the caller's settings for alert calls",
  access: { audience: 'citizen' },
  body: z.object({}),
  response: z.object({
    offered: z.boolean(),
    state: z.enum(['off', 'unconfirmed', 'on']),
    phone: z.string(),
    optedOut: z.boolean(),
    /** Caller ID of the calls. */
    from: z.string(),
    /** Phone in the person's profile, offered as the default. */
    profilePhone: z.string(),
    consent: z.string(),
  }),
})

export const callsForm = z.object({
  phone: z.string({ error: PHONE_INVALID }).check(
    cleaned(),
    z.maxLength(30, PHONE_INVALID),
    z.refine((text) => isPhone(text), { error: PHONE_INVALID }),
  ),
  agree: z.boolean().check(z.refine((agreed) => agreed, { error: 'To receive calls, check the box to agree.' })),
})

export const startCalls = endpoint({
  path: 'start/alert/calls',
  summary: 'Calls a phone with a code that confirms alert calls',
  access: { audience: 'citizen' },
  // Staff can't consent for another person.
  whileImpersonating: 'refused',
  body: callsForm,
  response: done,
})

export const callsCodeForm = z.object({
  code: z.string().check(cleaned(), z.regex(/^\d{6}$/, 'Enter the 6 digits that you heard.')),
})

export const confirmCalls = endpoint({
  path: 'confirm/alert/calls',
  summary: 'Turns on alert calls with the code from the call',
  access: { audience: 'citizen' },
  whileImpersonating: 'refused',
  body: callsCodeForm,
  response: done,
})

export const optOutOfCalls = endpoint({
  path: 'stop/alert/calls',
  whenOff: 'finish',
  summary: "Turns off the caller's alert calls and deletes the phone number",
  access: { audience: 'citizen' },
  body: z.object({}),
  response: done,
})
