import { PRINTED_ROWS } from '../../../../shared/list.ts'
import type { TableData } from './column.ts'
import type { TableQuestion } from './table-state.ts'

export type Load<Row, Totals> = (
  question: TableQuestion,
  signal: AbortSignal | undefined,
) => Promise<TableData<Row, Totals>>

/** All matching rows, up to the print limit. */
export interface GatheredPage<Row, Totals> extends Pick<TableData<Row, Totals>, 'rows' | 'totals'> {
  more: boolean
}

/** Loads a whole list in requests of `stride` rows, up to the print limit. */
export async function gather<Row, Totals>(
  load: Load<Row, Totals>,
  question: TableQuestion,
  stride: number,
  signal: AbortSignal,
  onProgress: (got: number) => void,
): Promise<GatheredPage<Row, Totals>> {
  const rows: Row[] = []
  let first: TableData<Row, Totals> | undefined
  let cursor: string | undefined
  do {
    signal.throwIfAborted()
    const pageSize = Math.min(stride, PRINTED_ROWS - rows.length)
    const data = await load({ ...question, group: undefined, cursor, pageSize }, signal)
    first ??= data
    rows.push(...data.rows)
    cursor = data.next ?? undefined
    onProgress(rows.length)
  } while (cursor && rows.length < PRINTED_ROWS)
  return { rows, totals: first.totals, more: cursor !== undefined }
}
