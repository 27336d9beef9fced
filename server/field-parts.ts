import type { Attachments } from '../shared/attachments.ts'
import type { Call, Handler } from './call.ts'
import type { Tx } from './tenancy.ts'

/** Whose day in the field it is. */
export interface Crew {
  personId: number
  departmentId: number | null
  /** By the town's clock. */
  today: string
}

/** Things of a feature that are there without a connection, and what can be done to them then (features/field). */
export interface FieldPart {
  /** 'order' */
  kind: string
  /** The calls that a phone keeps until it has a connection. Each is done once, or refuses what somebody else changed meanwhile. */
  calls: readonly Handler[]
  /** By the paths of calls that take photos: what they are, and what refuses a thing that takes none any more. */
  photos?: Readonly<Record<string, { use: Attachments; expectOpen(tx: Tx, call: Call, id: number): Promise<unknown> }>>
  /** Where a field that collided stands in the body of its call; under its own name where nothing is said. */
  fieldAt?(field: string): readonly string[]
  /** What a phone takes along: at most some dozens of things with all that is known of them. */
  copy(tx: Tx, call: Call, crew: Crew): Promise<object[]>
}

export const fieldParts = new Map<string, FieldPart>()

/** Declares, once, what of a feature is there without a connection. */
export function defineFieldPart(part: FieldPart): void {
  fieldParts.set(part.kind, part)
}
