import type { Call, Handler } from './call.ts'
import { Refusal } from './errors.ts'
import type { Tx } from './tenancy.ts'

export interface BulkResult {
  changed: number
  refused: { id: number; message: string }[]
}

/**
 * Runs the call for one record on several records, each in a separate transaction. A refused record stays unchanged and
 * does not stop the others. The access of the call for one record must be the access of this call.
 * @param bodyOf returns the body of the call for one record
 */
export async function runForEach(
  call: Call<{ ids: readonly number[] }>,
  { handle }: Handler,
  bodyOf: (id: number, tx: Tx) => object | Promise<object>,
): Promise<BulkResult> {
  const ids = [...new Set(call.body.ids)]
  const refused: BulkResult['refused'] = []
  for (const id of ids) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- sequential, so that the emails keep their order
      await call.inCompany(async (tx) => handle(call.within(tx, await bodyOf(id, tx)) as Call<never>))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refused.push({ id, message: error.message })
    }
  }
  return { changed: ids.length - refused.length, refused }
}
