import type { PolicyName } from '../shared/privileges.ts'
import type { Schema } from './db/schema.ts'

/** Source of the count of a feature's cases that await staff. */
export interface AwaitingStaff {
  /** Plural noun for the waiting cases. Screens show it after the count. */
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
