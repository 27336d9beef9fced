import type { PolicyName } from '../shared/privileges.ts'
import type { Schema } from './db/schema.ts'

/** Source of a count: cases of a feature that await staff. */
export interface AwaitingStaff {
  /** Plural noun for the waiting cases, such as a screen shows after the count. */
  label: string
  /** Path of the list that shows only the waiting cases. */
  to: string
  /** Policy with the permission to see the count. */
  policy: PolicyName
  table: keyof Schema
  status: string | number
  /** Column that groups rows of one request. Each group counts once. */
  together?: string
}
