import * as z from 'zod/mini'
import { done } from '../../shared/responses.ts'
import { rowId } from '../../shared/body-parts.ts'
import { type Access, endpoint, formCall } from '../../shared/endpoint.ts'
import { cents } from '../../shared/money.ts'
import { bookRental, choices, seriesDates, seriesForm } from './contract.ts'
import { rentalStates } from './states.ts'

/**
 * Series of dates that a resident requests. A preview shows the conflicts and the price of each date before the
 * request.
 */

const resident: Access = { audience: 'citizen' }

const { addons, purpose, phone, agrees, agreement } = bookRental.body.shape
const { resourceId, spaceId, pieces, guests, from, until, repeats, startsOn } = seriesForm.shape
const seriesFields = { resourceId, spaceId, pieces, guests, from, until, repeats, startsOn, addons, choices }

/** Input for all dates of the series. */
export const mySeriesForm = z.object({ from, until, repeats, startsOn, purpose, phone, agrees })

export const previewMySeries = endpoint({
  path: 'preview/my/rental/series',
  summary: 'Returns the dates of a planned series with availability and price',
  access: resident,
  body: z.object(seriesFields),
  response: seriesDates,
})
export const bookMySeries = formCall({
  path: 'book/rental/series',
  summary: 'Reserves a series of dates for the resident',
  access: resident,
  whileImpersonating: 'refused',
  body: z.object({ ...seriesFields, purpose, phone, agrees, agreement, quotedCents: cents }),
  response: z.extend(done, { reservationId: z.number(), next: z.enum(['pay', 'wait', 'done']) }),
})

export const mySeries = endpoint({
  path: 'return/my/rental/series',
  whenOff: 'finish',
  summary: "Returns the series of the caller's reservation",
  access: resident,
  body: z.object({ reservationId: rowId }),
  response: z.object({
    /** Null if the reservation was booked as a single date. */
    series: z.nullable(
      z.object({
        dates: z.array(
          z.object({
            id: z.number(),
            number: z.string(),
            startsAt: z.string(),
            endsAt: z.string(),
            status: rentalStates.state,
            totalCents: z.number(),
          }),
        ),
        /** Dates on hold, which can be paid together. */
        held: z.object({ dates: z.number(), cents: z.number() }),
        /** Future dates that can be cancelled together, with the total refund. */
        toCome: z.object({ dates: z.number(), refundCents: z.number() }),
      }),
    ),
  }),
})
export const cancelMySeries = formCall({
  path: 'cancel/my/rental/series',
  whenOff: 'finish',
  summary: "Cancels the remaining dates of the caller's series",
  access: resident,
  body: z.object({ reservationId: rowId }),
})
