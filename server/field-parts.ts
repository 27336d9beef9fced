import type { Attachments } from '../shared/attachments.ts'
import type { Call, Handler } from './call.ts'
import type { Tx } from './tenancy.ts'

/** Crew member and the day of the member's fieldwork. */
export interface Crew {
  personId: number
  departmentId: number | null
  /** Current day in the company's time zone. */
  today: string
}

/** Part of a feature that works offline, with its data and actions (features/field). */
export interface FieldPart {
  /** Kind of record, for example 'order'. */
  kind: string
  /**
   * Calls that a phone queues while it is offline. A queued call must take effect only once. The call must be refused
   * if another person has changed the same data.
   */
  calls: readonly Handler[]
  /**
   * Rules for photos, by the path of the call that uploads them. `expectOpen` refuses photos of a subject that accepts
   * no more photos.
   */
  photos?: Readonly<Record<string, { use: Attachments; expectOpen(tx: Tx, call: Call, id: number): Promise<unknown> }>>
  /** Returns the path to a conflicting field in the body of the call. By default, the path is the field's name. */
  fieldAt?(field: string): readonly string[]
  /** Loads the data that a phone stores for offline work: at most a few dozen records with all their details. */
  copy(tx: Tx, call: Call, crew: Crew): Promise<object[]>
}

export const fieldParts = new Map<string, FieldPart>()

/** Declares the offline part of a feature. Call this function once for each part. */
export function defineFieldPart(part: FieldPart): void {
  fieldParts.set(part.kind, part)
}
