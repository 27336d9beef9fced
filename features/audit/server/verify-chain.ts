import { sql } from 'kysely'
import { PLATFORM } from '../../../server/audit.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { Finding } from '../../../server/verify.ts'
import { BEGINNING, type Seal, type SealedAuditRow, sealOf } from './chain.ts'
import { chainOf } from './seal.ts'

const BATCH = 5000
const MAX_VISIBLE = 5

type Link = { [K in keyof SealedAuditRow]: SealedAuditRow[K] | null } & Seal & { hash: Buffer; event_id: number }

/**
 * Checks each row of all companies and the platform against its seal, with the platform's database role. If someone
 * deletes the last rows of a chain and their seals, only a copy of the last seal reveals it.
 */
export async function verifyChains(tx: Tx): Promise<Finding[]> {
  const { rows: companies } = await sql<{ id: number }>`SELECT id FROM company ORDER BY id`.execute(tx)
  const damaged: string[] = []
  let looked = 0
  for (const company of [PLATFORM, ...companies.map(({ id }) => id)]) {
    const walked = await walk(tx, company)
    looked += walked.looked
    if (walked.damaged)
      damaged.push(`${company === PLATFORM ? 'the platform' : `company ${company}`}: ${walked.damaged}`)
  }
  return [
    {
      holds: 'the audit log of each company is one unbroken chain',
      looked,
      violations: damaged.length,
      first: damaged.slice(0, MAX_VISIBLE),
    },
    await unsealed(tx),
  ]
}

/** Checks one chain up to its first broken row. */
async function walk(tx: Tx, company: number): Promise<{ looked: number; damaged: string | null }> {
  const chain = chainOf(company)
  let before: Buffer = BEGINNING
  let position = 0
  let version = 0
  for (;;) {
    const { rows } = await sql<Link>`
      SELECT s.position, s.version, s.sealed_at, s.hash, s.event_id, e.* FROM (
        SELECT * FROM ${chain.seals} e WHERE ${chain.byCompany} AND position > ${position} ORDER BY position LIMIT ${BATCH}) s
      LEFT JOIN LATERAL (SELECT ${chain.columns} FROM ${chain.events} e WHERE ${chain.byCompany} AND e.id = s.event_id) e ON true
      ORDER BY s.position`.execute(tx)
    for (const link of rows) {
      position += 1
      const fault = faultOf(link, before, position, version)
      if (fault) return { looked: position, damaged: fault }
      before = link.hash
      version = link.version
    }
    if (rows.length < BATCH) return { looked: position, damaged: null }
  }
}

/**
 * Returns the fault of a row, or null. `minVersion` is the version of the previous seal. After a newer version, the
 * portal never writes an older one.
 */
function faultOf(link: Link, before: Buffer, position: number, minVersion: number): string | null {
  if (link.position !== position) return `the seal at place ${position} is gone`
  if (link.id === null) return `row ${link.event_id} (place ${position}) is gone`
  return link.version >= minVersion && sealOf(before, link, link as SealedAuditRow)?.equals(link.hash)
    ? null
    : `row ${link.event_id} (place ${position}) is not what was sealed`
}

/** Finds rows that are neither sealed nor waiting for a seal. Someone inserted these rows without the portal. */
async function unsealed(tx: Tx): Promise<Finding> {
  const { rows } = await sql<{ what: string }>`
    SELECT 'company ' || company_id || ': row ' || id AS what FROM audit_event e
    WHERE NOT EXISTS (SELECT FROM audit_seal s WHERE s.company_id = e.company_id AND s.event_id = e.id)
      AND NOT EXISTS (SELECT FROM audit_unsealed u WHERE u.company = e.company_id AND u.event_id = e.id)
    UNION ALL SELECT 'the platform: row ' || id FROM platform_audit_event e
    WHERE NOT EXISTS (SELECT FROM platform_audit_seal s WHERE s.event_id = e.id)
      AND NOT EXISTS (SELECT FROM audit_unsealed u WHERE u.company = ${PLATFORM} AND u.event_id = e.id)`.execute(tx)
  const { rows: all } = await sql<{
    n: number
  }>`SELECT (SELECT count(*) FROM audit_event) + (SELECT count(*) FROM platform_audit_event) AS n`.execute(tx)
  return {
    holds: 'each row of the audit log is sealed, or will be within a minute',
    looked: all[0]?.n ?? 0,
    violations: rows.length,
    first: rows.slice(0, MAX_VISIBLE).map(({ what }) => `${what} is not sealed and does not wait for a seal`),
  }
}
