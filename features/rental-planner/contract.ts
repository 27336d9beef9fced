import * as z from 'zod/mini'
import { companyId, rowId } from '../../shared/body-parts.ts'
import { endpoint } from '../../shared/endpoint.ts'
import { isoDate } from '../../shared/iso-date.ts'
import { viewAccess } from '../rentals/contract.ts'
import { kindLabels, type ResourceKind, stepAvailabilities } from '../rentals/rules.ts'
import { rentalStates } from '../rentals/states.ts'

/** Maximum number of spaces in one response. */
export const MAX_SPACES = 60

const kind = z.enum(Object.keys(kindLabels) as [ResourceKind, ...ResourceKind[]])

const cell = z.object({
  /** Local times. `until` may be 24:00. */
  from: z.string(),
  until: z.string(),
  /** `buffer` is setup or cleanup time of a neighboring reservation. The other values are those of a time step. */
  is: z.enum([...stepAvailabilities, 'buffer']),
  /** Price of a free cell for a resident and one piece, without the security deposit. */
  residentCents: z.number(),
  /** Number of free pieces. 0 or 1 for a space. */
  left: z.number(),
  /** The reservation that takes the cell. Null for free cells and for equipment. */
  reservation: z.nullable(
    z.object({ id: z.number(), number: z.string(), name: z.string(), status: rentalStates.state }),
  ),
})
export type PlannerCell = z.output<typeof cell>

const row = z.object({
  resourceId: z.number(),
  spaceId: z.number(),
  title: z.string(),
  kind,
  pieces: z.number(),
  day: z.string(),
  /** Reason that the space is closed on this day, otherwise ''. */
  closedFor: z.string(),
  /** Minutes before and after each reservation for setup and cleanup. */
  beforeMinutes: z.number(),
  afterMinutes: z.number(),
  minMinutes: z.number(),
  maxMinutes: z.number(),
  /** Opening hours in order, in cells of half an hour, or of an hour if reservations start each hour. */
  cells: z.array(cell),
})
export type PlannerRow = z.output<typeof row>

export const rentalPlanner = endpoint({
  path: 'muni/return/rental/planner',
  summary: 'Returns the free and taken times of all spaces on a day, or of one space in a week',
  access: viewAccess,
  personal: true,
  body: z.object({
    companyId,
    /** The day, or the first of seven days of `spaceId`. */
    day: isoDate,
    kind: z.optional(kind),
    spaceId: z.optional(rowId),
  }),
  response: z.object({
    today: z.string(),
    rows: z.array(row),
    /** True if the company has more spaces than `MAX_SPACES`. */
    hasMore: z.boolean(),
  }),
})
