import * as z from 'zod/mini'
import { companyId } from '../../shared/body-parts.ts'
import { endpoint } from '../../shared/endpoint.ts'
import { isoDate } from '../../shared/iso-date.ts'
import { reservationDetails, viewAccess } from '../rentals/contract.ts'
import { signingStatuses } from '../rentals/rules.ts'

/** Day sheet for the staff who open and close the rooms. */
export const rentalDay = endpoint({
  path: 'muni/return/rental/day',
  summary: 'Returns the reservations of a day by resource',
  access: viewAccess,
  personal: true,
  body: z.object({ companyId, day: isoDate }),
  response: z.object({
    resources: z.array(
      z.object({
        id: z.number(),
        name: z.string(),
        location: z.string(),
        reservations: z.array(
          z.object({
            ...reservationDetails,
            /** Time when the space is ready, including the buffers for setup and cleanup. */
            readyAt: z.string(),
            clearedAt: z.string(),
            name: z.string(),
            phone: z.string(),
            purpose: z.string(),
            guests: z.number(),
            pieces: z.number(),
            addons: z.array(z.string()),
            depositCents: z.number(),
            owedCents: z.number(),
            agreement: z.enum(signingStatuses),
          }),
        ),
      }),
    ),
  }),
})
