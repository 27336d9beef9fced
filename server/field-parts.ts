import type { Attachments } from '../shared/attachments.ts'
import type { Call, Handler } from './call.ts'
import type { Tx } from './tenancy.ts'

/** Crew member of a day in the field. */
export interface Crew {
  personId: number
  departmentId: number | null
  /** Today, by the company's clock. */
  today: string
}

/** Part of a feature that works offline, with its data and actions (features/field). */
export interface FieldPart {
  /** For example 'order'. */
  kind: string
  /**
   * Calls that a phone queues until it is online. Each runs once, or refuses a conflict with another person's change.
   */
  calls: readonly Handler[]
  /** Photo uses by the path of their calls. `expectOpen` refuses a subject that accepts no more photos. */
  photos?: Readonly<Record<string, { use: Attachments; expectOpen(tx: Tx, call: Call, id: number): Promise<unknown> }>>
  /** Path of a conflicting field in the body of its call. Default: its own name. */
  fieldAt?(field: string): readonly string[]
  /** Data that a phone stores: at most a few dozen records with all their details. */
  copy(tx: Tx, call: Call, crew: Crew): Promise<object[]>
}

export const fieldParts = new Map<string, FieldPart>()

/** Declares the offline part of a feature. Call it once. */
export function defineFieldPart(part: FieldPart): void {
  fieldParts.set(part.kind, part)
}
