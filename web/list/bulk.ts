import { plural } from '@lingui/core/macro'
import { t } from '@lingui/core/macro'
import { type BulkCall, MAX_BULK } from '../../shared/bulk.ts'
import type { RequestInputOf } from '../../shared/endpoint.ts'
import { call } from '../call.ts'
import type { BulkAction, BulkFailure } from '../ui/office/table/bulk.ts'

/** Runs a call for several records on the selected rows, in parts of `MAX_BULK`. Refused rows stay selected. */
export async function runBulk<E extends BulkCall, Row extends { id: number }>(
  endpoint: E,
  rows: readonly Row[],
  fieldsOf: (rows: readonly Row[]) => Omit<RequestInputOf<E>, 'ids' | 'companyId'>,
): Promise<{ message: string; failed: BulkFailure<Row>[] }> {
  const failed: BulkFailure<Row>[] = []
  let message = ''
  for (let from = 0; from < rows.length; from += MAX_BULK) {
    const part = rows.slice(from, from + MAX_BULK)
    // oxlint-disable-next-line no-await-in-loop -- sequential, so that the emails keep their order
    const response = await call(endpoint, { ...fieldsOf(part), ids: part.map(({ id }) => id) } as never)
    const { refused, message: text } = response as { refused: { id: number; message: string }[]; message: string }
    for (const { id, message: reason } of refused) {
      const row = part.find((one) => one.id === id)
      if (row) failed.push({ row, text: reason })
    }
    message = text
  }
  const changed = rows.length - failed.length
  if (changed === 0) return { message: '', failed }
  return {
    message:
      rows.length > MAX_BULK
        ? t`${plural(changed, { one: '# record was changed.', other: '# records were changed.' })}`
        : message,
    failed,
  }
}

/** Adds a reload after each action, unless the person cancelled it. */
export const withReload = <Row>(
  actions: readonly BulkAction<Row>[],
  reload: () => Promise<unknown>,
): BulkAction<Row>[] =>
  actions.map((action) => ({
    ...action,
    run: async (rows, value) => {
      const result = await action.run(rows, value)
      if (result !== null) await reload()
      return result
    },
  }))
