import type { PolicyName } from '../shared/privileges.ts'
import type { Schema } from './db/schema.ts'

/** What a feature says of those of its cases that wait for staff. */
export interface AwaitingStaff {
  /** What waits, in the plural. */
  label: string
  /** The list that holds just these. */
  to: string
  /** Whoever may look at this sees how many there are. */
  policy: PolicyName
  table: keyof Schema
  status: string | number
  /** Rows with the same value in this column were asked for as one thing, and are counted once. */
  together?: string
}
