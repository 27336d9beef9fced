import * as z from 'zod/mini'
import { companyId, rowId } from '../../shared/body-parts.ts'
import { type Access, endpoint, formCall } from '../../shared/endpoint.ts'
import { viewAccess } from '../rentals/contract.ts'

const change: Access = { audience: ['municipality', 'platform'], privilege: ['rentals', 'update'] }

const access = {
  /**
   * `none`: no code is planned. `wanted`: the portal is requesting a code. `later`: the code exists but is not visible
   * yet. `here`: the code is visible.
   */
  is: z.enum(['none', 'wanted', 'later', 'here']),
  /** Door code. '' if the viewer may not see the code now. */
  code: z.string(),
  from: z.string(),
  until: z.string(),
}

export const myAccess = endpoint({
  path: 'return/my/rental/access',
  whenOff: 'finish',
  summary: "Returns the door code of the caller's reservation with its status",
  access: { audience: 'citizen' },
  whileImpersonating: 'refused',
  body: z.object({ reservationId: rowId }),
  response: z.object(access),
})
export const staffAccess = endpoint({
  path: 'muni/return/rental/access',
  summary: 'Returns the door code of a reservation with its status',
  access: viewAccess,
  personal: true,
  body: z.object({ companyId, reservationId: rowId }),
  response: z.object({ ...access, lastError: z.string(), can: z.object({ renew: z.boolean() }) }),
})
export const renewForm = z.object({
  reason: z
    .string()
    .check(z.trim(), z.minLength(3, 'Enter a reason.'), z.maxLength(200, 'Use no more than 200 characters.')),
})
export const renewAccess = formCall({
  path: 'muni/renew/rental/access',
  summary: 'Replaces the door code of a reservation',
  access: change,
  whileImpersonating: 'refused',
  body: z.extend(renewForm, { companyId, reservationId: rowId }),
})
