import * as z from 'zod/mini'
import { companyId, rowId } from '../../shared/body-parts.ts'
import { done } from '../../shared/answers.ts'
import { formCall, endpoint } from '../../shared/endpoint.ts'
import { bookRental, look } from './contract.ts'

/** Waiting for a time that somebody else has. */

export const waitForRental = formCall({
  path: 'wait/for/rental',
  summary: 'Puts the resident on the waiting list for a time that somebody else has',
  access: { audience: 'citizen' },
  whileImpersonating: 'refused',
  body: bookRental.body,
  answer: z.extend(done, { reservationId: z.number() }),
})

const mine = z.object({ reservationId: rowId })
export const myWaiting = endpoint({
  path: 'return/my/rental/waiting',
  summary: "A resident's own place on a waiting list",
  access: { audience: 'citizen' },
  body: mine,
  answer: z.object({
    /** 1 for whoever gets the time first; null for whoever does not wait any more. */
    place: z.nullable(z.number()),
    /** From then on nobody gets it any more. */
    endsAt: z.string(),
  }),
})
export const leaveWaiting = formCall({
  path: 'leave/my/rental/waiting',
  summary: "Gives up a resident's own place on a waiting list",
  access: { audience: 'citizen' },
  body: mine,
})

const waiting = z.object({
  id: z.number(),
  number: z.string(),
  title: z.string(),
  name: z.string(),
  startsAt: z.string(),
  endsAt: z.string(),
  pieces: z.number(),
  guests: z.number(),
  since: z.string(),
})
export type WaitlistEntry = z.output<typeof waiting>

export const deskWaiting = endpoint({
  path: 'muni/return/rental/waiting',
  summary: 'Who waits for a resource, or for the time of one reservation, in their order',
  access: look,
  personal: true,
  body: z.object({ companyId, resourceId: rowId, reservationId: z.optional(rowId) }),
  answer: z.object({ waiting: z.array(waiting) }),
})
