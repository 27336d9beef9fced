import * as z from 'zod/mini'
import { done } from '../../shared/answers.ts'
import { endpoint } from '../../shared/endpoint.ts'
import { isPhone } from '../../shared/phone.ts'
import { say } from '../../shared/words.ts'
import { cleaned } from '../../shared/typed.ts'

const PHONE_WRONG = 'Enter a phone number of 10 digits. It may be a landline.'

/** What somebody agrees to; it is kept with their number. */
export const callsConsent = (name: string): string =>
  say`I agree that ${name} calls this number with a spoken, automatic voice when it alerts me. How many calls there are varies. Pressing 9 in a call ends them.`

/** Whether the caller of this is called. `stopped`: somebody pressed 9 on that phone, which is never called again. */
export const myCalls = endpoint({
  path: 'return/alert/calls',
  summary: "The caller's phone for calls",
  access: { audience: 'citizen' },
  body: z.object({}),
  answer: z.object({
    offered: z.boolean(),
    state: z.enum(['off', 'unconfirmed', 'on']),
    phone: z.string(),
    stopped: z.boolean(),
    /** The number that calls come from. */
    from: z.string(),
    /** The phone of their profile, to begin with. */
    profilePhone: z.string(),
    consent: z.string(),
  }),
})

export const callsForm = z.object({
  phone: z.string({ error: PHONE_WRONG }).check(
    cleaned(),
    z.maxLength(30, PHONE_WRONG),
    z.refine((text) => isPhone(text), { error: PHONE_WRONG }),
  ),
  agree: z.boolean().check(z.refine((agreed) => agreed, { error: 'To be called, agree to it.' })),
})

export const beginCalls = endpoint({
  path: 'begin/alert/calls',
  summary: 'Calls a phone and says a code, by which its owner turns calls on',
  access: { audience: 'citizen' },
  // Nobody agrees in another's place.
  whileImpersonating: 'refused',
  body: callsForm,
  answer: done,
})

export const callsCodeForm = z.object({
  code: z.string().check(cleaned(), z.regex(/^\d{6}$/, 'Enter the 6 digits that you heard.')),
})

export const confirmCalls = endpoint({
  path: 'confirm/alert/calls',
  summary: 'Turns calls on by the code that was spoken',
  access: { audience: 'citizen' },
  whileImpersonating: 'refused',
  body: callsCodeForm,
  answer: done,
})

export const stopCalls = endpoint({
  path: 'stop/alert/calls',
  summary: "Turns the caller's calls off and forgets the number",
  access: { audience: 'citizen' },
  body: z.object({}),
  answer: done,
})
