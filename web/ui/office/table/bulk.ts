import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { messageOf } from '../../../call.ts'

export interface BulkFailure<Row> {
  row: Row
  /** Reason for the failure, as a sentence. */
  text: string
}

/** Action on all selected rows. */
export interface BulkAction<Row> {
  label: string
  icon?: LucideIcon
  danger?: boolean
  /** Renders the field for the value of the action, such as a new assignee. Without a value, the action cannot run. */
  field?: (value: string, set: (value: string) => void) => ReactNode
  /** Runs the action and returns its message. Failed rows stay selected. Null if the person cancels. @see eachRow */
  run: (
    rows: readonly Row[],
    value: string,
  ) => Promise<string | { message: string; failed: readonly BulkFailure<Row>[] } | null>
  /** Returns the confirmation text for an action that cannot be undone. The text states the effect. */
  confirm?: (rows: readonly Row[]) => ReactNode
}

/** Runs an action on one row after another. `done` returns the message for a given number of successful rows. */
export async function eachRow<Row>(
  rows: readonly Row[],
  work: (row: Row) => Promise<unknown>,
  done: (count: number) => string,
): Promise<{ message: string; failed: readonly BulkFailure<Row>[] }> {
  const failed: BulkFailure<Row>[] = []
  for (const row of rows) {
    try {
      await work(row)
    } catch (error) {
      failed.push({ row, text: messageOf(error) })
    }
  }
  return { message: failed.length < rows.length ? done(rows.length - failed.length) : '', failed }
}
