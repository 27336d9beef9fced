import type { PrivilegeName } from '../shared/privileges.ts'
import type { Schema } from './db/schema.ts'

/** A feature's open records: those with one of the states. */
export interface OpenRecords {
  table: keyof Schema
  column: 'status' | 'state'
  states: readonly (string | number)[]
}

/** A feature's cases that await staff: how to count them and which list shows them. */
export interface AwaitingStaff {
  /** Plural noun for the waiting cases. Screens show it after the count. */
  label: string
  /** Path of the list that shows only the waiting cases. */
  to: string
  /** Policy with the permission to see the count. */
  policy: PrivilegeName
  table: keyof Schema
  status: string | number
  /** Column with the same value in all rows of one request. Rows with equal values count once. */
  together?: string
}
