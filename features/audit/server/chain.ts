import { createHash } from 'node:crypto'

/** A row of the audit log as its seal covers it: every column, as the database prints it. */
export interface Sealed {
  /** 0 is the platform. */
  town: number
  id: number
  at: Date
  actor_kind: string
  actor_id: number | null
  impersonator_id: number | null
  action: string
  subject: string
  person_id: number | null
  /** jsonb as text, which the database writes in one way alone. */
  detail: string
  request_id: string
}

/** What the first seal of a chain stands on. */
export const BEGINNING = Buffer.alloc(32)

/** The seal of a row: a hash over the seal before it, its place in the chain, and all that it says. */
export function sealOf(before: Buffer, position: number, row: Sealed): Buffer {
  const { town, id, at, actor_kind, actor_id, impersonator_id, action, subject, person_id, detail, request_id } = row
  const said = [
    ...[position, town, id, at.toISOString(), actor_kind, actor_id, impersonator_id],
    ...[action, subject, person_id, detail, request_id],
  ]
  return createHash('sha256').update(before).update(JSON.stringify(said)).digest()
}
