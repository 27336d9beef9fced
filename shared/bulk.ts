/** Calls that run one action on several records. */
import * as z from 'zod/mini'
import { companyId, rowId } from './body-parts.ts'
import { type Access, type Endpoint, formCall } from './endpoint.ts'
import { say } from './messages.ts'
import { done } from './responses.ts'

/** Maximum number of records in one call. Browsers send more records in several calls. */
export const MAX_BULK = 50

export const bulkIds = z
  .array(rowId)
  .check(
    z.minLength(1, 'Select at least one record.'),
    z.maxLength(MAX_BULK, { error: () => say`Select up to ${MAX_BULK} records.` }),
  )

const bulkDone = z.extend(done, {
  changed: z.int(),
  /** Records that the action did not change, each with the reason. */
  refused: z.array(z.object({ id: z.number(), message: z.string() })),
})

interface BulkInput<Shape extends z.core.$ZodShape> {
  path: string
  summary: string
  /** Access of the call for one record. */
  access: Access
  /** Other fields, such as the new assignee. */
  fields: Shape
}

/** Declares a call that runs the action of another call on several records. */
export const bulkCall = <const Shape extends z.core.$ZodShape>({ fields, ...declared }: BulkInput<Shape>) =>
  formCall({ ...declared, body: z.object({ companyId, ids: bulkIds, ...fields }), response: bulkDone })

export type BulkCall = Endpoint<z.ZodMiniType<{ ids: number[] }>, typeof bulkDone>
