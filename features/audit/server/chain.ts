import { createHash } from 'node:crypto'

/** What a row of the audit log says, by the columns that screens show as well. */
export interface AuditRow {
  id: number
  at: Date
  actor_kind: string
  actor_id: number | null
  impersonator_id: number | null
  action: string
  subject_kind: string
  subject: string
  person_id: number | null
}

/** A row as its seal covers it: every column, as the database prints it. */
export interface SealedAuditRow extends AuditRow {
  /** 0 is the platform. */
  town: number
  /** jsonb as text, which the database writes in one way alone. */
  detail: string
  request_id: string
}

/** Where a seal stands in its chain, and when and how it was made. */
export interface Seal {
  position: number
  version: number
  sealed_at: Date
}

/** What the first seal of a chain stands on. */
export const BEGINNING = Buffer.alloc(32)

/** How seals are made now. The older ways stay, for the rows that were sealed by them. */
export const SEAL_VERSION = 2

/** The seal of a row: a hash over the seal before it and all that row and seal say. Null for a version that never was. */
export function sealOf(before: Buffer, seal: Seal, row: SealedAuditRow): Buffer | null {
  const said = saidBy[seal.version]?.(seal, row)
  return said === undefined ? null : createHash('sha256').update(before).update(JSON.stringify(said)).digest()
}

/** As JSON each of these can be read in one way alone. */
const saidBy: Record<number, (seal: Seal, row: SealedAuditRow) => unknown> = {
  /** By position, without the kind of the subject; whom a row of the platform's concerns was left out. */
  1: ({ position }, row) => [
    ...[position, row.town, row.id, row.at, row.actor_kind, row.actor_id, row.impersonator_id, row.action],
    ...[row.subject, row.town === 0 ? null : row.person_id, row.detail, row.request_id],
  ],
  /** Every column of row and seal beside its name. */
  2: ({ position, version, sealed_at }, row) => ({
    position,
    version,
    sealed_at,
    town: row.town,
    id: row.id,
    at: row.at,
    actor_kind: row.actor_kind,
    actor_id: row.actor_id,
    impersonator_id: row.impersonator_id,
    action: row.action,
    subject_kind: row.subject_kind,
    subject: row.subject,
    person_id: row.person_id,
    detail: row.detail,
    request_id: row.request_id,
  }),
}
