import * as z from 'zod/mini'
import { companyId, rowId } from '../../shared/body-parts.ts'
import { done } from '../../shared/responses.ts'
import { formCall, endpoint } from '../../shared/endpoint.ts'
import { bookRental, viewAccess } from './contract.ts'

/** Calls for the waitlist. */

export const waitForRental = formCall({
  path: 'wait/for/rental',
  summary: 'Adds the caller to the waitlist for a reserved time',
  access: { audience: 'citizen' },
  whileImpersonating: 'refused',
  body: bookRental.body,
  response: z.extend(done, { reservationId: z.number() }),
})

const ownReservation = z.object({ reservationId: rowId })
export const myWaitlistPosition = endpoint({
  path: 'return/my/rental/waitlist',
  summary: "Returns the caller's position on a waitlist",
  access: { audience: 'citizen' },
  body: ownReservation,
  response: z.object({
    /** 1 for the next person in line. Null after leaving the waitlist. */
    position: z.nullable(z.number()),
    /** End of the waitlist for this time. The portal makes no offers after it. */
    endsAt: z.string(),
  }),
})
export const leaveWaitlist = formCall({
  path: 'leave/my/rental/waitlist',
  summary: 'Removes the caller from a waitlist',
  access: { audience: 'citizen' },
  body: ownReservation,
})

const waitlisted = z.object({
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
export type WaitlistEntry = z.output<typeof waitlisted>

export const staffWaitlist = endpoint({
  path: 'muni/return/rental/waitlist',
  summary: 'Returns the waitlist of a resource or reservation',
  access: viewAccess,
  personal: true,
  body: z.object({ companyId, resourceId: rowId, reservationId: z.optional(rowId) }),
  response: z.object({ waitlisted: z.array(waitlisted) }),
})
