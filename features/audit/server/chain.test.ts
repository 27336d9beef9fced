import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { harborCity } from '../../../database/towns/harbor-city.ts'
import { mapleGrove } from '../../../database/towns/maple-grove.ts'
import { auditCompany, auditPlatform } from '../../../server/audit.ts'
import { type CompanyId, outsideCompanies, type Tx } from '../../../server/tenancy.ts'
import { testPortal } from '../../../test/harness.ts'
import { openTestCompany } from '../../../test/company.ts'
import { sealPending } from './seal.ts'
import { verifyChains } from './verify-chain.ts'

const portal = await testPortal()
const { context, owner, clock } = portal
const maple = await openTestCompany(portal, mapleGrove)
const harbor = await openTestCompany(portal, harborCity)
const actor = { session: null, requestId: 'r' }

const write = (company: CompanyId, subject: string) =>
  context.inCompany(company, (tx) =>
    auditCompany(tx, clock, company, actor, {
      action: 'profile.saved',
      subject: { kind: 'person', id: subject },
      detail: { b: 1, a: [2] },
    }),
  )
const faultsIn = async (tx: Tx) => (await verifyChains(tx)).flatMap(({ first }) => first)
const verify = () => outsideCompanies(portal.db.platform)(faultsIn)

/** Runs a statement as the database owner, verifies the chains and rolls back. Returns the findings. */
async function faultsAfter(statement: string): Promise<string[]> {
  let faults: string[] = []
  const undone = outsideCompanies(owner)(async (tx) => {
    await sql.raw(`SET LOCAL session_replication_role = replica; ${statement}`).execute(tx)
    faults = await faultsIn(tx)
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  return faults
}
const third = `(SELECT event_id FROM audit_seal WHERE company_id = ${harbor} AND position = 3)`

/** Writes a row with a seal of version 1, which the portal no longer creates. */
beforeAll(async () => {
  await write(maple, 'of old')
  const { rows } = await owner.query(
    `SELECT id, at, actor_kind, action, subject, detail::text AS detail, request_id FROM audit_event WHERE company_id = $1 AND subject = 'of old'`,
    [maple],
  )
  const { id, at, actor_kind, action, subject, detail, request_id } = rows[0]
  const sealedData = [1, maple, id, at.toISOString(), actor_kind, null, null, action, subject, null, detail, request_id]
  const hash = createHash('sha256').update(Buffer.alloc(32)).update(JSON.stringify(sealedData)).digest()
  await owner.query(
    `INSERT INTO audit_seal (company_id, version, position, event_id, hash, sealed_at) VALUES ($1, 1, 1, $2, $3, $4)`,
    [maple, id, hash, clock.now()],
  )
  await owner.query('DELETE FROM audit_unsealed WHERE event_id = $1', [id])
})

beforeEach(async () => {
  for (let n = 0; n < 4; n++) await write(harbor, `deed ${n}`)
  await write(maple, 'a deed elsewhere')
  await context.acrossCompanies((tx) => auditPlatform(tx, clock, actor, { action: 'profile.saved' }))
  await sealPending(context)
})

describe('audit log', () => {
  it('seals each row within a minute, separately for each company', async () => {
    await write(harbor, 'one more')
    expect((await owner.query('SELECT * FROM audit_unsealed')).rowCount).toBe(1)
    await portal.runJobs('audit.seal')
    expect((await owner.query('SELECT * FROM audit_unsealed')).rowCount).toBe(0)
    const { rows } = await owner.query(
      `SELECT company_id, array_agg(position ORDER BY position) AS positions, count(*) AS n FROM audit_seal GROUP BY 1 ORDER BY 1`,
    )
    expect(rows.map((row) => row.company_id)).toEqual([maple, harbor])
    for (const { positions, n } of rows) expect(positions).toEqual(Array.from({ length: n }, (_, i) => i + 1))
    expect(await verify()).toEqual([])
  })

  it('continues from older seals, which keep their version', async () => {
    const { rows } = await owner.query(
      'SELECT version FROM audit_seal WHERE company_id = $1 ORDER BY position LIMIT 2',
      [maple],
    )
    expect(rows).toEqual([{ version: 1 }, { version: 2 }])
    expect(await verify()).toEqual([])
    expect(
      await faultsAfter(`UPDATE audit_event SET subject = 'x' WHERE company_id = ${maple} AND subject = 'of old'`),
    ).toEqual([expect.stringMatching(/place 1\) is not what was sealed/)])
  })

  it('seals each row once, even by several portals at the same moment', async () => {
    for (let n = 0; n < 30; n++) await write(n % 2 ? maple : harbor, `deed ${n}`)
    const counts = await Promise.all([sealPending(context), sealPending(context), sealPending(context)])
    expect(counts.reduce((sum, n) => sum + n, 0)).toBe(30)
    expect(await verify()).toEqual([])
  })

  it('does not delay writers of the log', async () => {
    const [open, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const slow = context.inCompany(harbor, async (tx) => {
      await auditCompany(tx, clock, harbor, actor, { action: 'profile.contact_saved' })
      open.resolve()
      await end.promise
    })
    await open.promise
    await write(harbor, 'meanwhile')
    await sealPending(context)
    end.resolve()
    await slow
    await sealPending(context)
    expect(await verify()).toEqual([])
  })

  it.each([
    [
      'a row that was changed',
      `UPDATE audit_event SET subject = 'nothing' WHERE id = ${third}`,
      /row \d+ \(place 3\) is not what was sealed/,
    ],
    [
      'facts that were changed',
      `UPDATE audit_event SET detail = '{"a": [3], "b": 1}' WHERE id = ${third}`,
      /place 3\) is not/,
    ],
    ['a row that was taken out', `DELETE FROM audit_event WHERE id = ${third}`, /row \d+ \(place 3\) is gone/],
    [
      'a row taken out with its seal',
      `DELETE FROM audit_event WHERE id = ${third}; DELETE FROM audit_seal WHERE company_id = ${harbor} AND position = 3`,
      /the seal at place 3 is gone/,
    ],
    [
      'two rows that changed places',
      `UPDATE audit_seal SET event_id = event_id + 1000000000 WHERE company_id = ${harbor} AND position IN (2, 3);
       UPDATE audit_seal s SET event_id = o.event_id - 1000000000 FROM audit_seal o
       WHERE s.company_id = ${harbor} AND s.position IN (2, 3) AND o.company_id = s.company_id AND o.position = 5 - s.position`,
      /row \d+ \(place 2\) is not what was sealed/,
    ],
    [
      'a row that was put in unsealed',
      `INSERT INTO audit_event (company_id, at, actor_kind, action) VALUES (${harbor}, now() - interval '30 years', 'system', 'test.planted')`,
      /is not sealed/,
    ],
  ])('detects and names %s', async (_what, statement, expectedProblem) => {
    const faults = await faultsAfter(statement)
    expect(faults).toEqual([expect.stringMatching(expectedProblem)])
    expect(faults[0]).toContain(`company ${harbor}`)
  })

  it('detects another value in any column of rows and seals', async () => {
    const other: Record<string, (column: string) => string> = {
      text: (column) => `${column} || 'x'`,
      jsonb: () => `'{"a": 1}'`,
      bytea: (column) => `${column} || 'x'`,
      'timestamp with time zone': (column) => `${column} + interval '1 second'`,
    }
    const plusOne = (column: string) => `coalesce(${column}, 0) + 1000`
    const { rows: columns } = await owner.query<{ table: string; column: string; type: string }>(
      `SELECT table_name AS "table", column_name AS "column", data_type AS type FROM information_schema.columns
       WHERE table_schema = 'public' AND table_name IN ('audit_event', 'audit_seal', 'platform_audit_event', 'platform_audit_seal')`,
    )
    expect(columns.length).toBeGreaterThan(20)
    const unnoticed: string[] = []
    for (const { table, column, type } of columns) {
      const changed = type === 'text' && column === 'actor_kind' ? `'platform'` : (other[type] ?? plusOne)(column)
      const key = table.endsWith('event') ? 'id' : 'event_id'
      const last = `(SELECT max(${key}) FROM ${table})`
      const faults = await faultsAfter(`UPDATE ${table} SET ${column} = ${changed} WHERE ${key} = ${last}`)
      if (faults.length === 0) unnoticed.push(`${table}.${column}`)
    }
    expect(unnoticed).toEqual([])
  })
})
