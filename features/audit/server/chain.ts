import { createHash } from 'node:crypto'

/** Columns of an audit row that screens also show. */
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

/** Audit row with all columns that its seal covers, as the database returns them. */
export interface SealedAuditRow extends AuditRow {
  /** Id of the company. 0 for the platform. */
  company: number
  /** The jsonb column as text. The database always writes equal values as the same text. */
  detail: string
  request_id: string
}

/** Position, version and time of a seal in its chain. */
export interface Seal {
  position: number
  version: number
  sealed_at: Date
}

/** Hash before the first seal of a chain. */
export const BEGINNING = Buffer.alloc(32)

/** Version of new seals. Rows that were sealed earlier keep their older versions. */
export const SEAL_VERSION = 2

/**
 * Returns the seal of a row: a hash of the previous seal and all columns of the row and its seal. Null for an unknown
 * version.
 */
export function sealOf(before: Buffer, seal: Seal, row: SealedAuditRow): Buffer | null {
  const sealedData = sealedDataBy[seal.version]?.(seal, row)
  return sealedData === undefined
    ? null
    : createHash('sha256').update(before).update(JSON.stringify(sealedData)).digest()
}

/** Sealed content by seal version. Different rows never produce the same JSON. */
const sealedDataBy: Record<number, (seal: Seal, row: SealedAuditRow) => unknown> = {
  /** Version 1: values by position, without the kind of the subject. Platform rows also lack the person. */
  1: ({ position }, row) => [
    ...[position, row.company, row.id, row.at, row.actor_kind, row.actor_id, row.impersonator_id, row.action],
    ...[row.subject, row.company === 0 ? null : row.person_id, row.detail, row.request_id],
  ],
  /** Version 2: every column of the row and its seal, by name. */
  2: ({ position, version, sealed_at }, row) => ({
    position,
    version,
    sealed_at,
    company: row.company,
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
