import type { PolicyName } from '../shared/privileges.ts'
import type { Schema } from './db/schema.ts'

/** Cases of a feature that await staff. */
export interface AwaitingStaff {
  /** Plural noun for the waiting cases. */
  label: string
  /** Path of the list with only these cases. */
  to: string
  /** Policy that a person needs to see the count. */
  policy: PolicyName
  table: keyof Schema
  status: string | number
  /** Column that groups rows of one request. Each group counts once. */
  together?: string
}
